import CivilTime
import Values

/// Changes that are missing in the journals or damaged there, recovered from `ahead.jsonl`: a power cut took a journal's
/// end, or a journal is gone. From the first of them on, everything is read from here instead of the journals; the next
/// writer puts it into one.
///
/// The journal it is put into has the number of the missing one, else one above all others. In the latter case it
/// repeats the lines of the other journals from the first missing one on, as after a failed sync, so that readers find
/// everything in order. A crash at any point loses nothing, and has the same result as none: the copies are removed
/// last, and until then what they have and the journals lack is found again.
struct LostLines: Sendable {
  /// The number of the journal that was copied last.
  let copiedJournal: Int
  /// The number of the journal into which the next writer puts the lines.
  let target: Int
  /// The first missing revision; nil when none is missing.
  private(set) var first: Int?
  /// The revision of the last copied line; nil when none is missing.
  private(set) var latest: Int?
  /// All lines from the first missing one on, those of the journals included, with their newlines.
  private(set) var bytes: [UInt8] = []
  /// The number of those bytes that the next writer puts into a journal.
  private var written = 0
  /// Damaged text among the copies, an incomplete end (a line that was never answered, or is damaged), and a missing
  /// journal.
  private(set) var findings: [Finding] = []

  /// The text of the journal that the next writer makes.
  var journal: [UInt8] { Array(bytes.prefix(written)) }

  fileprivate init(_ copies: AheadCopies, _ present: PresentLines, _ folder: StoreFolder) {
    copiedJournal = copies.journal
    findings = copies.findings(present.revisions)
    let lines = copies.lines.filter { !present.revisions.contains($0.key) }
    var rest = lines.keys.sorted()[...]
    let (first, last) = (rest.first, rest.last)
    let missing = [present.firstJournal, copies.journal].filter { !present.numbers.contains($0) }
    // A later journal must continue after the lines.
    let vacant = missing.first { number in last.map { $0 < present.firstRevision(after: number) } ?? false }
    target = vacant ?? (present.numbers.last ?? 0) + 1
    guard let first, let last else { return }
    (self.first, latest) = (first, copies.lines.keys.max())
    func addCopies(before revision: Int) {
      while let next = rest.first, next < revision {
        bytes += copies.text[lines[next] ?? 0..<0] + [UInt8(ascii: "\n")]
        rest.removeFirst()
      }
      if rest.isEmpty, written == 0 { written = bytes.count }
    }
    for number in present.numbers where number >= present.firstJournal {
      folder.forEachLine(of: number) { revision, line in
        guard revision >= first else { return }
        addCopies(before: revision)
        bytes += line + [UInt8(ascii: "\n")]
      }
    }
    addCopies(before: .max)
    if vacant == nil { written = bytes.count }
    guard let missing = missing.first else { return }
    findings.append(
      Finding(
        .restoredJournal, StoreFolder.Name.journal + "/" + JournalFile.name(missing),
        "changes \(first) to \(last) were read from \(AheadFile.fileName)"))
  }

  /// For a file of `size` bytes without a head: nothing in it can be identified.
  fileprivate init(damaged size: Int, after lastJournal: Int) {
    (copiedJournal, target) = (lastJournal, lastJournal + 1)
    findings = [Finding(.tornTail, AheadFile.fileName, at: 0..<size, after: 0, "nothing in it can be read")]
  }
}

/// The copies in an ahead file.
private struct AheadCopies {
  let text: UnsafeRawBufferPointer
  let journal: Int
  /// The places of the copied lines, by revision.
  private(set) var lines: [Int: Range<Int>] = [:]
  /// The revision before the latest run, and that of its last line.
  private let start: Int
  private var last: Int
  /// Invalid text before the run's last valid line, and after it.
  private var (between, behind): ([Range<Int>], [Range<Int>]) = ([], [])
  private var isEnded = false
  private var end = 0

  /// - Parameters:
  ///   - floor: The revision up to which nothing is missing.
  ///   - replica: The writer of the remains of earlier runs; nil to ignore them.
  init(_ head: AheadFile.Head, in text: UnsafeRawBufferPointer, after floor: Int, remainsOf replica: EntityID?) {
    (self.text, journal, start) = (text, head.journal, max(head.revision, floor))
    last = start
    end = JournalScan(bytes: text).forEach { item, range in
      if case .line(.transaction(let entry)) = item {
        if entry.revision > start {
          if lines[entry.revision] == nil { lines[entry.revision] = range }
          last = max(last, entry.revision)
          (between, behind, isEnded) = (between + behind, [], false)
        } else if entry.revision > floor, entry.replica == replica, lines[entry.revision] == nil {
          // The closing head is followed by remains of earlier runs: whole lines of lower revisions, and parts of lines.
          lines[entry.revision] = range
        }
      } else if case .finding = item, !isEnded {
        if AheadFile.Head(checking: UnsafeRawBufferPointer(rebasing: text[range])) == nil {
          behind.append(range)
        } else {
          isEnded = range.lowerBound > 0
        }
      }
    }
  }

  /// What is wrong with the latest run, given the revisions in the journals.
  func findings(_ present: Set<Int>) -> [Finding] {
    var findings: [Finding] = []
    if last > start, (start + 1...last).contains(where: { lines[$0] == nil && !present.contains($0) }) {
      findings += between.map { Finding(.damagedLine, AheadFile.fileName, at: $0, after: start, "it is damaged") }
    }
    // If the journals go on after it, it was synced there, or never answered.
    if let tear = behind.first ?? (isEnded ? nil : end..<text.count), !present.contains(where: { $0 > last }) {
      findings.append(Finding(.tornTail, AheadFile.fileName, at: tear, after: last, "it may have been answered"))
    }
    return findings
  }
}

