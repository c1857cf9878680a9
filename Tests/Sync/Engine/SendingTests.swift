import CivilTime
import FileStore
import FileStoreTesting
import Pacing
import SyncRules
import Testing

@testable import SyncEngine

/// What waits to be sent, and what is never sent.
@Suite("What a device sends", .simulated)
struct SendingTests: TwoDevices {
  let world: SimulatedWorld
  let a: SimulatedDevice
  let b: SimulatedDevice

  init() throws {
    world = try SimulatedWorld(.shared, seed: 2, 1)
    (a, b) = (world.devices[0], world.devices[1])
    for device in [a, b] { try device.replica.configure() }
  }

  @Test("A change and its row are stored together, wherever the process ends")
  func oneTransaction() throws {
    try synchronize()
    for (number, calls) in Sweeps.places(0..<40).enumerated() {
      a.disk.cutPower(afterCalls: calls)
      _ = try? put(meal(number), calls, on: a)
      try a.crash()
      let isStored = try value(meal(number), on: a) == calls
      #expect(try (a.replica.entry(meal(number))?.isPending == true) == isStored, "after \(calls) calls")
    }
  }

  @Test("Rows, their attempts and what failed outlive the end of the process")
  func persistence() throws {
    try synchronize()
    try put(meal(1), 1, on: a)
    a.remote.refusesBatches = true
    _ = try? a.pass()
    a.remote.refusesBatches = false
    let before = try #require(try a.replica.entry(meal(1)))
    #expect(before.row.retryCount == 1 && before.row.lastError == "refused" && before.row.lastAttemptAt == a.now)
    try a.crash()
    #expect(try a.replica.entry(meal(1)) == before)
    try synchronize()
    #expect(try value(meal(1), on: b) == 1)
  }

  @Test("Deletions are sent first, then each collection by its priority, then what was changed first")
  func priorities() throws {
    try put(meal(1), 1, on: a)
    try synchronize()
    var random = SeededGenerator(seed: 4)
    let (module, settings) = (SimulatedWorld.keys[5], SimulatedWorld.keys[4])
    try put(meal(2), 2, on: a)
    try put(meal(3), 3, on: a)
    try a.edit(module, &random)
    while try a.replica.entry(settings)?.isPending != true { try a.edit(settings, &random) }
    try delete(meal(1), on: a)
    let sent = try a.replica.pending(a.replica.entries(), .hand).flatMap(\.lines).map(\.key)
    #expect(sent == [meal(1), settings, module, meal(2), meal(3)])
  }

  @Test("What arrives keeps the time of its edit, and is not sent on")
  func arrived() throws {
    try synchronize()
    try put(meal(1), 1, on: a)
    try synchronize()
    let (here, lines) = (try #require(try a.replica.record(meal(1))), try batchLines())
    world.now = world.now.advanced(by: 1_000_000)
    try synchronize()
    #expect(try b.replica.record(meal(1)) == here)
    for device in [a, b] { #expect(try !device.replica.entries().contains(where: \.isPending)) }
    #expect(try batchLines() == lines && lines.count == 1, "a pass with nothing new leaves nothing")
  }

  private func batchLines() throws -> [SyncLine] {
    a.remote.files.filter { $0.key.hasPrefix("batches/") }.flatMap { name, file in
      file.bytes.flatMap { BatchContent($0, name: String(name.split(separator: "/").last ?? "")) }?.lines ?? []
    }
  }

  @Test("Many edits of one record are one row, also while a pass runs; the last one arrives, and nobody is asked")
  func rapidEdits() throws {
    try put(meal(1), 0, on: a)
    try synchronize()
    var last = 0
    a.remote.betweenCalls = {
      guard last < 40 else { return }
      for _ in 0..<4 {
        last += 1
        do { try put(meal(1), last, on: a) } catch { Issue.record("\(error)") }
      }
    }
    for device in [a, b, a, b] {
      _ = try device.pass()
      #expect(try a.replica.entries().count <= 1)
    }
    a.remote.betweenCalls = {}
    try synchronize()
    for device in [a, b] {
      #expect(try value(meal(1), on: device) == 40)
      #expect(try device.store.snapshot.count(in: VersionConflict.collection) == 0)
    }
  }

  @Test("The network drops at any call of a pass, before or after its effect: the next passes complete it")
  func networkDrop() throws {
    try synchronize()
    for calls in 0..<12 {
      for losesAnswer in [false, true] {
        let key = meal(2 * calls + (losesAnswer ? 1 : 0))
        try put(key, calls, on: a)
        (a.remote.callsUntilFailure, a.remote.losesAnswer) = (calls, losesAnswer)
        _ = try? a.pass()
        a.remote.callsUntilFailure = nil
        try synchronize()
        #expect(try value(key, on: b) == calls)
        #expect(try a.replica.entry(key)?.isPending != true)
      }
    }
    #expect(try b.store.snapshot.count(in: SimulatedDevice.whole) == 24)
  }

  @Test("Devices without any record are synced, and leave nothing but their heads")
  func empty() throws {
    try synchronize()
    let outcome = try a.pass()
    #expect(outcome.isSynced && outcome.sent == 0 && outcome.received == Replica.Applied())
    #expect(a.remote.files.keys.allSatisfy { $0.hasPrefix("heads/") } && a.remote.files.count == 2)
  }
}
