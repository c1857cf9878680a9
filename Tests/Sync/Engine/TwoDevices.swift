import CivilTime
import FileStore
import JSON
import Testing
import Values

@testable import SyncEngine
@testable import SyncRules

/// A suite of two devices that share a folder.
protocol TwoDevices {
  var world: SimulatedWorld { get }
  var a: SimulatedDevice { get }
  var b: SimulatedDevice { get }
}

extension TwoDevices {
  func meal(_ number: Int) -> EntityKey { EntityKey(SimulatedDevice.whole, EntityID(high: 9, low: UInt64(number))) }

  func put(_ key: EntityKey, _ value: Int, on device: SimulatedDevice) throws {
    let previous = try device.replica.record(key)
    let time = device.now.following(previous?.time)
    let body = "{\"id\":\"\(key.id)\",\"v\":\(value)}"
    try commit(
      .put(
        key.collection, id: key.id, day: nil, schema: 1, createdAt: world.epoch, updatedAt: time, body: Array(body.utf8)
      ),
      on: device)
  }

  func delete(_ key: EntityKey, on device: SimulatedDevice) throws {
    try commit(.delete(key.collection, id: key.id), on: device)
  }

  private func commit(_ operation: Operation, on device: SimulatedDevice) throws {
    _ = try device.store.commit(
      Transaction(id: world.newID(), at: device.now, author: device.name, label: "edit", operations: [operation]))
    try device.store.settle()
  }

  func value(_ key: EntityKey, on device: SimulatedDevice) throws -> Int? {
    guard case .number(let number)? = try device.replica.record(key)?.body?["v"] else { return nil }
    return number.integer
  }

  /// Passes until both say that they are synced.
  func synchronize() throws {
    for _ in 0..<60 {
      let synced = try [a, b].map { device in try device.pass().isSynced }
      if synced == [true, true], try a.pass().isSynced { return }
    }
    Issue.record("they are never synced")
  }
}
