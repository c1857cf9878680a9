import CivilTime
import DaybookServer
import FileStore
import Foundation
import Platform
import Values

/// The store inside this process: the one place, with `StoreSink`, that knows its API.
final class StoreUnderTest {
  /// Names how the store lays out its files. Folders kept by `--keep` are made again when it changes.
  static let layout = "digests"

  /// The single transactions that a store in use has behind its last checkpoint: about 220 KB, a little less than what
  /// sets off the next one.
  static let tailTransactions = 400

  private let store: FileStore

  /// Opens the store of a folder, which need not exist.
  init(_ folder: String) throws(BenchError) {
    store = try StoreUnderTest.asking { () throws(StoreError) in
      try FileStore.open(StoreUnderTest.configuration(folder))
    }
  }

  /// Imports the records of a file into the store of a folder.
  static func importRecords(_ path: String, into folder: String) throws(BenchError) {
    _ = try asking { () throws(StoreError) in
      try FileStore.importRecords(.file(path), .merge, configuration(folder), author: "bench")
    }
  }

  private static func configuration(_ folder: String) -> FileStore.Configuration {
    ServiceOptions(dataFolder: folder).folderConfiguration
  }

  /// Puts records with new ids in one transaction, as the service does for what it is told to add, and does not wait for the disk.
  func commit(_ records: [GeneratedRecord]) throws(BenchError) {
    let operations = records.map { record in
      Operation.put(
        CollectionName(record.collection), id: record.id, day: record.day, schema: record.schema,
        createdAt: record.createdAt, updatedAt: record.updatedAt, body: record.body)
    }
    var transaction = Transaction(
      id: StoreUnderTest.newID(), at: Clock.now(), author: "bench", label: "bench", operations: operations)
    transaction.isOfNewRecords = true
    // A checkpoint of this process may have the lock for a moment.
    while try StoreUnderTest.asking({ () throws(StoreError) in try !store.beginWriting() }) {
      Threads.rest(milliseconds: 1)
    }
    defer { store.endWriting() }
    _ = try StoreUnderTest.asking { () throws(StoreError) in try store.commit(transaction) }
  }

  /// Waits until everything committed is on disk.
  func waitUntilDurable() throws(BenchError) {
    store.waitUntilDurable()
    let revision = try StoreUnderTest.asking { () throws(StoreError) in try store.revision }
    guard store.durableRevision == revision else { throw .wrong("a commit is not durable after waiting for it") }
  }

  /// Lends every body to `body`, collection by collection.
  func forEachBody(_ body: (UnsafeRawBufferPointer) -> Void) throws(BenchError) {
    let snapshot = try StoreUnderTest.asking { () throws(StoreError) in try store.snapshot }
    for collection in RecordGenerator.collections {
      snapshot.forEachView(in: CollectionName(collection)) { view in
        view.withBody { text, _ in body(text) }
        return true
      }
    }
  }

  /// Records in all collections.
  func count() throws(BenchError) -> Int {
    let snapshot = try StoreUnderTest.asking { () throws(StoreError) in try store.snapshot }
    return RecordGenerator.collections.reduce(0) { $0 + snapshot.count(in: CollectionName($1)) }
  }

  /// Puts a record without a day into the store of a folder, in a collection of its own; with `folds`, a checkpoint follows.
  static func addSettings(to folder: String, folds: Bool) throws(BenchError) -> EntityID {
    let store = try asking { () throws(StoreError) in try FileStore.open(configuration(folder)) }
    defer { store.close() }
    let id = newID()
    let settings = Operation.put(
      settings, id: id, day: nil, schema: 1, createdAt: Clock.now(), updatedAt: Clock.now(),
      body: Array("{\"calories\":2000}".utf8))
    _ = try asking { () throws(StoreError) in
      try store.commit(
        Transaction(id: newID(), at: Clock.now(), author: "bench", label: "bench", operations: [settings]))
    }
    store.waitUntilDurable()
    if folds { try asking { () throws(StoreError) in try store.checkpoint() } }
    return id
  }

  private static let settings = CollectionName("settings")

  /// Opens the store of a folder, looks for one of those records if it is given, and asks for the revision.
  static func preview(_ folder: String, _ id: EntityID?) throws(BenchError) {
    let store = try asking { () throws(StoreError) in try FileStore.open(configuration(folder)) }
    defer { store.close() }
    guard let id else { return }
    let record = try asking { () throws(StoreError) in try store.preview(id, in: settings) }
    guard record?.id == id, try asking({ () throws(StoreError) in try store.latestRevision }) > 0 else {
      throw .wrong("a record that was put is not found by a preview")
    }
  }

  /// How many things opening, and reading since then, found that are not as they should be.
  var findings: Int { store.recoveryReport.findings.count }

  func close() { store.close() }

  // Not injected: no figure depends on which ids these are.
  @Sendable private static func newID() -> EntityID {
    EntityID(randomHigh: .random(in: .min ... .max), randomLow: .random(in: .min ... .max))
  }

  /// The store's failure, as ours.
  private static func asking<Value>(_ body: () throws(StoreError) -> Value) throws(BenchError) -> Value {
    do throws(StoreError) { return try body() } catch { throw .wrong("the store: \(error)") }
  }
}
