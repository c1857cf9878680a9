import JSON
import Values

/// `ahead.jsonl`: copies of the latest journal lines, synchronized in the place of the journal.
///
/// The sync of a file that has grown writes its new length, too, and that costs more than the lines. So a line is appended to the journal,
/// where every reader finds it, and then put over bytes of this file, which keeps its length; only this file is synchronized. The
/// journal follows when this file is full and when it is sealed. If a power cut takes lines from the journal's end, readers find
/// them here, and the next writer puts them into a new journal (`LostLines`).
///
/// The file has one run of copies: a head, which says behind which revision of which journal the run begins, the lines, and the head
/// again. A run begins at the file's start when everything before it is on the medium in the journals, so what it covers is needed by
/// nobody. What remains of earlier runs behind it has lower revisions.
enum AheadFile {
  static let fileName = "ahead.jsonl"
  /// Longer files are none of ours, in bytes.
  static let sizeLimit = 4 << 20

  /// The line that begins at an offset of a text, without its newline; nil when it has none.
  static func line(_ text: UnsafeRawBufferPointer, at start: Int) -> Range<Int>? {
    guard let base = text.baseAddress, start < text.count else { return nil }
    let end = LineScan.newline(base, from: start, to: text.count)
    return end < text.count ? start..<end : nil
  }

  /// The first line of a run, and the last.
  struct Head: Equatable, Document {
    /// The store that the run belongs to.
    var store = EntityID.zero
    /// The number of the journal whose lines are copied.
    var journal = 0
    /// The revision before the first of them; the journals have everything up to it.
    var revision = 0

    mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError) {
      try members.value("store", &store)
      try members.number("journal", &journal, in: 1...(.max))
      try members.value("after", &revision)
    }
  }
}

extension AheadFile.Head {
  /// Nil when the line is not what is written there.
  init?(checking line: UnsafeRawBufferPointer) {
    guard LineSuffix.isValid(line), let head = try? AheadFile.Head(reading: line) else { return nil }
    self = head
  }

  /// The first one in a file of copies; nil when there is none.
  init?(in text: UnsafeRawBufferPointer) {
    var start = 0
    while let range = AheadFile.line(text, at: start) {
      if let head = AheadFile.Head(checking: UnsafeRawBufferPointer(rebasing: text[range])) {
        self = head
        return
      }
      start = range.upperBound + 1
    }
    return nil
  }

  /// The revision of the last line of the run that this begins, as the lines begin; whether they are whole is not looked at. Nil when
  /// it does not begin the text, there is no line, something else is among them, or the end is missing.
  func lastRevision(in text: UnsafeRawBufferPointer) -> Int? {
    let bytes = self.text()
    guard text.starts(with: bytes) else { return nil }
    var (start, last) = (bytes.count, revision)
    while let range = AheadFile.line(text, at: start) {
      let line = UnsafeRawBufferPointer(rebasing: text[range])
      if line.elementsEqual(bytes.dropLast()) { return last > revision ? last : nil }
      guard let next = JournalEntry.revision(of: line), next > last else { return nil }
      (start, last) = (range.upperBound + 1, next)
    }
    return nil
  }
}
