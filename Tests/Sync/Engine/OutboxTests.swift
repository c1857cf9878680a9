import CivilTime
import FileStore
import FileStoreTesting
import Pacing
import Testing
import Values

@testable import SyncEngine
@testable import SyncRules

@Suite("The outbox", .simulated)
struct OutboxTests {
  private let world: SimulatedWorld
  private let a: SimulatedDevice
  private let b: SimulatedDevice
  private let key = EntityKey(SimulatedDevice.whole, EntityID(high: 9, low: 1))

  init() throws {
    world = try SimulatedWorld(.shared, seed: 1, 1)
    (a, b) = (world.devices[0], world.devices[1])
    for device in [a, b] {
      try device.replica.configure()
      _ = try device.pass()
    }
  }

  private func put(_ value: Int) throws {
    world.now = world.now.advanced(by: 10)
    let at = a.now.following(try a.replica.record(key)?.time)
    let put = Operation.put(
      key.collection, id: key.id, day: nil, schema: 1, createdAt: world.epoch, updatedAt: at,
      body: Array("{\"v\":\(value)}".utf8))
    _ = try a.store.commit(Transaction(id: world.newID(), at: at, author: "A", label: "edit", operations: [put]))
    try a.store.settle()
  }

  @Test("A discarded row is sent by no pass and unsent all the same, until the record's next edit")
  func discarded() throws {
    try put(1)
    #expect(try a.pass().isSynced)
    let said = try #require(try a.replica.record(key)).time
    try put(2)
    try a.replica.discard([key])
    #expect(try OutboxItem.pending(a.store.snapshot, SimulatedDevice.collections).isEmpty)
    for _ in 0..<2 { #expect(try !a.pass(.hand).isSynced) }
    try a.replica.retry()
    try a.crash()
    #expect(try !a.pass(.hand).isSynced && a.replica.entry(key)?.isDiscarded == true)
    _ = try b.pass()
    #expect(try b.replica.record(key)?.time == said)
    try put(3)
    #expect(try a.replica.entry(key)?.row.base?.time == said, "the discarded edit was never said")
    for device in [a, b] { #expect(try device.pass().isSynced) }
    #expect(try b.replica.record(key)?.time == a.replica.record(key)?.time)
  }

  @Test("The counts of rows follow what changes", arguments: 1...Histories.steps(5))
  func counts(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var followed = OutboxCounts(try a.store.snapshot)
    for _ in 0..<60 {
      switch random.below(5) {
      case 0:
        a.remote.refusesBatches = random.below(2) == 0
        _ = try? a.pass(.hand)
      case 1: try a.replica.discard(Set(try a.replica.entries().prefix(1).map(\.key)))
      case 2: try a.replica.retry()
      default: try a.edit(SimulatedWorld.keys[random.below(SimulatedWorld.keys.count)], &random)
      }
      let changed = try #require(
        try a.store.changes(since: followed.revision, of: [OutboxCounts.collection], atMost: 1000))
      followed.follow(changed.map(\.id), in: try a.store.snapshot)
      #expect(followed == OutboxCounts(try a.store.snapshot))
    }
  }
}
