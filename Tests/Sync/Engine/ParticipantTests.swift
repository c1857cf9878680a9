import CivilTime
import FileStore
import FileStoreTesting
import JSON
import Pacing
import SyncRules
import Testing
import Values

@testable import SyncEngine

@Suite("What sync adds to a change", .simulated)
struct ParticipantTests {
  @Test("A version that is not later than the one it replaces is refused, unless it is the same")
  func order() throws {
    let world = try SimulatedWorld(.shared, seed: 1, 1)
    let device = world.devices[0]
    func put(_ value: Int, after milliseconds: Int64) throws {
      let time = world.epoch.advanced(by: milliseconds)
      let put = Operation.put(
        SimulatedDevice.whole, id: EntityID(high: 9, low: 1), day: nil, schema: 1, createdAt: world.epoch,
        updatedAt: time, body: Array("{\"v\":\(value)}".utf8))
      _ = try device.store.commit(
        Transaction(id: world.newID(), at: world.now, author: "a", label: "put", operations: [put]))
      try device.store.settle()
    }
    try put(1, after: 5)
    try put(1, after: 5)
    for time: Int64 in [4, 5] {
      let error = #expect(throws: StoreError.self) { try put(2, after: time) }
      #expect(error?.code == .invalidTransaction)
    }
    try put(2, after: 6)
    #expect(
      try device.replica.record(EntityKey(SimulatedDevice.whole, EntityID(high: 9, low: 1)))?.body?["v"] == .int(2))
  }

  @Test("A record that a change puts twice has one row, whose base is the version before the change")
  func twice() throws {
    let world = try SimulatedWorld(.shared, seed: 1, 1)
    let device = world.devices[0]
    try device.replica.configure()
    let puts = (1...2).map { value in
      Operation.put(
        SimulatedDevice.whole, id: EntityID(high: 9, low: 1), day: nil, schema: 1, createdAt: world.epoch,
        updatedAt: world.epoch.advanced(by: Int64(value)), body: Array("{\"v\":\(value)}".utf8))
    }
    _ = try device.store.commit(
      Transaction(id: world.newID(), at: world.now, author: "a", label: "put", operations: puts))
    try device.store.settle()
    let entry = try #require(try device.replica.entries().first { $0.key.collection == SimulatedDevice.whole })
    #expect(entry.isPending && entry.row.base == nil)
  }

  @Test("A device that joins says everything, also what it is told: another device's file may be lost")
  func joining() throws {
    let world = try SimulatedWorld(.shared, seed: 1, 1)
    let (a, b) = (world.devices[0], world.devices[1])
    func meal(_ number: UInt64, on device: SimulatedDevice) throws {
      let put = Operation.put(
        SimulatedDevice.whole, id: EntityID(high: 9, low: number), day: nil, schema: 1, createdAt: world.epoch,
        updatedAt: world.epoch, body: Array("{\"v\":\(number)}".utf8))
      _ = try device.store.commit(
        Transaction(id: world.newID(), at: world.now, author: "a", label: "put", operations: [put]))
      try device.store.settle()
    }
    for number: UInt64 in 1...3 { try meal(number, on: number < 3 ? a : b) }
    for (device, count) in [(a, (2, 0)), (b, (3, 2)), (a, (0, 1))] {
      if try device.replica.state() == nil { try device.replica.configure() }
      let outcome = try device.pass()
      #expect((outcome.sent, outcome.received.changed) == count)
    }
  }

  @Test("A change of very many records leaves one row for everything, and arrives, also if it deletes them")
  func everything() throws {
    let world = try SimulatedWorld(.shared, seed: 1, 1)
    let (a, b) = (world.devices[0], world.devices[1])
    for device in [a, b] {
      try device.replica.configure()
      _ = try device.pass()
    }
    let keys = (1...3).map { EntityKey(SimulatedDevice.whole, EntityID(high: 9, low: UInt64($0))) }
    for deletes in [false, true] {
      let operations = keys.map { key in
        deletes
          ? Operation.delete(key.collection, id: key.id)
          : .put(
            key.collection, id: key.id, day: nil, schema: 1, createdAt: world.epoch, updatedAt: a.now,
            body: Array("{\"id\":\"\(key.id)\",\"v\":1}".utf8))
      }
      _ = try a.store.commit(
        Transaction(id: world.newID(), at: a.now, author: a.name, label: "many", operations: operations))
      try a.store.settle()
      let row = try a.store.snapshot.record(OutboxEntry.everything, in: OutboxEntry.collection)
      #expect(try row != nil && a.replica.entries().allSatisfy { !$0.isPending })
      for device in [a, b] { _ = try device.pass() }
      for key in keys { #expect(try b.replica.record(key)?.isDeleted == deletes) }
    }
  }
}
