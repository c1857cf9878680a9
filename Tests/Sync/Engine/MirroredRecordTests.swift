import CivilTime
import FileStore
import FileStoreTesting
import Pacing
import Testing
import Values

@testable import SyncEngine

@Suite("Records that other devices only show", .simulated)
struct MirroredRecordTests {
  private let world: SimulatedWorld
  private let a: SimulatedDevice
  private let b: SimulatedDevice
  private let collection: CollectionName

  init() throws {
    world = try SimulatedWorld(.shared, seed: 1, 1)
    (a, b) = (world.devices[0], world.devices[1])
    collection = try #require(MirroredRecords.priorities.keys.first)
    for device in [a, b, a, b] {
      if try device.replica.state() == nil { try device.replica.configure() }
      _ = try device.pass()
    }
  }

  private func commit(_ operation: Operation) throws {
    world.now = world.now.advanced(by: 10)
    _ = try a.store.commit(
      Transaction(id: world.newID(), at: a.now, author: "A", label: "edit", operations: [operation]))
    try a.store.settle()
  }

  private func put(_ value: Int, in name: CollectionName, id: UInt64 = 1) throws {
    let at = world.now.advanced(by: 10)
    try commit(
      .put(
        name, id: EntityID(high: 5, low: id), day: nil, schema: 1, createdAt: at, updatedAt: at,
        body: Array("{\"v\":\(value)}".utf8)))
  }

  private func delete(id: UInt64 = 1) throws { try commit(.delete(collection, id: EntityID(high: 5, low: id))) }

  /// The bodies that B shows, by device.
  private func shown() throws -> [String] {
    try MirroredRecords.all(b.store.snapshot).flatMap { device in
      device.records(in: collection).map { "\(device.device) \(String(decoding: $0.body.bytes, as: UTF8.self))" }
    }.sorted()
  }

  @Test("They are shown as they are, never among the own, and are gone when they are gone")
  func shownAndGone() throws {
    for value in 1...2 {
      try put(value, in: collection)
      #expect(try !a.replica.entries().isEmpty)
      #expect(try a.pass().isSynced && a.replica.entries().isEmpty)
      #expect(try b.pass().isSynced)
      #expect(try shown() == ["A {\"v\":\(value)}"] && b.store.snapshot.count(in: collection) == 0)
    }
    try delete()
    for device in [a, b] { #expect(try device.pass().isSynced) }
    #expect(try shown().isEmpty)
    #expect(try a.replica.entries().isEmpty && a.store.snapshot.count(in: SyncedState.collection) == 0)
    #expect(!a.remote.files.keys.contains { $0.hasPrefix("batches/") }, "they need no batch")
  }

  @Test("One that is gone before it was said leaves nothing to say")
  func neverSaid() throws {
    try put(1, in: collection)
    try put(2, in: collection)
    try delete()
    #expect(try a.replica.entries().isEmpty)
  }

  @Test("They are said before everything else, and what is refused does not hold them up")
  func first() throws {
    try put(1, in: SimulatedDevice.whole)
    try put(2, in: collection)
    #expect(try OutboxItem.pending(a.store.snapshot, SimulatedDevice.collections).map(\.priority) == [1, 9])
    a.remote.refusesBatches = true
    #expect(throws: PassFailure.self) { try a.pass() }
    _ = try b.pass()
    #expect(try shown() == ["A {\"v\":2}"])
    #expect(try a.replica.entries().map(\.key.collection) == [SimulatedDevice.whole])
  }

  @Test("A process that ends at any point of a pass says them in the next one")
  func crashes() throws {
    for calls in 0..<8 {
      try put(calls, in: collection)
      try put(calls, in: SimulatedDevice.whole)
      a.remote.callsUntilFailure = calls
      a.remote.losesAnswer = calls.isMultiple(of: 2)
      _ = try? a.pass()
      a.remote.callsUntilFailure = nil
      try a.crash()
      for device in [a, b] { _ = try device.pass() }
      #expect(try shown() == ["A {\"v\":\(calls)}"] && a.replica.entries().allSatisfy { !$0.isPending })
    }
  }

  @Test("A device that is removed, or a remote that is forgotten, shows nothing any longer")
  func removed() throws {
    try put(1, in: collection)
    for device in [a, b] { _ = try device.pass() }
    let stream = try #require(try a.replica.state())
    let head = SyncReport.Device(
      stream: stream.stream, name: "A", version: "1", at: a.now, counter: stream.counter, isRemoved: false)
    try b.replica.remove(head)
    _ = try b.pass()
    #expect(try shown().isEmpty)
    try put(2, in: SimulatedDevice.whole)
    for device in [a, b] { _ = try device.pass() }
    #expect(try shown() == ["A {\"v\":1}"], "it is back")
    try b.replica.forget()
    #expect(try shown().isEmpty)
  }
}
