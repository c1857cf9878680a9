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

  @Test(
    "An import that is repeated by another process is stored, wherever the first one was killed", arguments: [0, 1000])
  func importing(limit: Int) throws {
    let all = Dictionary(uniqueKeysWithValues: (0..<6).map { (UInt64($0), "{}") })
    var calls = 0
    var isOver = false
    while !isOver {
      let disk = SimulatedDisk()
      disk.isTracing = false
      let first = disk.process(7)
      disk.kill(first, afterCalls: calls)
      try? importAll(first, limit: limit)
      isOver = !disk.isDead(first)
      try importAll(disk.process(8), limit: limit)
      #expect(try contents(afterCrashOf: disk) == all, "killed after \(calls) calls")
      calls += 1
    }
    #expect(calls > 20)
  }

  @Test("A change is stored, wherever the process that founded the store was killed")
  func founding() throws {
    var calls = 0
    var isOver = false
    while !isOver {
      let disk = SimulatedDisk()
      disk.isTracing = false
      let founder = disk.process(7)
      disk.kill(founder, afterCalls: calls)
      if let store = try? FileStore.open(inline(founder)) { _ = store.commitAndWait(transaction(0, [put(0)])) }
      isOver = !disk.isDead(founder)
      let store = try FileStore.open(inline(disk.process(8)))
      let known = try store.snapshot.contents
      #expect(store.commitAndWait(transaction(1, [put(1)])))
      #expect(try contents(afterCrashOf: disk) == known.merging([1: "{}"]) { $1 }, "killed after \(calls) calls")
      calls += 1
    }
    #expect(calls > 8)
  }

  @Test("A folder that was exchanged is prepared like a new one")
  func exchanged() throws {
    let disk = SimulatedDisk()
    let store = try FileStore.open(inline(disk.process(8)))
    #expect(store.commitAndWait(transaction(0, [put(0)])))
    let home = try disk.openDirectory(path: "/home/someone", followingLinks: true)
    try disk.rename("daybook", in: home, to: "old", in: home)
    // Its names are on no medium yet.
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
