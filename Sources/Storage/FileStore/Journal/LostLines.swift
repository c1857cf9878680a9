import CivilTime

/// Lines that the journals lack at their end after a power cut, and the copies in `ahead.jsonl` have. They are read as if they stood in a
/// further journal; the next writer puts them into one.
struct LostLines: Sendable {
  /// The number of the journal whose lines the copies are.
  let copiedJournal: Int
  /// The number of the last journal.
  let lastJournal: Int
  /// The revision of the last of the lines; nil when none is known.
  private(set) var latest: Int?
  /// The lines from the first one that is missing on, with their newlines.
  private(set) var bytes: [UInt8] = []
  /// What stands among the copies and is no line, and where they end in something that is none: that was never answered, or it is
  /// damaged.
  private(set) var findings: [Finding] = []

  /// Looks for what the journals lack.
  ///
  /// - Parameters:
  ///   - head: That of the copies.
  ///   - text: The file of copies.
  ///   - present: The revisions that the journals have from the copied one on.
  fileprivate init(
    _ head: AheadFile.Head, in text: UnsafeRawBufferPointer, behind lastJournal: Int, besides present: Set<Int>
  ) {
    (copiedJournal, self.lastJournal) = (head.journal, lastJournal)
    var lines: [Int: Range<Int>] = [:]
    // What is no line, before the last one that is, and behind it.
    var (between, behind): ([Range<Int>], [Range<Int>]) = ([], [])
    var isEnded = false
    let end = JournalScan(bytes: text).forEach { item, range in
      // Behind the end stands what earlier copies have left: whole lines of lower revisions, and parts of lines.
      if case .line(.transaction(let entry)) = item, entry.revision > head.revision {
        if lines[entry.revision] == nil { lines[entry.revision] = range }
        (between, behind, isEnded) = (between + behind, [], false)
      } else if case .finding = item, !isEnded {
        if AheadFile.Head(checking: UnsafeRawBufferPointer(rebasing: text[range])) == nil {
          behind.append(range)
        } else {
          isEnded = range.lowerBound > 0
        }
      }
    }
    let revisions = lines.keys.sorted()
    if let missing = revisions.first(where: { !present.contains($0) }) {
      latest = revisions.last
      for revision in revisions.drop(while: { $0 < missing }) {
        bytes += text[lines[revision] ?? 0..<0] + [UInt8(ascii: "\n")]
      }
    }
    let last = revisions.last ?? head.revision
    if last > head.revision, (head.revision + 1...last).contains(where: { lines[$0] == nil && !present.contains($0) }) {
      for piece in between { note(.damagedLine, piece, after: head.revision, "it is damaged") }
    }
    // Where the journals have gone on behind it, it was synchronized there, or never answered.
    if let tear = behind.first ?? (isEnded ? nil : end..<text.count), !present.contains(where: { $0 > last }) {
      note(.tornTail, tear, after: last, "it may have been answered")
    }
  }

  /// Of a file of so many bytes that has no head: nobody can tell what it was.
  fileprivate init(damaged size: Int, behind lastJournal: Int) {
    (copiedJournal, self.lastJournal) = (lastJournal, lastJournal)
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
    var text = copies
    for _ in 0..<8 {
      guard let read = text, let lost = read.withUnsafeBytes({ lostLines(in: $0, isInOrder: isInOrder) }) else {
        return nil
      }
      // Without the lock a line may have been met while it was written.
      text = copies
      if text == read { return lost }
    }
    // Somebody writes all the time, who has found nothing missing.
    return nil
  }

  /// The file of copies; nil when there is nothing in it.
  private var copies: [UInt8]? {
    guard let root, let text = ownContents(AheadFile.fileName, in: root, limit: AheadFile.sizeLimit),
      text.contains(where: { $0 != UInt8(ascii: "\n") })
    else { return nil }
    return text
  }

  private func lostLines(in text: UnsafeRawBufferPointer, isInOrder: Bool) -> LostLines? {
    guard let root, let numbers = try? journalNumbers(), let last = numbers.last else { return nil }
    guard var head = AheadFile.Head(in: text) else { return LostLines(damaged: text.count, behind: last) }
    guard identity.map({ $0.store == head.store }) ?? true, numbers.contains(head.journal) else { return nil }
    if head.journal == last, isInOrder, let begun = head.lastRevision(in: text), let latest = lastRevision(),
      begun <= latest
    {
      return nil
    }
    if let manifest = ownContents(ManifestFiles.Name.current, in: root, limit: ManifestFiles.longestFile),
      case .readable(let manifest) = ManifestHead.read(manifest)
    {
      if head.journal < manifest.journal { return nil }
      // What the segments have is missing nowhere.
      head.revision = max(head.revision, manifest.revision)
    }
    let present = numbers.filter { $0 >= head.journal }.reduce(into: Set()) { $0.formUnion(revisions(in: $1)) }
    let lost = LostLines(head, in: text, behind: last, besides: present)
    return lost.bytes.isEmpty && lost.findings.isEmpty ? nil : lost
  }

  /// The revisions that a journal has whole lines of.
  private func revisions(in number: Int) -> Set<Int> {
    guard let journal,
      let text = ownContents(JournalFile.name(number), in: journal, limit: JournalFollower.longestFile)
    else { return [] }
    var found: Set<Int> = []
    text.withUnsafeBytes { text in
      _ = JournalScan(bytes: text).forEach { item, _ in
        if case .line(.transaction(let entry)) = item { found.insert(entry.revision) }
      }
    }
    return found
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
      for number in lost.copiedJournal...lost.lastJournal {
        guard let file = try? fileSystem.openFile(JournalFile.name(number), in: journal, for: .appending) else {
          continue
        }
        defer { fileSystem.close(file) }
        try fileSystem.synchronizeFile(file)
      }
      if !lost.bytes.isEmpty {
        let name = JournalFile.name(lost.lastJournal + 1)
        let temporary = "\(name).\(fileSystem.processID).new"
        // Of a process of that number that died over it.
        try fileSystem.unlinkIfPresent(temporary, in: journal)
        try replace(name, in: journal, with: lost.bytes, temporaryName: temporary)
      }
      try fileSystem.unlinkIfPresent(AheadFile.fileName, in: root)
    } catch { throw StoreError(writing: error) }
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
