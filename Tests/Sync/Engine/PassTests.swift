import CivilTime
import FileStore
import FileStoreTesting
import JSON
import Pacing
import SyncRules
import Testing
import Values

@testable import SyncEngine

@Suite("Passes", .simulated)
struct PassTests: TwoDevices {
  let world: SimulatedWorld
  let a: SimulatedDevice
  let b: SimulatedDevice

  init() throws {
    world = try SimulatedWorld(.shared, seed: 1, 1)
    (a, b) = (world.devices[0], world.devices[1])
    for device in [a, b] { try device.replica.configure() }
  }

  @Test("Different meals added on two devices are on both")
  func different() throws {
    try put(meal(1), 1, on: a)
    try put(meal(2), 2, on: b)
    try synchronize()
    for device in [a, b] { #expect(try value(meal(1), on: device) == 1 && value(meal(2), on: device) == 2) }
    #expect(try a.store.snapshot.count(in: VersionConflict.collection) == 0)
  }

  @Test("One meal edited on both: the later edit stays, the other is in the log of conflicts")
  func concurrent() throws {
    try put(meal(1), 1, on: a)
    try synchronize()
    try put(meal(1), 2, on: a)
    world.now = world.now.advanced(by: 10)
    try put(meal(1), 3, on: b)
    try synchronize()
    for device in [a, b] { #expect(try value(meal(1), on: device) == 3) }
    let logged = try [a, b].map { try $0.store.snapshot.count(in: VersionConflict.collection) }
    #expect(logged.reduce(0, +) >= 1, "somebody tells of it: \(logged)")
  }

  @Test("An edit that has seen the other is no conflict")
  func successive() throws {
    try put(meal(1), 1, on: a)
    try synchronize()
    try put(meal(1), 2, on: b)
    try synchronize()
    try put(meal(1), 3, on: a)
    try synchronize()
    for device in [a, b] {
      #expect(try value(meal(1), on: device) == 3)
      #expect(try device.store.snapshot.count(in: VersionConflict.collection) == 0)
    }
  }

  @Test("Deleted here, edited there", arguments: [-10, 0, 10])
  func deletion(_ later: Int) throws {
    try put(meal(1), 1, on: a)
    try synchronize()
    world.now = world.now.advanced(by: 1000)
    try delete(meal(1), on: a)
    world.now = world.now.advanced(by: Int64(later))
    try put(meal(1), 2, on: b)
    try synchronize()
    // Only an edit strictly after the deletion lives.
    for device in [a, b] { #expect(try value(meal(1), on: device) == (later > 0 ? 2 : nil)) }
  }

  @Test("Killed between batch and head: nothing is said twice, and nothing is lost")
  func killedBeforeHead() throws {
    try put(meal(1), 1, on: a)
    for calls in 0..<12 {
      a.remote.callsUntilFailure = calls
      _ = try? a.pass()
      a.remote.callsUntilFailure = nil
      try a.crash()
      try put(meal(2), calls, on: a)
    }
    try a.replica.retry()
    try synchronize()
    #expect(try value(meal(1), on: b) == 1 && value(meal(2), on: b) == 11)
    let names = a.remote.files.filter { $0.value.bytes != nil && $0.key.hasPrefix("batches/") }
    let named = try [a, b].flatMap { try $0.replica.state()?.head?.batches ?? [] }
    #expect(names.count == named.count, "every batch is named by a head")
  }

  @Test("After five failures a row needs the user; what is not there costs no attempt")
  func attempts() throws {
    _ = try a.pass()
    try put(meal(1), 1, on: a)
    for attempt in 1...7 {
      a.remote.refusesBatches = true
      _ = try? a.pass()
      #expect(try a.replica.entry(meal(1))?.row.retryCount == min(attempt, 5))
    }
    #expect(try a.replica.entry(meal(1))?.row.needsManualIntervention == true)
    a.remote.refusesBatches = false
    #expect(try !a.pass().isSynced, "it is not sent any longer")
    try a.replica.retry()
    a.remote.callsUntilFailure = 0
    _ = try? a.pass()
    a.remote.callsUntilFailure = nil
    #expect(try a.replica.entry(meal(1))?.row.retryCount == 0, "the listing failed")
    #expect(try a.pass().isSynced)
  }

  @Test("A pull that deletes a third waits for the user, over a restart", arguments: [false, true])
  func failsafe(_ restores: Bool) throws {
    for number in 0..<90 { try put(meal(number), number, on: a) }
    try synchronize()
    world.now = world.now.advanced(by: 10)
    for number in 0..<30 { try delete(meal(number), on: a) }
    try put(meal(90), 90, on: a)
    _ = try a.pass()
    _ = try b.pass()
    #expect(try b.replica.held().count == 30 && b.store.snapshot.count(in: SimulatedDevice.whole) == 91)
    #expect(try value(meal(90), on: b) == 90, "the rest is applied")
    #expect(try !b.pass().isSynced)
    try b.crash()
    #expect(try b.replica.held().count == 30)
    try b.replica.confirm(restoring: restores)
    try synchronize()
    for device in [a, b] {
      #expect(try device.store.snapshot.count(in: SimulatedDevice.whole) == (restores ? 91 : 61))
    }
  }

  @Test("Two devices in use for long: what one has changed is not overwritten by the other's defaults")
  func firstSync() throws {
    let settings = EntityKey(SimulatedDevice.members, EntityID(high: 2, low: 0))
    var random = SeededGenerator(seed: 3)
    for device in [a, b] { for _ in 0..<5 { try device.edit(settings, &random) } }
    try synchronize()
    for device in [a, b] { #expect(try device.view(settings) == world.oracle.view(settings)) }
  }

  @Test("A damaged batch is passed over, the rest is applied, and it is read once it is whole")
  func damaged() throws {
    try synchronize()
    let before = Set(a.remote.files.keys)
    try put(meal(1), 1, on: a)
    _ = try a.pass()
    let name = try #require(a.remote.files.keys.first { !before.contains($0) })
    try put(meal(2), 2, on: a)
    _ = try a.pass()
    let whole = try #require(a.remote.files[name])
    a.remote.files[name]?.bytes = Array((whole.bytes ?? []).dropLast(20))
    #expect(try !b.pass().isSynced)
    #expect(try value(meal(1), on: b) == nil && value(meal(2), on: b) == 2)
    a.remote.files[name] = whole
    try synchronize()
    #expect(try value(meal(1), on: b) == 1)
  }

  @Test("A head that needs a newer version stops the pass before anything changes")
  func newerVersion() throws {
    try put(meal(1), 1, on: a)
    _ = try a.pass()
    let name = try #require(a.remote.files.keys.first { $0.hasPrefix("heads/") })
    var head = try #require(a.remote.files[name]?.bytes.flatMap { StreamHead(bytes: $0) })
    head.requires = StreamHead.requirement + 1
    a.remote.files[name]?.bytes = head.bytes
    #expect(throws: PassFailure.self) { try b.pass() }
    #expect(try value(meal(1), on: b) == nil && a.remote.files.count { $0.key.hasPrefix("heads/") } == 1)
  }
}
