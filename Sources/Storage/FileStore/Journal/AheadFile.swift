import CivilTime
import JSON
import Values

/// `ahead.jsonl`: copies of the latest journal lines, synchronized in the place of the journal.
///
/// The sync of a file that has grown writes its new length, too, and that costs more than the lines. So lines are appended to the journal,
/// where every reader finds them, and then put over bytes of this file, which keeps its length; only this file is synchronized. The
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

  /// The first line of a run.
  struct Head: Equatable {
    /// The store that the run belongs to.
    var store: EntityID
    /// The number of the journal whose lines are copied.
    var journal: Int
    /// The revision before the first of them; the journals have everything up to it.
    var revision: Int

    var bytes: [UInt8] {
      var writer = JSONWriter()
      writer.beginObject()
      writer.name("store")
      writer.write(store.description)
      writer.name("journal")
      writer.write(journal)
      writer.name("after")
      writer.write(revision)
      LineSuffix.close(&writer)
      return writer.bytes
    }

    init(store: EntityID, journal: Int, revision: Int) {
      (self.store, self.journal, self.revision) = (store, journal, revision)
    }

    /// The first one in a file of copies; nil when there is none.
    init?(in text: [UInt8]) {
      if let end = text.firstIndex(of: UInt8(ascii: "\n")), let head = Head(reading: text[..<end]) {
        self = head
        return
      }
      for line in text.split(separator: UInt8(ascii: "\n")) {
        guard let head = Head(reading: line) else { continue }
        self = head
        return
      }
      return nil
    }

    /// The revision of the last line of the run that this begins, as the lines begin; whether they are whole is not looked at. Nil when
    /// it does not begin the text, there is no line, something else is among them, or the end is missing.
    func lastRevision(in text: [UInt8]) -> Int? {
      let bytes = bytes
      guard text.starts(with: bytes) else { return nil }
      return text.withUnsafeBytes { text in
        guard let base = text.baseAddress else { return nil }
        var (start, last) = (bytes.count, revision)
        while true {
          let end = LineScan.newline(base, from: start, to: text.count)
          guard end < text.count else { return nil }
          let line = UnsafeRawBufferPointer(rebasing: text[start..<end])
          if line.elementsEqual(bytes.dropLast()) { return last > self.revision ? last : nil }
          guard let revision = JournalEntry.revision(of: line), revision > last else { return nil }
          (start, last) = (end + 1, revision)
        }
      }
    }

    /// Nil when the line is not what is written there.
    init?(reading line: ArraySlice<UInt8>) {
      guard line.withUnsafeBytes({ LineSuffix.isValid($0) }),
        case .object(let object)? = try? JSONValue(json: Array(line)),
        case .string(let id)? = object["store"], let store = EntityID(id),
        case .number(let journal)? = object["journal"], let journal = journal.integer,
        case .number(let revision)? = object["after"], let revision = revision.integer
      else { return nil }
      self.init(store: store, journal: journal, revision: revision)
    }
  }
}

/// Lines that the journals lack at their end after a power cut, and the copies have. They are read as if they stood in a further
/// journal; the next writer puts them into one.
struct LostLines: Sendable {
  /// The number of the journal whose lines the copies are.
  let first: Int
  /// The number of the last journal.
  let journal: Int
  /// The revision of the last one; nil when none is known.
  var latest: Int?
  /// The lines from the first one that is missing on, with their newlines.
  var bytes: [UInt8] = []
  /// What stands among the lines and is none, and where they end in something that is none: that was never answered, or it is damaged.
  private(set) var findings: [Finding] = []

  /// Looks for what a journal lacks.
  ///
  /// - Parameters:
  ///   - head: That of the run.
  ///   - text: The file of copies.
  ///   - journal: The number of the last journal.
  ///   - present: The revisions that the journals have from the run's on.
  fileprivate init(_ head: AheadFile.Head, in text: [UInt8], behind journal: Int, besides present: Set<Int>) {
    (first, self.journal) = (head.journal, journal)
    var found: [Int: Range<Int>] = [:]
    // What is no line: among the lines, and right behind the last.
    var (pieces, rest): ([Range<Int>], [Range<Int>]) = ([], [])
    var isEnded = false
    let end = text.withUnsafeBytes { text in
      JournalScan(bytes: text).forEach { item, range in
        // Behind a run stands what earlier ones have left, whole lines and others.
        if case .line(.transaction(let entry)) = item, entry.revision > head.revision {
          if found[entry.revision] == nil { found[entry.revision] = range }
          (pieces, rest, isEnded) = (pieces + rest, [], false)
        } else if case .finding = item, !isEnded {
          if AheadFile.Head(reading: Array(text[range])[...]) == nil {
            rest.append(range)
          } else {
            isEnded = range.lowerBound > 0
          }
        }
      }
    }
    let revisions = found.keys.sorted()
    if let first = revisions.first(where: { !present.contains($0) }) {
      latest = revisions.last
      for revision in revisions.drop(while: { $0 < first }) { bytes += text[found[revision] ?? 0..<0] + [10] }
    }
    let known = present.union(revisions)
    let last = revisions.last ?? head.revision
    if last > head.revision, (head.revision + 1...last).contains(where: { !known.contains($0) }) {
      for piece in pieces { note(.damagedLine, piece, after: head.revision, "it is damaged") }
    }
    if let tear = rest.first ?? (isEnded ? nil : end..<text.count) {
      note(.tornTail, tear, after: last, "it may have been answered")
    }
  }

