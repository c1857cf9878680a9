import Platform

/// Reads and verifies everything in a store: each segment's hash and lines, and each journal. It uses its own
/// descriptors, verifies one file per step, and writes nothing.
package struct Scrub: ~Copyable {
  private enum Work {
    case segment(SegmentEntry)
    case history(Manifest.HistoryEntry)
    case journals
  }

  private let configuration: FileStore.Configuration
  private var folder: StoreFolder
  private let base: StoreBase
  private let loader: SegmentLoader
  private var work: [Work]
  private var opening: RecoveryReport
  private var journals = RecoveryReport()
  package let total: Int
  package private(set) var done = 0
  /// The latest revision, known at the end.
  private(set) var revision = 0
  /// The number of records, known at the end.
  private(set) var records = 0

  /// Begins with the files that the current manifest names.
  package init(_ configuration: FileStore.Configuration) throws(StoreError) {
    self.configuration = configuration
    var report = RecoveryReport()
    var folder = try StoreFolder(opening: configuration.folder, configuration.fileSystem, &report)
    // Every file is read once, so caching is useless.
    let loader = SegmentLoader(folder, cacheLimit: 0)
    do throws(StoreError) { base = try StoreBase.open(folder, loader, &report) } catch {
      folder.close()
      throw error
    }
    self.folder = folder
    self.loader = loader
    opening = report
    work = base.allEntries.sorted { $0.key < $1.key }.map { .segment($0) }
    work += base.history.filter { [base] in $0.number < base.journal }.map { .history($0) }
    work.append(.journals)
    work.reverse()
    total = work.count
  }

  deinit {
    var folder = folder
    folder.close()
  }

  var segments: Int { base.allEntries.count }

  var isWritable: Bool { base.isWritable }

  package var report: RecoveryReport {
    var report = opening
    for finding in loader.findings { report.noteOnce(finding) }
    report.append(journals)
    return report
  }

  /// Verifies the next file; returns whether there are more.
  package mutating func step() throws(StoreError) -> Bool {
    guard let next = work.popLast() else { return false }
    Threads.yieldIfDue()
    done += 1
    switch next {
    case .segment(let entry):
      _ = loader.segment(entry, of: base)
      loader.verifyHash(entry)
    case .history(let entry): verify(entry)
    case .journals: try readJournals()
    }
    return !work.isEmpty
  }

  /// Compares an older journal with its manifest entry.
  private mutating func verify(_ entry: Manifest.HistoryEntry) {
    let name = JournalFile.name(entry.number)
    let path = StoreFolder.Name.journal + "/" + name
    func note(_ range: Range<Int>, _ reason: String) {
      journals.note(
        Finding(
          .damagedHistory, path, at: range, after: entry.firstRevision - 1, before: entry.lastRevision + 1, reason))
    }
    guard let journal = folder.journal, let file = try? folder.openTrusted(name, in: journal, .file) else {
      return note(0..<0, "it is missing")
    }
    defer { folder.fileSystem.close(file.descriptor) }
    let (bytes, failure) = folder.fileSystem.contents(of: file.descriptor, size: file.status.size)
    if failure == nil, SHA256.hash(bytes) == entry.sha256 { return }
    let findings = JournalScan.findings(in: bytes, of: name, size: file.status.size, failure: failure)
    for finding in findings { note(finding.offset..<(finding.offset + finding.length), finding.reason) }
    if findings.isEmpty { note(0..<bytes.count, "its length or its lines have changed") }
  }

  /// Reads the journals after the segments, including those created since the start.
  private mutating func readJournals() throws(StoreError) {
    let content = try LoadedStore.read(folder, loader, &opening, LoadedStore.Retention(recentTransactions: 1 << 16))
    defer { content.follower.close() }
    journals.append(content.follower.report)
    if let tear = content.follower.tear { journals.note(tear) }
    revision = content.memory.revision
    records = content.memory.snapshot.count(leavingOut: configuration.participants.ownCollections)
  }
}
