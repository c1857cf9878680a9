import CivilTime
import CollectionTables
import FileStore
import FileStoreTesting
import JSON
import Platform
import SyncRules
import Values

@testable import SyncEngine

/// A device with a real store on a simulated disk.
final class SimulatedDevice: PassDevice, @unchecked Sendable {
  static let whole = CollectionName("meals")
  static let members = CollectionName("settings")
  static let parts = CollectionName("modules")
  static let lists = [PartList("exercises", key: "id")]
  static let defaults = JSONObject(["a", "b", "c"].map { ($0, .number(JSONNumber(0))) })
  static let collections: SyncedCollections = { name in
    switch name {
    case whole:
      var collection = SyncedCollection(.whole)
      collection.understanding = { body, _, _ in isRead(body) ? .whole : .none }
      return collection
    case members: return SyncedCollection(.byMember(defaults: defaults), priority: 3)
    case parts: return SyncedCollection(.byPart(lists: lists), priority: 5)
    default: return nil
    }
  }

  /// Whether a received body is understood: one value in fourteen is not.
  static func isRead(_ body: [UInt8]) -> Bool {
    guard case .number(let number)? = JSONObject(text: body)?["v"], let value = number.integer else { return false }
    return value < 93
  }

  /// So small that a history reaches each of them.
  static let limits = {
    var limits = SyncLimits()
    (limits.stepLength, limits.batchLines, limits.bytesOfEverything, limits.batches) = (2, 4, 400, 6)
    limits.smallBatch = 600
    return limits
  }()

  let name: String
  let world: SimulatedWorld
  var remote: SimulatedRemote
  private(set) var disk: SimulatedDisk
  private(set) var store: FileStore
  var skew: Int64 = 0
  var isOff = false
  /// Whether its disk is full.
  var isFull = false {
    didSet { disk.setFaults { [isFull] in $0.freeBytes = isFull ? 0 : nil } }
  }
  private var backup: BackupID?

  init(_ name: String, _ world: SimulatedWorld, _ remote: SimulatedRemote, disk: SimulatedDisk = SimulatedDisk()) throws
  {
    (self.name, self.world, self.remote, self.disk) = (name, world, remote, disk)
    store = try SimulatedDevice.open(disk, world)
  }

  private static func open(_ disk: SimulatedDisk, _ world: SimulatedWorld) throws -> FileStore {
    try FileStore.open(configuration(disk, world))
  }

  var configuration: FileStore.Configuration { SimulatedDevice.configuration(disk, world) }

  private static func configuration(_ disk: SimulatedDisk, _ world: SimulatedWorld) -> FileStore.Configuration {
    var configuration = FileStore.Configuration(
      folder: "/data", fileSystem: disk, newID: { world.newID() }, now: { world.now }, onDurable: { _ in },
      onCommitFailure: { _ in })
    configuration.isInline = true
    configuration.participants = [SyncParticipant(collections, mostRows: 2)]
    return configuration
  }

  /// The process ends without notice, and is started again, once there is room on the disk.
  func crash() throws {
    isFull = false
    disk = disk.afterCrash(.nothing)
    store = try SimulatedDevice.open(disk, world)
  }

  /// Makes a backup, to which `restore` may go back.
  func backUp() throws(StoreError) {
    guard try store.revision > 0 else { return }
    backup = try Backups(configuration).create(.manual).id
  }

  /// Whether everything here was sent.
  func isSent() throws -> Bool {
    guard let state = try replica.state(), state.head != nil, state.intent == nil, state.everything == nil else {
      return false
    }
    return try !replica.entries().contains(where: \.isPending)
  }

  /// Goes back to the last backup, and keeps what the remote has. What waits to be sent would be lost.
  func restore() throws {
    guard let backup, !isFull, try isSent() else { return }
    _ = try Backups(configuration).requestRestore(of: backup, by: "test")
    store.close()
    guard case .done = PendingRestore.run(configuration) else { throw StoreError(.storeUnavailable, "not restored") }
    store = try SimulatedDevice.open(disk, world)
    try replica.resume(keeping: .remote)
  }

  /// A device with a copy of the data folder.
  func copied(_ name: String, _ remote: SimulatedRemote) throws -> SimulatedDevice {
    let copy = try SimulatedDevice(name, world, remote, disk: disk.afterCrash(.everything))
    copy.skew = skew
    return copy
  }

  var now: Instant { world.now.advanced(by: skew) }

  var replica: Replica {
    let (world, skew) = (world, skew)
    return Replica(
      store, SimulatedDevice.collections, newID: { world.newID() }, now: { world.now.advanced(by: skew) },
      limits: SimulatedDevice.limits)
  }

  func perform<Value: Sendable>(
    _ step: @Sendable (Replica) throws(StoreError) -> Value
  ) throws(StoreError) -> Value { try step(replica) }

  func pass(_ trigger: PassTrigger = .tick) throws(PassFailure) -> PassOutcome {
    try Pass(
      remote, self, SimulatedDevice.collections, trigger, .init(device: name, version: "1"),
      limits: SimulatedDevice.limits
    ).run()
  }

  func view(_ key: EntityKey) throws -> Oracle.View? {
    guard let record = try replica.record(key) else { return nil }
    if let deleted = record.deletedAt { return .deleted(deleted) }
    guard let body = record.body, let updated = record.updatedAt else { return nil }
    var shown: [String] = []
    for member in body.members where !["id", "createdAt", "updatedAt"].contains(member.name) {
      guard case .array(let parts) = member.value else {
        if SimulatedDevice.defaults[member.name] != member.value || key.collection != SimulatedDevice.members {
          shown.append("\(member.name)=\(String(decoding: member.value.json, as: UTF8.self))")
        }
        continue
      }
      for case .object(let part) in parts {
        guard case .string(let id)? = part["id"], let value = part["v"] else { continue }
        shown.append("part:\(id)=\(String(decoding: value.json, as: UTF8.self))")
      }
    }
    let count = shown.count { !$0.hasPrefix("part:") }
    return .record(updated, shown[..<count].sorted() + shown[count...])
  }
}