  /// Of a file of so many bytes that has no head: nobody can tell what it was.
  fileprivate init(damaged size: Int, behind journal: Int) {
    (first, self.journal) = (journal, journal)
    note(.tornTail, 0..<size, after: 0, "nothing in it can be read")
  }

  private mutating func note(_ kind: Finding.Kind, _ range: Range<Int>, after last: Int, _ reason: String) {
    findings.append(Finding(kind, AheadFile.fileName, at: range, after: last, reason))
  }
}

extension StoreFolder {
  /// Looks for what a power cut took from the end of the journals; nil when nothing is missing.
  ///
  /// - Parameter isInOrder: Whether the last journal has nothing missing before its last line, as far as is known.
  func findLostLines(isInOrder: Bool) -> LostLines? {
    guard let root, let text = ownContents(AheadFile.fileName, in: root, limit: AheadFile.sizeLimit),
      text.contains(where: { $0 != UInt8(ascii: "\n") }), let numbers = try? journalNumbers(), let last = numbers.last
    else { return nil }
    guard var head = AheadFile.Head(in: text) else { return LostLines(damaged: text.count, behind: last) }
    guard identity.map({ $0.store == head.store }) ?? true, numbers.contains(head.journal) else { return nil }
    if head.journal < last {
      // What is sealed was synchronized before; a journal that is left because a sync failed is not sealed.
      if isSealed(head.journal) { return nil }
    } else if isInOrder, let begun = head.lastRevision(in: text), let latest = lastRevision(), begun <= latest {
      return nil
    }
    if let text = ownContents(ManifestFiles.Name.current, in: root, limit: ManifestFiles.longestFile),
      case .readable(let manifest) = ManifestHead.read(text)
    {
      if head.journal < manifest.journal { return nil }
      // What the segments have is missing nowhere.
      head.revision = max(head.revision, manifest.revision)
    }
    let present = numbers.filter { $0 >= head.journal }.reduce(into: Set()) { $0.formUnion(revisions(in: $1)) }
    let lost = LostLines(head, in: text, behind: last, besides: present)
    return lost.bytes.isEmpty && lost.findings.isEmpty ? nil : lost
  }

  /// Puts what is missing into a new journal, under the lock, unless another process has done so, and does away with the copies. The
  /// journals are to be read again then.
  mutating func bringBackLostLines(now: Instant) throws(StoreError) {
    try checkWritable()
    defer { lost = nil }
    guard let lost = findLostLines(isInOrder: false), let root, let journal else { return }
    try Quarantine(folder: self, now: now).keep(lost.findings, revision: lost.latest ?? 0)
    do throws(FileSystemError) {
      // What is there may be so in memory only, and on the medium in the copies.
      for number in lost.first...lost.journal {
        guard let file = try? fileSystem.openFile(JournalFile.name(number), in: journal, for: .appending) else {
          continue
        }
        defer { fileSystem.close(file) }
        try fileSystem.synchronizeFile(file)
      }
      let name = JournalFile.name(lost.journal + 1)
      let temporary = "\(name).\(fileSystem.processID).new"
      if !lost.bytes.isEmpty {
        // Of a process of that number that died over it.
        try fileSystem.unlinkIfPresent(temporary, in: journal)
        try replace(name, in: journal, with: lost.bytes, temporaryName: temporary)
      }
      try fileSystem.unlinkIfPresent(AheadFile.fileName, in: root)
    } catch { throw StoreError(writing: error) }
  }

  /// The revisions that a journal has whole lines of.
  private func revisions(in number: Int) -> Set<Int> {
    guard let journal, let text = ownContents(JournalFile.name(number), in: journal, limit: 1 << 30) else { return [] }
    var found: Set<Int> = []
    text.withUnsafeBytes { text in
      _ = JournalScan(bytes: text).forEach { item, _ in
        if case .line(.transaction(let entry)) = item { found.insert(entry.revision) }
      }
    }
    return found
  }
}

extension JournalFollower {
  /// Takes in what the journal that was just read lacks at its end.
  mutating func take(_ lost: LostLines, _ memory: inout StoreMemory) {
    self.lost = lost
    for finding in lost.findings { report.note(finding) }
    let name = currentName
    (currentName, readsCopies) = (AheadFile.fileName, true)
    defer { (currentName, readsCopies) = (name, false) }
    lost.bytes.withUnsafeBytes { bytes in
      _ = JournalScan(bytes: bytes).forEach { item, range in
        if case .line(.transaction(let entry)) = item { take(entry, range, &memory) }
      }
    }
  }
}
