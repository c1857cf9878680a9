import FileStore
import FileStoreTesting
import Pacing
import SyncRules
import Testing
import Values

@testable import SyncEngine

@Suite("Changes of very many records", .simulated)
struct LargeChangeTests {
  @Test("They leave one row for everything, and arrive, also their deletions")
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
