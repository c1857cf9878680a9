import CivilTime
import FileStoreTesting
import Pacing
import Platform
import Testing
import Values

@testable import FileStore

@Suite("Checkpoints", .simulated)
struct CheckpointTests {
  private func settings(_ disk: SimulatedDisk) -> FileStore.Configuration {
    var settings = configuration(disk)
    settings.isInline = true
    settings.onDurable = { _ in }
    settings.historyLimit = 2000
    return settings
  }

  /// Commits random changes; returns their number.
  @discardableResult
  private func work(_ store: FileStore, _ generator: inout SeededGenerator, from first: Int, count: Int) throws -> Int {
    for number in first..<(first + count) {
      let operations = (0..<Int.random(in: 1...4, using: &generator)).map { _ -> Operation in
        let id = Int.random(in: 0..<60, using: &generator)
        if Int.random(in: 0..<5, using: &generator) == 0 { return .delete(meals, id: FileStoreTests.id(id)) }
        let day =
          Int.random(in: 0..<9, using: &generator) == 0 ? nil : Int.random(in: 19_900..<20_100, using: &generator)
        return put(id, day: day, created: Int.random(in: 0..<3, using: &generator), "{\"n\":\(number)}")
      }
      #expect(store.commitAndWait(transaction(number, operations)))
    }
    return count
  }