/// The transactions in the journals after the segments.
private struct PresentLines {
  let numbers: [Int]
  let firstJournal: Int
  private(set) var revisions: Set<Int> = []
  /// The least revision in each journal.
  private var least: [Int: Int] = [:]

  init(_ folder: StoreFolder, from first: Int) {
    (numbers, firstJournal) = ((try? folder.journalNumbers()) ?? [], first)
    for number in numbers where number >= first {
      folder.forEachLine(of: number) { revision, _ in
        revisions.insert(revision)
        least[number] = min(least[number] ?? revision, revision)
      }
    }
  }

  /// The least revision in the journals after the one with that number.
  func firstRevision(after number: Int) -> Int { least.filter { $0.key > number }.values.min() ?? .max }
}

extension StoreFolder {
  /// Finds what the journals lack and the copies have; nil when nothing is missing.
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
    let last = (try? journalNumbers())?.last
    guard let head = AheadFile.Head(in: text) else { return last.map { LostLines(damaged: text.count, after: $0) } }
    guard identity.map({ $0.store == head.store }) ?? true, let base = journalBase(of: head),
      head.journal >= base.journal
    else { return nil }
    let copies = AheadCopies(head, in: text, after: base.revision, remainsOf: identity?.replica)
    let lost = LostLines(copies, PresentLines(self, from: base.journal), self)
    return lost.bytes.isEmpty && lost.findings.isEmpty ? nil : lost
  }

  /// The first journal after the segments, and the revision up to which the segments have everything; nil when that is
  /// unknown, so that the copies of a missing journal may be in the segments.
  private func journalBase(of head: AheadFile.Head) -> (journal: Int, revision: Int)? {
    guard let root else { return nil }
    if let manifest = ownContents(ManifestFiles.Name.current, in: root, limit: ManifestFiles.longestFile),
      case .readable(let manifest) = ManifestHead.read(manifest)
    {
      return (manifest.journal, manifest.revision)
    }
    if isNeverFolded(root) { return (1, 0) }
    return (try? hasJournal(head.journal)) == true ? (head.journal, head.revision) : nil
  }

  /// Whether there has been no checkpoint yet, nor an import into segments.
  private func isNeverFolded(_ root: Descriptor) -> Bool {
    guard let names = try? fileSystem.names(in: root),
      !names.contains(where: { $0 == ManifestFiles.Name.current || ManifestFiles.Name.generation(of: $0) != nil })
    else { return false }
    guard names.contains(Name.segments) else { return true }
    guard let segments = try? fileSystem.openDirectory(Name.segments, in: root) else { return false }
    defer { fileSystem.close(segments) }
    return (try? fileSystem.names(in: segments).isEmpty) == true
  }

  /// Lends the transactions of a journal with their revisions, in order of offset.
  fileprivate func forEachLine(of number: Int, _ body: (_ revision: Int, _ line: Slice<UnsafeRawBufferPointer>) -> Void)
  {
    guard let journal,
      let text = ownContents(JournalFile.name(number), in: journal, limit: JournalFollower.longestFile)
    else { return }
    text.withUnsafeBytes { text in
      _ = JournalScan(bytes: text).forEach { item, range in
        if case .line(.transaction(let entry)) = item { body(entry.revision, text[range]) }
      }
    }
  }

  /// Writes the missing lines into a journal, under the lock, unless another process has done so, and removes the
  /// copies. The journals must then be read again.
  mutating func restoreLostLines(now: Instant) throws(StoreError) {
    try checkWritable()
    defer { lost = nil }
    guard let lost = findLostLines(isInOrder: false), let root else { return }
    try Quarantine(folder: self, now: now).keep(lost.findings, revision: lost.latest ?? 0)
    let numbers = try journalNumbers().filter { $0 >= min(lost.copiedJournal, lost.target) }
    do throws(FileSystemError) {
      let journal = try openOrMakeJournal(in: root)
      // The journals' lines may be in memory only, and durable only in the copies.
      for number in numbers {
        guard let file = try? fileSystem.openFile(JournalFile.name(number), in: journal, for: .appending) else {
          continue
        }
        defer { fileSystem.close(file) }
        try fileSystem.synchronizeFile(file)
      }
      if !lost.journal.isEmpty {
        try replaceUnderLock(JournalFile.name(lost.target), in: journal, with: lost.journal)
      }
      try fileSystem.unlinkIfPresent(AheadFile.fileName, in: root)
    } catch { throw StoreError(writing: error) }
  }

  private mutating func openOrMakeJournal(in root: Descriptor) throws(FileSystemError) -> Descriptor {
    if let journal { return journal }
    let made = try SegmentFiles.directory(Name.journal, in: root, fileSystem)
    journal = made
    return made
  }
}

extension JournalFollower {
  /// Applies the lines missing after the last journal.
  mutating func apply(_ lost: LostLines, _ memory: inout StoreMemory) {
    self.lost = lost
    for finding in lost.findings { report.note(finding) }
    let name = currentName
    (currentName, readsCopies) = (AheadFile.fileName, true)
    defer { (currentName, readsCopies) = (name, false) }
    lost.bytes.withUnsafeBytes { bytes in
      _ = JournalScan(bytes: bytes).forEach { item, range in
        if case .line(.transaction(let entry)) = item { apply(entry, range, &memory) }
      }
    }
  }
}
