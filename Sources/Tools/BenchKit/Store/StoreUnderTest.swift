import CivilTime
import DaybookServer
import FileStore
import Foundation
import Platform
import Values

/// The in-process store; only this type and `StoreSink` use its API.
final class StoreUnderTest {
  /// Identifies the file layout; folders kept by `--keep` are recreated when it changes.
  static let layout = "quiet-2"

  /// The number of transactions after the last checkpoint of a store that nobody has written to for a moment: about
  /// 15 KB, slightly less than is folded then.
  static let quietTail = 25
  /// The same of a store that is being written to: about 220 KB, slightly less than triggers a checkpoint.
  static let busyTail = 400

  private let store: FileStore

  /// Opens the store of a folder, which may be missing.
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

  /// Commits records with new ids in one transaction, as the service does for additions, without waiting for the disk.
  func commit(_ records: [GeneratedRecord]) throws(BenchError) {
    let operations = records.map { record in
      Operation.put(
        CollectionName(record.collection), id: record.id, day: record.day, schema: record.schema,
        createdAt: record.createdAt, updatedAt: record.updatedAt, body: record.body)
    }
    var transaction = Transaction(
      id: StoreUnderTest.newID(), at: Clock.now(), author: "bench", label: "bench", operations: operations)
    transaction.isOfNewRecords = true
    // A checkpoint in this process may hold the lock briefly.
    while try StoreUnderTest.asking({ () throws(StoreError) in try !store.beginWriting() }) {
      Threads.rest(milliseconds: 1)
    }
    defer { store.endWriting() }
    _ = try StoreUnderTest.asking { () throws(StoreError) in try store.commit(transaction) }
  }

  /// Waits until all commits are durable.
  func waitUntilDurable() throws(BenchError) {
    store.waitUntilDurable()
    let revision = try StoreUnderTest.asking { () throws(StoreError) in try store.revision }
    guard store.durableRevision == revision else { throw .wrong("a commit is not durable after waiting for it") }
  }

  /// Calls `body` with every record body, by collection.
  func forEachBody(_ body: (UnsafeRawBufferPointer) -> Void) throws(BenchError) {
    let snapshot = try StoreUnderTest.asking { () throws(StoreError) in try store.snapshot }
    for collection in RecordGenerator.collections {
      snapshot.forEachView(in: CollectionName(collection)) { view in
        view.withBody { text, _ in body(text) }
        return true
      }
    }
  }

  /// The number of records in all collections.
  func count() throws(BenchError) -> Int {
    let snapshot = try StoreUnderTest.asking { () throws(StoreError) in try store.snapshot }
    return RecordGenerator.collections.reduce(0) { $0 + snapshot.count(in: CollectionName($1)) }
  }

  /// Adds a record without a day to the store of a folder; with `folds`, a checkpoint follows.
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

  /// Opens the store of a folder, previews a settings record if given, and reads the revision.
  static func preview(_ folder: String, _ id: EntityID?) throws(BenchError) {
    let store = try asking { () throws(StoreError) in try FileStore.open(configuration(folder)) }
    defer { store.close() }
    guard let id else { return }
    let record = try asking { () throws(StoreError) in try store.preview(id, in: settings) }
    guard record?.id == id, try asking({ () throws(StoreError) in try store.latestRevision }) > 0 else {
      throw .wrong("a record that was put is not found by a preview")
    }
  }

  /// The number of findings since opening.
  var findings: Int { store.recoveryReport.findings.count }

  func close() { store.close() }

  // Not injected: no figure depends on the ids.
  @Sendable private static func newID() -> EntityID {
    EntityID(randomHigh: .random(in: .min ... .max), randomLow: .random(in: .min ... .max))
  }

  /// Converts store errors.
  private static func asking<Value>(_ body: () throws(StoreError) -> Value) throws(BenchError) -> Value {
    do throws(StoreError) { return try body() } catch { throw .wrong("the store: \(error)") }
  }
}