  @Test(
    "Random histories with checkpoints in between read as without, in this process, another one and a new one",
    arguments: 0..<20 as Range<UInt64>)
  func sameAsWithout(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let (disk, plainDisk) = (SimulatedDisk(), SimulatedDisk())
    let (store, plain) = (try FileStore.open(settings(disk)), try FileStore.open(settings(plainDisk)))
    let other = try FileStore.open(settings(disk))
    var same = generator
    var number = 0
    for round in 0..<8 {
      let count = Int.random(in: 1...12, using: &generator)
      _ = Int.random(in: 1...12, using: &same)
      try work(store, &generator, from: number, count: count)
      try work(plain, &same, from: number, count: count)
      number += count
      let held = try store.snapshot
      let before = held.contents
      if round % 2 == 0 { try store.checkpoint() }
      try store.poll()
      try other.poll()
      let new = try FileStore.open(settings(disk))
      for reader in [store, other, new] {
        #expect(try reader.revision == number)
        #expect(try reader.snapshot.listing == plain.snapshot.listing)
        #expect(try reader.snapshot.count(in: meals) == plain.snapshot.listing.count)
        #expect(reader.recoveryReport.findings.isEmpty, "\(reader.recoveryReport.findings)")
        for id in 0..<60 {
          #expect(
            try reader.snapshot.record(FileStoreTests.id(id), in: meals)
              == plain.snapshot.record(FileStoreTests.id(id), in: meals))
        }
      }
      #expect(held.contents == before, "a snapshot stays as it was")
    }
  }

  @Test("Transactions before a checkpoint can still be undone, and the changes since are listed")
  func history() throws {
    let disk = SimulatedDisk()
    let store = try FileStore.open(settings(disk))
    for number in 0..<6 { #expect(store.commitAndWait(transaction(number, [put(number)]))) }
    try store.checkpoint()
    #expect(store.commitAndWait(transaction(6, [put(6)])))
    let new = try FileStore.open(settings(disk))
    #expect(try new.changes(since: 2).records.map(\.id.low) == [2, 3, 4, 5, 6])
    guard case .ready(let revision, _, let operations) = try new.undoEntry(revision: 3).plan(in: new.snapshot) else {
      Issue.record("no plan")
      return
    }
    #expect(new.commitAndWait(transaction(7, undoes: revision, operations)))
    #expect(try new.snapshot.contents.keys.sorted() == [0, 1, 3, 4, 5, 6])
    #expect(try new.known(transactionID(3))?.revision == 4, "a repeated transaction is known")
  }

  @Test("Once nobody has written for a while, a sixteenth of the changes is folded, once")
  func quietStore() throws {
    let disk = SimulatedDisk()
    let time = Guarded(UInt64(1))
    var settings = configuration(disk)
    settings.checkpointTransactions = 32
    settings.checkpoints = CheckpointState { time.withLock { $0 } }
    let store = try FileStore.open(settings)
    defer { store.close() }
    func poll(after pause: UInt64) throws -> Int {
      time.withLock { $0 += pause }
      try store.poll()
      while settings.checkpoints.isRunning { Threads.rest(milliseconds: 1) }
      try store.poll()
      return try store.snapshot.base.generation
    }
    #expect(store.commitAndWait(transaction(0, [put(0)])))
    #expect(try poll(after: 0) == 0)
    #expect(try poll(after: settings.quietTime) == 0, "one change is not worth it")
    #expect(store.commitAndWait(transaction(1, [put(1)])))
    #expect(try poll(after: settings.quietTime) == 0, "seen only now")
    #expect(try poll(after: settings.quietTime - 1) == 0)
    #expect(try poll(after: 1) == 1)
    #expect(try poll(after: settings.quietTime) == 1, "nothing is new")
    #expect(try store.snapshot.contents == [0: "{}", 1: "{}"])
  }

  @Test("However long the torn end of a journal is, it is nothing to fold")
  func tornEnd() throws {
    let disk = SimulatedDisk()
    var settings = settings(disk)
    settings.checkpointBytes = 1600
    let store = try FileStore.open(settings)
    #expect(store.commitAndWait(transaction(0, [put(0)])))
    try store.checkpoint()
    store.close()
    let path = folder + "/journal/000002.jsonl"
    disk.setContents(path, try #require(disk.contents(path)) + Array(repeating: UInt8(ascii: "x"), count: 2000))
    let new = try FileStore.open(settings)
    #expect(try new.revision == 1)
    #expect(!new.isCheckpointDue(isQuiet: true) && !new.isCheckpointDue(isQuiet: false))
  }

  @Test("Files that nothing names are removed, those still in use stay")
  func cleaning() throws {
    let disk = SimulatedDisk()
    let store = try FileStore.open(settings(disk))
    #expect(store.commitAndWait(transaction(0, [put(0), put(1, day: 19_000)])))
    try store.checkpoint()
    let reader = try FileStore.open(settings(disk))
    _ = try reader.revision
    let held = try reader.snapshot
    for number in 1..<8 {
      #expect(store.commitAndWait(transaction(number, [put(0, "{\"n\":\(number)}")])))
      try store.checkpoint()
    }
    #expect(held.contents == [0: "{}", 1: "{}"], "read only now, out of files that later manifests do not name")
    #expect(disk.contents(folder + "/segments/meals/2024-10.1.jsonl") != nil)
    #expect(disk.contents(folder + "/segments/meals/2024-10.3.jsonl") == nil)
    reader.close()
    _ = consume held
    try store.poll()
    for number in 8..<11 {
      #expect(store.commitAndWait(transaction(number, [put(0, "{\"n\":\(number)}")])))
      try store.checkpoint()
      try store.poll()
    }
    #expect(disk.contents(folder + "/segments/meals/2022-01.1.jsonl") != nil, "of a month that has not changed since")
    #expect(disk.contents(folder + "/segments/meals/2024-10.7.jsonl") == nil)
    #expect(try FileStore.open(settings(disk)).snapshot.contents == [0: "{\"n\":10}", 1: "{}"])
  }

  @Test("A segment that is damaged while an older manifest names its journal is rebuilt before that is removed")
  func lateDamage() throws {
    let disk = SimulatedDisk()
    var settings = settings(disk)
    settings.historyLimit = 0
    let store = try FileStore.open(settings)
    for number in 0..<2 {
      #expect(store.commitAndWait(transaction(number, [put(number, day: 19_000 + number * 100, "{\"n\":1}")])))
      try store.checkpoint()
    }
    let segment = folder + "/segments/meals/2022-01.1.jsonl"
    var bytes = try #require(disk.contents(segment))
    bytes[bytes.count / 2] ^= 1
    disk.setContents(segment, bytes)
    for number in 2..<7 {
      #expect(store.commitAndWait(transaction(number, [put(2, "{\"n\":\(number)}")])))
      try store.checkpoint()
      try store.poll()
    }
    store.close()
    #expect(disk.contents(journalFile) == nil, "its source was removed")
    let contents = try FileStore.open(settings).snapshot.contents
    #expect(contents == [0: "{\"n\":1}", 1: "{\"n\":1}", 2: "{\"n\":6}"])
  }

  @Test("A process that rebuilt the store from its files can keep reading after another one's checkpoint")
  func rebuilt() throws {
    let disk = SimulatedDisk()
    let first = try FileStore.open(settings(disk))
    for number in 0..<4 { #expect(first.commitAndWait(transaction(number, [put(number, day: 20_000 + number * 20)]))) }
    try first.checkpoint()
    first.close()
    for found in disk.walk(folder) where found.path.hasPrefix("manifest") { disk.remove(folder + "/" + found.path) }
    let (reader, writer) = (try FileStore.opened(settings(disk)), try FileStore.opened(settings(disk)))
    #expect(writer.commitAndWait(transaction(4, [put(0, day: 20_000, "{\"n\":4}")])))
    try writer.checkpoint()
    #expect(try reader.snapshot.contents == [0: "{}", 1: "{}", 2: "{}", 3: "{}"])
    #expect(!reader.recoveryReport.findings.contains { $0.kind == .missingSegment })
  }

  @Test("A power cut at any call of a checkpoint loses nothing, and the next one succeeds")
  func crashSweep() throws {
    func prepared() throws -> SimulatedDisk {
      let disk = SimulatedDisk()
      let store = try FileStore.open(settings(disk))
      for number in 0..<4 {
        #expect(store.commitAndWait(transaction(number, [put(number, day: 20_000 + number * 20)])))
      }
      try store.checkpoint()
      for number in 4..<8 { #expect(store.commitAndWait(transaction(number, [put(number % 5, "{\"n\":\(number)}")]))) }
      store.close()
      return disk.afterCrash(.everything)
    }
    let dry = try prepared()
    let expected = try FileStore.open(settings(dry)).snapshot.contents
    let start = dry.calls
    try FileStore.open(settings(dry)).checkpoint()
    let calls = dry.calls - start
    #expect(calls > 40)
    for cut in Sweeps.places(0...calls) {
      for survival in [Survival.nothing, .everything] + (0..<4).map({ .random(seed: $0) }) {
        let disk = try prepared()
        disk.cutPower(afterCalls: cut)
        try? FileStore.open(settings(disk)).checkpoint()
        let found = disk.afterCrash(survival)
        let comment: Comment = "cut at \(cut), \(survival)"
        let store = try FileStore.open(settings(found))
        #expect(try store.snapshot.contents == expected, comment)
        #expect(!store.recoveryReport.isLossPossible, "\(store.recoveryReport.findings); \(comment)")
        #expect(found.changes == 0, "opening wrote; \(comment)")
        #expect(store.commitAndWait(transaction(20, [put(20)])), comment)
        try store.checkpoint()
        let again = try FileStore.open(settings(found))
        #expect(try again.snapshot.contents == expected.merging([20: "{}"]) { old, _ in old }, comment)
        #expect(!again.recoveryReport.isLossPossible, "\(again.recoveryReport.findings); \(comment)")
      }
    }
  }
}

extension Snapshot {
  /// Every record in listing order, for comparing.
  fileprivate var listing: [Record] { records(in: meals) }
}
