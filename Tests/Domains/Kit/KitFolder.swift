import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import FileStoreTesting
import SettingsDocument
import Testing
import Values

/// A data folder on a simulated disk, as a service sees it.
final class KitFolder {
  let folder: DataFolder
  private let zoneName: TimeZoneName
  private let now = Instant(milliseconds: 1_767_614_400_000)
  private var turn = MessageTurn()

  init() throws {
    let now = now
    zoneName = try #require(TimeZoneName("UTC"))
    folder = DataFolder(
      newID: { .random() }, newIDsAreUnique: true, migrations: RecordMigrations(), author: "test",
      settings: SettingsRules.inForce, warn: { _ in },
      defect: { RPCError(code: -1, message: $0, data: []) })
    let store = try FileStore.open(
      FileStore.Configuration(
        folder: "/home/someone/daybook", fileSystem: SimulatedDisk(), newID: { .random() }, now: { now },
        onDurable: { _ in }, onCommitFailure: { _ in }))
    folder.opened = .success(store)
    folder.seenRevision = try store.revision
  }

  /// What a service is given for a request.
  var context: Context {
    Context(
      method: .serverInfo, folder: folder, offers: DayMeasureRegistry(), now: now,
      days: DayContext(
        zone: .utc, name: zoneName, dayStart: .midnight, unknownZone: nil, now: now),
      selectedDay: nil, locale: nil, hasPremiumAccess: false, transaction: nil, turn: turn)
  }

  /// Puts a record.
  func put(_ number: Int, in collection: String) throws {
    let operation = Operation.put(
      CollectionName(collection), id: EntityID(high: 7, low: UInt64(number)), day: nil, schema: 1, createdAt: now,
      updatedAt: now, body: Array("{}".utf8))
    try commit(operation)
  }

  func commit(_ operation: Operation) throws {
    _ = try folder.commit([operation], label: "things/put", transaction: nil, at: now, &turn)
  }
}

extension EntityID {
  fileprivate static func random() -> EntityID {
    EntityID(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max))
  }
}
