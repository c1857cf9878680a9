import CivilTime
import FileStoreTesting
import Platform
import Testing

@testable import FileStore

/// A folder that several processes use, and the answers they got.
final class SharedFolder: Sendable {
  private struct State {
    var tried = 0
    /// The transaction acknowledged at each revision.
    var acknowledged: [Int: [Int]] = [:]
    var isLocked = true
  }

  let disk = SimulatedDisk()
  private let journal: Int
  private let state = Guarded(State())

  /// A folder with a checkpoint and a few changes after it, on a disk whose files can be mapped or not.
  init(journal: Int, mapsFiles: Bool = true) throws {
    self.journal = journal
    disk.setFaults { $0.mapsFiles = mapsFiles }
    disk.isTracing = false
    let first = try open(by: disk.process(8))
    for _ in 0..<3 { write(first) }
    try first.checkpoint()
    for _ in 0..<2 { write(first) }
    first.close()
  }

  func configuration(of process: SimulatedProcess) -> FileStore.Configuration {
    var settings = FileStoreTests.configuration(process)
    settings.isInline = true
    settings.onDurable = { _ in }
    settings.journalSizeLimit = journal
    settings.historyLimit = 0
    settings.reserveSize = 64
    return settings
  }

  func open(by process: SimulatedProcess) throws -> FileStore { try FileStore.open(configuration(of: process)) }

  /// Adds a meal, unless another process holds the lock.
  func write(_ store: FileStore) {
    let number = next()
    guard let revision = try? store.commit(transaction(number, [put(number, day: 20_000 + number % 40)])) else {
      return store.rollBack()
    }
    store.waitUntilDurable()
    guard store.durableRevision >= revision else {
      #expect(!isLocked)
      return store.rollBack()
    }
    acknowledge(number, revision)
  }

  /// Imports a meal, through the journal or directly as segments, unless another process holds the lock.
  func importMeal(by process: SimulatedProcess, inJournal: Bool = false) {
    let number = next()
    var settings = configuration(of: process)
    settings.journaledImportLimit = inJournal ? 10 : 0
    let line =
      "{\"collection\":\"meals\",\"id\":\"\(id(number))\",\"day\":\"\(CivilDay(daysSinceEpoch: Int32(20_000 + number % 40)))\","
      + "\"created\":\"1970-01-01T00:00:00Z\",\"updated\":\"1970-01-01T00:00:00Z\",\"schema\":1,\"body\":{}}"
    guard let summary = try? FileStore.importRecords(.lines([Array(line.utf8)[...]]), .merge, settings, author: "test")
    else {
      return
    }
    #expect(summary.isUndoable == inJournal)
    acknowledge(number, summary.revision)
  }

  private func next() -> Int {
    state.withLock { state in
      state.tried += 1
      return state.tried
    }
  }

  private func acknowledge(_ number: Int, _ revision: Int) {
    let count = state.withLock { state in
      state.acknowledged[revision, default: []].append(number)
      return state.acknowledged[revision]?.count ?? 0
    }
    #expect(count == 1 || !isLocked, "revision \(revision) is given twice")
  }

  /// Whether the lock file is still in place.
  var isLocked: Bool {
    get { state.withLock { $0.isLocked } }
    set { state.withLock { $0.isLocked = newValue } }
  }

  /// The highest acknowledged revision.
  var revision: Int { state.withLock { $0.acknowledged.keys.max() ?? 0 } }

  /// The meals expected at a revision, ascending.
  func contents(at revision: Int) -> [UInt64] {
    state.withLock { state in
      state.acknowledged.filter { $0.key <= revision }.values.joined().map { UInt64($0) }.sorted()
    }
  }

  /// An action of another process.
  func play(_ interlude: InterleavingTests.Interlude) {
    if interlude == .largeImport { importMeal(by: disk.process(6)) }
    guard let other = try? open(by: disk.process(8)) else { return }
    defer { other.close() }
    for _ in 0..<(interlude == .newJournals ? 4 : 1) { write(other) }
    for _ in 0..<(interlude == .checkpoint ? 1 : interlude == .checkpoints ? 4 : 0) {
      try? other.checkpoint()
      write(other)
    }
  }
}
