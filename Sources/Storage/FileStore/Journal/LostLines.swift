import CivilTime

/// Lines that a power cut took from the end of the journals, recovered from `ahead.jsonl`. They are read like a
/// further journal; the next writer puts them into one.
struct LostLines: Sendable {
  /// The number of the journal that was copied.
  let copiedJournal: Int
  let lastJournal: Int
  /// The revision of the last line; nil when none is known.
  private(set) var latest: Int?
  /// The lines from the first missing one on, with their newlines.
  private(set) var bytes: [UInt8] = []
  /// Damaged text among the copies, and an incomplete end: a line that was never answered, or is damaged.
  private(set) var findings: [Finding] = []

  /// Finds what the journals lack.
  ///
  /// - Parameters:
  ///   - head: The head of the copies.
  ///   - text: The ahead file.
  ///   - present: The revisions in the journals from the copied one on.
  fileprivate init(
    _ head: AheadFile.Head, in text: UnsafeRawBufferPointer, after lastJournal: Int, present: Set<Int>
  ) {
    (copiedJournal, self.lastJournal) = (head.journal, lastJournal)
    var lines: [Int: Range<Int>] = [:]
    // Invalid text before the last valid line, and after it.
    var (between, behind): ([Range<Int>], [Range<Int>]) = ([], [])
    var isEnded = false
    let end = JournalScan(bytes: text).forEach { item, range in
      // The closing head is followed by remains of earlier runs: whole lines of lower revisions, and parts of lines.
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
    // If the journals go on after it, it was synced there, or never answered.
    if let tear = behind.first ?? (isEnded ? nil : end..<text.count), !present.contains(where: { $0 > last }) {
      note(.tornTail, tear, after: last, "it may have been answered")
    }
  }

  /// For a file of `size` bytes without a head: nothing in it can be identified.
  fileprivate init(damaged size: Int, after lastJournal: Int) {
    (copiedJournal, self.lastJournal) = (lastJournal, lastJournal)
    note(.tornTail, 0..<size, after: 0, "nothing in it can be read")
  }

  private mutating func note(_ kind: Finding.Kind, _ range: Range<Int>, after last: Int, _ reason: String) {
    findings.append(Finding(kind, AheadFile.fileName, at: range, after: last, reason))
  }
}

extension StoreFolder {
  /// Finds what a power cut took from the end of the journals; nil when nothing is missing.
  ///
  /// - Parameter isInOrder: Whether the last journal is known to lack nothing before its last line.
  func findLostLines(isInOrder: Bool) -> LostLines? {
    if isInOrder, hasAllCopies { return nil }
    var text = copies
    for _ in 0..<8 {
      guard let read = text, let lost = read.withUnsafeBytes({ lostLines(in: $0) }) else {
        return nil
      }
      // Without the lock, the file may have been read in the middle of a write.
      text = copies
      if text == read { return lost }
    }
    // Another process keeps writing, and so has found nothing missing.
    return nil
  }

  /// The text of the ahead file; nil when it is empty or missing.
  private var copies: [UInt8]? {
    guard let root, let text = ownContents(AheadFile.fileName, in: root, limit: AheadFile.sizeLimit),
      text.contains(where: { $0 != UInt8(ascii: "\n") })
    else { return nil }
    return text
  }

  /// Whether the last journal obviously has every line of the ahead file; also when there is no such file.
  private var hasAllCopies: Bool {
    guard let root else { return true }
    let run: AheadRun?? = readOwn(AheadFile.fileName, in: root, limit: AheadFile.sizeLimit) { file, size in
      .some(AheadRun(file, size: size, fileSystem))
    }
    guard let run else { return true }
    guard let run, identity.map({ $0.store == run.head.store }) ?? true,
      (try? journalNumbers().last) == run.head.journal, let latest = lastRevision(of: run.head.journal)
    else { return false }
    return run.last <= latest
  }

  private func lostLines(in text: UnsafeRawBufferPointer) -> LostLines? {
    guard let root, let numbers = try? journalNumbers(), let last = numbers.last else { return nil }
    guard var head = AheadFile.Head(in: text) else { return LostLines(damaged: text.count, after: last) }
    guard identity.map({ $0.store == head.store }) ?? true, numbers.contains(head.journal) else { return nil }
    if let manifest = ownContents(ManifestFiles.Name.current, in: root, limit: ManifestFiles.longestFile),
      case .readable(let manifest) = ManifestHead.read(manifest)
    {
      if head.journal < manifest.journal { return nil }
      // What the segments contain is not missing.
      head.revision = max(head.revision, manifest.revision)
    }
    let present = numbers.filter { $0 >= head.journal }.reduce(into: Set()) { $0.formUnion(revisions(in: $1)) }
    let lost = LostLines(head, in: text, after: last, present: present)
    return lost.bytes.isEmpty && lost.findings.isEmpty ? nil : lost
  }

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

  /// Writes the missing lines into a new journal, under the lock, unless another process has done so, and removes the
  /// copies. The journals must then be read again.
  mutating func restoreLostLines(now: Instant) throws(StoreError) {
    try checkWritable()
    defer { lost = nil }
    guard let lost = findLostLines(isInOrder: false), let root, let journal else { return }
    try Quarantine(folder: self, now: now).keep(lost.findings, revision: lost.latest ?? 0)
    do throws(FileSystemError) {
      // The journals' lines may be in memory only, and durable only in the copies.
      for number in lost.copiedJournal...lost.lastJournal {
        guard let file = try? fileSystem.openFile(JournalFile.name(number), in: journal, for: .appending) else {
          continue
        }
        defer { fileSystem.close(file) }
        try fileSystem.synchronizeFile(file)
      }
      if !lost.bytes.isEmpty {
        try replaceUnderLock(JournalFile.name(lost.lastJournal + 1), in: journal, with: lost.bytes)
      }
      try fileSystem.unlinkIfPresent(AheadFile.fileName, in: root)
    } catch { throw StoreError(writing: error) }
  }
}

extension JournalFollower {
  /// Applies the lines missing after the last journal.
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
