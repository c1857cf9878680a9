import CivilTime
import FileStore
import FileStoreTesting
import JSON
import Pacing
import SyncRules
import Testing
import Values

@testable import SyncEngine

@Suite("Records of other devices that this version cannot read", .simulated)
struct UnreadRecordTests {
  private let world: SimulatedWorld
  private let newer: SimulatedDevice
  private let older: SimulatedDevice
  private let key = EntityKey(SimulatedDevice.whole, EntityID(high: 9, low: 1))

  init() throws {
    world = try SimulatedWorld(.shared, seed: 1, 1)
    (newer, older) = (world.devices[0], world.devices[1])
    for device in [newer, older] { try device.replica.configure() }
  }

  private func put(_ value: String, on device: SimulatedDevice) throws {
    world.now = world.now.advanced(by: 1000)
    let body = "{\"id\":\"\(key.id)\",\"v\":\(value)}"
    let put = Operation.put(
      key.collection, id: key.id, day: nil, schema: 1, createdAt: world.epoch, updatedAt: world.now,
      body: Array(body.utf8))
    try commit(put, on: device)
  }

  private func commit(_ operation: Operation, on device: SimulatedDevice) throws {
    _ = try device.store.commit(
      Transaction(id: world.newID(), at: device.now, author: device.name, label: "edit", operations: [operation]))
    try device.store.settle()
  }

  private func exchange() throws { for device in [newer, older, newer] { _ = try device.pass() } }

  /// What readers of the collection find.
  private func read(_ device: SimulatedDevice) throws -> JSONValue? {
    try device.store.snapshot.record(key.id, in: key.collection)?.object?["v"]
  }

  private func kept() throws -> Int { try older.store.snapshot.count(in: SyncedState.collection) }

  private func warnings() throws -> [String] {
    SyncReport(try older.store.snapshot).entries.filter { $0.severity == .warning }.map(\.message)
  }

  @Test("No reader meets such a record, the log tells of it once, and it travels on as it was received")
  func aside() throws {
    try put("\"x\"", on: newer)
    try exchange()
    #expect(try read(older) == nil && older.replica.record(key)?.body?["v"] == .string("x"))
    _ = try older.pass()
    #expect(try warnings().count == 1)
    // It says everything again, under another name.
    try older.replica.resume(keeping: .remote)
    let third = try SimulatedDevice("third", world, older.remote)
    try third.replica.configure()
    _ = try older.pass()
    try world.devices[0].replica.forget()
    _ = try third.pass()
    #expect(try third.replica.record(key) == older.replica.record(key))
    let said = try older.replica.next(of: DeviceState.Everything())
    #expect(said.lines.contains { $0.key == key && $0.record.body?["v"] == .string("x") })
  }

  @Test("It becomes readable by a later edit, and leaves the collection again by another")
  func edits() throws {
    try put("1", on: newer)
    try exchange()
    #expect(try read(older) != nil && kept() == 0)
    try put("\"x\"", on: newer)
    try exchange()
    #expect(try read(older) == nil && kept() == 1)
    try put("2", on: newer)
    try exchange()
    #expect(try read(older) == .number(JSONNumber(2)) && kept() == 0)
    try put("\"x\"", on: newer)
    try exchange()
    try commit(.delete(key.collection, id: key.id), on: newer)
    try exchange()
    #expect(try older.replica.record(key)?.isDeleted == true && kept() == 1)
  }

  @Test("A record that is made here under its id is an edit after it")
  func madeAgain() throws {
    try put("\"x\"", on: newer)
    try exchange()
    let received = try #require(try older.replica.record(key))
    older.skew = -86_400_000
    try commit(
      .put(
        key.collection, id: key.id, day: nil, schema: 1, createdAt: older.now, updatedAt: older.now,
        body: Array("{\"id\":\"\(key.id)\",\"v\":3}".utf8)), on: older)
    #expect(try #require(try older.replica.record(key)).time > received.time && kept() == 0)
    for device in [older, newer] { _ = try device.pass() }
    #expect(try read(newer) == .number(JSONNumber(3)))
  }

  @Test("The version that can read it takes it into its collection, whole")
  func adopted() throws {
    try put("\"x\"", on: newer)
    try exchange()
    let (store, world) = (older.store, world)
    let updated = Replica(
      store, { SimulatedDevice.collections($0) == nil ? nil : SyncedCollection(.whole) }, newID: { world.newID() },
      now: { world.now })
    _ = try updated.begin("1")
    #expect(try read(older) == nil, "the same version has looked")
    _ = try updated.begin("2")
    #expect(try read(older) == .string("x") && kept() == 0)
  }

  @Test("An export has it, in its collection")
  func exported() throws {
    try put("\"x\"", on: newer)
    try exchange()
    var text: [UInt8] = []
    _ = try StoreExport(older.configuration).run { text += $0 }
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 3 && lines[1].hasPrefix("{\"collection\":\"meals\"") && lines[1].hasSuffix("\"v\":\"x\"}}"))
  }
}
