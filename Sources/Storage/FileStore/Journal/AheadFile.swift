import JSON
import Values

/// `ahead.jsonl`: copies of the latest journal lines, synced instead of the journal.
///
/// Syncing a file that has grown also writes its new length, which costs more than the lines. So a line is appended to
/// the journal, where every reader finds it, and then written over bytes of this file, which keeps its length; only
/// this file is synced. The journal is synced when this file is full and when the journal is sealed. If a power cut
/// takes lines from the journal's end, readers find them here, and the next writer puts them into a new journal
/// (`LostLines`).
///
/// The file holds one run of copies: a head, which names the journal and the revision after which the run begins, the
/// lines, and the head again. A new run overwrites the file's start once every earlier line is durable in the
/// journals, so the copies it overwrites are no longer needed. Remains of earlier runs after it have lower revisions.
enum AheadFile {
  static let fileName = "ahead.jsonl"
  /// The maximum size of a file that we accept as ours, in bytes.
  static let sizeLimit = 4 << 20

  /// The line that begins at `start`, without its newline; nil when it has none.
  static func line(_ text: UnsafeRawBufferPointer, at start: Int) -> Range<Int>? {
    guard let base = text.baseAddress, start < text.count else { return nil }
    let end = LineScan.newline(base, from: start, to: text.count)
    return end < text.count ? start..<end : nil
  }

  /// The first and last line of a run.
  struct Head: Equatable, Document {
    /// The store that the run belongs to.
    var store = EntityID.zero
    /// The number of the journal whose lines are copied.
    var journal = 0
    /// The revision before the first copied line; the journals have everything up to it.
    var revision = 0

    mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError) {
      try members.value("store", &store)
      try members.number("journal", &journal, in: 1...(.max))
      try members.value("after", &revision)
    }
  }
}

extension AheadFile.Head {
  /// Nil when the line is not a valid head.
  init?(checking line: UnsafeRawBufferPointer) {
    guard LineSuffix.isValid(line), let head = try? AheadFile.Head(reading: line) else { return nil }
    self = head
  }

  /// The first head in the file's text; nil when there is none.
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
}

/// The run at the start of an ahead file, read in pieces: the rest of the file stays unread.
struct AheadRun {
  private(set) var head: AheadFile.Head
  /// The revision of the last line, judged by the beginnings of the lines only, not their checksums.
  private(set) var last: Int

  /// The number of bytes read at once.
  private static let piece = 16 << 10

  /// Nil when the file does not begin with a head, no line follows, anything else is among the lines, one is longer
  /// than a piece, or the closing head is missing.
  init?(_ file: Descriptor, size: Int, _ fileSystem: any FileSystem) {
    var (head, closing): (AheadFile.Head?, [UInt8]) = (nil, [])
    var (at, last, isClosed) = (0, 0, false)
    while !isClosed {
      let (bytes, failure) = fileSystem.contents(of: file, from: at, size: min(AheadRun.piece, size - at))
      let read = bytes.withUnsafeBytes { text in
        var start = 0
        while !isClosed, let range = AheadFile.line(text, at: start) {
          let line = UnsafeRawBufferPointer(rebasing: text[range])
          if head == nil {
            guard let first = AheadFile.Head(checking: line) else { return 0 }
            (head, closing, last) = (first, Array(line), first.revision)
          } else if line.elementsEqual(closing) {
            isClosed = true
          } else {
            guard let next = JournalEntry.revision(of: line), next > last else { return 0 }
            last = next
          }
          start = range.upperBound + 1
        }
        return start
      }
      guard failure == nil, read > 0 else { return nil }
      at += read
    }
    guard let head, last > head.revision else { return nil }
    (self.head, self.last) = (head, last)
  }
}
