import CivilTime
import FileStoreTesting
import Pacing
import Testing

@testable import FileStore

@Suite("What others left half done is finished before anything is answered because of it", .simulated)
struct PreparationTests {
  private static let lines = (0..<6).map { number in
    "{\"collection\":\"meals\",\"id\":\"\(id(number))\",\"day\":\"2024-1\(number % 3)-04\","
      + "\"created\":\"1970-01-01T00:00:00.000Z\",\"updated\":\"1970-01-01T00:00:00.000Z\",\"schema\":1,\"body\":{}}"
  }

  private func importAll(_ fileSystem: any FileSystem, limit: Int) throws(StoreError) {
    var settings = inline(fileSystem)
    settings.journaledImportLimit = limit
    let text = Array(PreparationTests.lines.joined(separator: "\n").utf8)
    _ = try FileStore.importRecords(.lines([text[...]]), .merge, settings, author: "test")
  }

  private func contents(afterCrashOf disk: SimulatedDisk) throws -> [UInt64: String] {
    let store = try FileStore.open(inline(disk.afterCrash(.nothing).process(9)))
    defer { store.close() }
    return try store.snapshot.contents
  }

  /// Runs `first` in a process that is killed after no call, one call and so on until it ends by itself, each time on
  /// a new disk, and then `next` in another one; returns the number of runs.
  private func killing(
    _ first: (SimulatedProcess) -> Void, _ next: (SimulatedDisk, SimulatedProcess, Comment) throws -> Void
  ) throws -> Int {
    var calls = 0
    while true {
      let disk = SimulatedDisk()
      disk.isTracing = false
      let killed = disk.process(7)
      disk.kill(killed, afterCalls: calls)
      first(killed)
      let isOver = !disk.isDead(killed)
      try next(disk, disk.process(8), "killed after \(calls) calls")
      calls += 1
      if isOver { return calls }
    }
  }

  @Test(
    "An import that is repeated by another process is stored, wherever the first one was killed", arguments: [0, 1000])
  func importing(limit: Int) throws {
    let all = Dictionary(uniqueKeysWithValues: (0..<6).map { (UInt64($0), "{}") })
    let count = try killing({ try? importAll($0, limit: limit) }) { disk, other, comment in
      try importAll(other, limit: limit)
      #expect(try contents(afterCrashOf: disk) == all, comment)
    }
    #expect(count > 20)
  }

  @Test("A change is stored, wherever the process that created the store was killed")
  func founding() throws {
    let count = try killing({ founder in
      if let store = try? FileStore.open(inline(founder)) { _ = store.commitAndWait(transaction(0, [put(0)])) }
    }) { disk, other, comment in
      let store = try FileStore.open(inline(other))
      let known = try store.snapshot.contents
      #expect(store.commitAndWait(transaction(1, [put(1)])))
      #expect(try contents(afterCrashOf: disk) == known.merging([1: "{}"]) { $1 }, comment)
    }
    #expect(count > 8)
  }

  @Test("A replaced folder is prepared like a new one")
  func exchanged() throws {
    let disk = SimulatedDisk()
    let store = try FileStore.open(inline(disk.process(8)))
    #expect(store.commitAndWait(transaction(0, [put(0)])))
    let home = try disk.openDirectory(path: "/home/someone", followingLinks: true)
    try disk.rename("daybook", in: home, to: "old", in: home)
    // Its names are not durable yet.
    let founder = disk.process(7)
    disk.setFaults { $0.rules = [DiskFault(.fails(.inputOutput), calls: [.synchronizeDirectory], process: 7)] }
    let other = try FileStore.open(inline(founder))
    _ = other.commitAndWait(transaction(1, [put(1)]))
    disk.kill(founder)
    disk.setFaults { $0.rules = [] }
    #expect(store.commitAndWait(transaction(2, [put(2)])))
    #expect(try contents(afterCrashOf: disk)[2] == "{}")
  }
}
