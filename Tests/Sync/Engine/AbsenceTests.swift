import CivilTime
import FileStore
import FileStoreTesting
import Pacing
import SyncRules
import Testing

@testable import SyncEngine

/// Devices that were away for long, or never heard of a deletion.
@Suite("Absences", .simulated)
struct AbsenceTests: TwoDevices {
  let world: SimulatedWorld
  let a: SimulatedDevice
  let b: SimulatedDevice

  init() throws {
    world = try SimulatedWorld(.shared, seed: 3, 1)
    (a, b) = (world.devices[0], world.devices[1])
  }

  @Test(
    "A device switched off for weeks, or a year, brings back nothing deleted, and loses nothing of its own",
    arguments: [21, 400])
  func switchedOff(days: Int) throws {
    for device in [a, b] { try device.replica.configure() }
    for number in 0..<10 { try put(meal(number), number, on: a) }
    try synchronize()
    // Its last edits were not sent.
    try put(meal(0), 50, on: b)
    try put(meal(20), 20, on: b)
    for day in 1...days {
      world.now = world.now.advanced(by: 86_400_000)
      guard day <= 30 else { continue }
      try put(meal(10 + day % 5), day, on: a)
      if day < 10 { try delete(meal(day), on: a) }
      #expect(try a.pass().isSynced, "one that is switched off holds nobody up")
    }
    let files = a.remote.files.filter { $0.value.bytes != nil }.count
    #expect(files < 20, "what \(days) days left is merged into few files: \(files)")
    try synchronize()
    for device in [a, b] {
      #expect(try value(meal(0), on: device) == 50 && value(meal(20), on: device) == 20)
      for number in 1..<10 { #expect(try value(meal(number), on: device) == nil, "\(number) came back") }
      #expect(try device.store.snapshot.count(in: SimulatedDevice.whole) == 7)
    }
  }

  @Test("What was deleted before there was a remote stays deleted, though another device still has it")
  func deletedBefore() throws {
    try put(meal(1), 1, on: a)
    try put(meal(2), 2, on: a)
    let copy = try a.copied("copy", a.remote)
    world.now = world.now.advanced(by: 10)
    try delete(meal(1), on: a)
    for device in [copy, a] {
      try device.replica.configure()
      _ = try device.pass()
    }
    _ = try copy.pass()
    for device in [a, copy] { #expect(try value(meal(1), on: device) == nil && value(meal(2), on: device) == 2) }
  }
}
