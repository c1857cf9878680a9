import CivilTime
import FileStoreTesting
import Synchronization
import Testing
import Values

@testable import FileStore

/// The store's callbacks to its owner.
final class Reports: Sendable {
  private let state = Mutex((durable: 0, failures: [StoreError]()))

  var durable: Int { state.withLock { $0.durable } }
  var failures: [StoreError] { state.withLock { $0.failures } }

  func durable(_ revision: Int) {
    state.withLock { state in
      #expect(revision > state.durable, "revisions become durable in order")
      state.durable = revision
    }
  }

  func failed(_ error: StoreError) { state.withLock { $0.failures.append(error) } }
}

/// Ids that no other store of this run gets.
private let lastID = Atomic<UInt64>(0xFFFF_0000)

let meals = CollectionName("meals")
/// The digests of all stores here.
let listing = Digest.listing(of: [meals])
let folder = "/home/someone/daybook"
let journalFile = folder + "/journal/000001.jsonl"

func configuration(
  _ fileSystem: any FileSystem, folder: String = folder, reports: Reports = Reports()
) -> FileStore.Configuration {
  var settings = FileStore.Configuration(
    folder: folder, fileSystem: fileSystem,
    newID: { EntityID(high: 1, low: lastID.add(1, ordering: .relaxed).newValue) },
    now: { Instant(milliseconds: 1_767_614_400_000) }, onDurable: { reports.durable($0) },
    onCommitFailure: { reports.failed($0) })
  settings.digests = { [listing] }
  if fileSystem is SimulatedDisk { settings.reserveSize = 64 }
  return settings
}

func id(_ number: Int) -> EntityID { EntityID(high: 7, low: UInt64(number)) }

/// The id of transaction `number`.
func transactionID(_ number: Int) -> EntityID { EntityID(high: 8, low: UInt64(number)) }

func put(
  _ number: Int, day: Int? = 20_000, created: Int = 0, _ body: String = "{}", in collection: CollectionName = meals
) -> Operation {
  .put(
    collection, id: id(number), day: day.map { CivilDay(daysSinceEpoch: Int32($0)) }, schema: 1,
    createdAt: Instant(milliseconds: Int64(created)), updatedAt: Instant(milliseconds: Int64(created)),
    body: Array(body.utf8))
}

func transaction(
  _ number: Int, by author: String = "test", why label: String = "meals/add", undoes: Int? = nil,
  _ operations: [Operation]
) -> Transaction {
  Transaction(
    id: transactionID(number), at: Instant(milliseconds: 1_767_614_400_000 + Int64(number)), author: author,
    label: label, undoes: undoes, operations: operations)
}

extension Snapshot {
  /// Every record's number and body, for comparing.
  var contents: [UInt64: String] {
    var contents: [UInt64: String] = [:]
    forEachRecord(in: meals) { record in
      contents[record.id.low] = String(decoding: record.body.bytes, as: UTF8.self)
      return true
    }
    return contents
  }
}

extension FileStore {
  /// Opens a store and reads what a start postpones.
  static func opened(_ configuration: Configuration) throws -> FileStore {
    let store = try open(configuration)
    _ = try store.revision
    return store
  }

  /// Commits and waits; returns whether it became durable. A failure is rolled back.
  func commitAndWait(_ transaction: Transaction) -> Bool {
    guard let revision = try? commit(transaction) else {
      rollBack()
      return false
    }
    waitUntilDurable()
    if durableRevision >= revision { return true }
    rollBack()
    return false
  }

  /// Which of the first transactions it knows.
  func known(_ numbers: Range<Int>) throws -> [Int] {
    try numbers.filter { try known(transactionID($0)) != nil }
  }
}

extension StoreBase {
  /// A segment loader without segments.
  static var nothing: StoreBase {
    var report = RecoveryReport()
    guard let folder = try? StoreFolder(opening: "/nowhere", SimulatedDisk(), &report) else { fatalError("no folder") }
    return StoreBase(loader: SegmentLoader(folder, cacheLimit: 0))
  }
}

extension StoreMemory {
  /// Applies a transaction as the store does.
  mutating func apply(_ transaction: Transaction, revision: Int, isDurable: Bool) {
    let entry = JournalEntry(
      revision: revision, replica: EntityID(high: 0, low: 0), transaction: transaction,
      before: versions(before: transaction.operations, revision: revision))
    apply(entry, revision: revision, isDurable: isDurable)
  }
}
