import CivilTime
import FileStoreTesting
import Pacing
import Testing
import Values

@testable import FileStore

@Suite("Quarantine", .simulated)
struct QuarantineTests {
  private static let days = [20_000, 20_020, 20_040, 20_060]

  /// A store with a manifest, segments of four months, and a journal of a few lines after them, on a synced disk.
  private func prepared() throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    let store = try FileStore.open(settings(disk))
    for number in 0..<8 {
      #expect(
        store.commitAndWait(
          transaction(number, [put(number, day: QuarantineTests.days[number % 4], "{\"n\":\(number)}")])))
    }
    try store.checkpoint()
    for number in 8..<14 {
      #expect(
        store.commitAndWait(
          transaction(number, [put(number - 8, day: QuarantineTests.days[number % 4], "{\"n\":\(number)}")])))
    }
    store.close()
    return disk.afterCrash(.everything)
  }

  private func settings(_ disk: SimulatedDisk) -> FileStore.Configuration {
    var settings = configuration(disk)
    settings.isInline = true
    settings.onDurable = { _ in }
    settings.historyLimit = 0
    return settings
  }

  /// The quarantine of a store.
  private func kept(_ disk: SimulatedDisk) throws -> (entries: [QuarantineEntry], unreadable: Int) {
    var report = RecoveryReport()
    var opened = try StoreFolder(opening: folder, disk, &report)
    defer { opened.close() }
    return Quarantine(folder: opened, now: Instant(milliseconds: 0)).entries()
  }

  /// The bytes that an entry keeps.
  private func bytes(_ entry: QuarantineEntry, _ disk: SimulatedDisk) -> [UInt8]? {
    guard let copy = entry.copy, let bytes = disk.contents(folder + "/quarantine/" + copy) else { return nil }
    return entry.isWhole ? Array(bytes[entry.offset..<(entry.offset + entry.length)]) : bytes
  }

  /// Makes checkpoints until none of the earlier files is left.
  private func fold(_ disk: SimulatedDisk, from number: Int, rounds: Int = 6) throws {
    let store = try FileStore.open(settings(disk))
    for round in number..<(number + rounds) {
      // Every month changes, so that every segment is replaced.
      let operations = QuarantineTests.days.enumerated().map { month, day in
        put(50 + month, day: day, "{\"n\":\(round)}")
      }
      #expect(store.commitAndWait(transaction(round, operations)))
      try store.checkpoint()
      try store.poll()
    }
    store.close()
  }

  @Test(
    "For any overwritten bytes of a file, read and quarantined data together are complete once the file is removed",
    arguments: 0..<60 as Range<UInt64>)
  func nothingIsLost(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let disk = try prepared()
    let files = disk.walk(folder).filter { file in
      file.kind == .file && (file.path.hasPrefix("segments/meals/") || file.path.hasPrefix("journal/000002"))
    }
    let file = try #require(files.randomElement(using: &generator))
    let path = folder + "/" + file.path
    let original = try #require(disk.contents(path))
    var damaged = original
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let start = Int.random(in: original.indices, using: &generator)
      for index in start..<min(original.count, start + Int.random(in: 1...90, using: &generator)) {
        damaged[index] = UInt8.random(in: 0...255, using: &generator)
      }
    }
    guard damaged != original else { return }
    disk.setContents(path, damaged)

    try fold(disk, from: 20)
    #expect(!disk.walk(folder).contains { $0.path == file.path }, "the damaged file is removed")
    let (entries, unreadable) = try kept(disk)
    #expect(unreadable == 0)
    var covered = [Bool](repeating: false, count: damaged.count)
    for entry in entries where entry.file == file.path && entry.length > 0 {
      #expect(bytes(entry, disk) == Array(damaged[entry.offset..<(entry.offset + entry.length)]))
      for index in entry.offset..<(entry.offset + entry.length) { covered[index] = true }
    }
    // Unchanged lines are in the store; empty lines do not matter.
    var start = 0
    let lines = Set(original.split(separator: UInt8(ascii: "\n")))
    for line in damaged.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let isGood = line.isEmpty || lines.contains(line)
      for index in start..<(start + line.count) where !isGood { #expect(covered[index], "byte \(index) is nowhere") }
      start += line.count + 1
    }
    #expect(try FileStore.open(settings(disk)).recoveryReport.findings.isEmpty)
  }

  @Test("Damage is quarantined only once, however often it is tried")
  func idempotent() throws {
    let disk = try prepared()
    let path = folder + "/journal/000002.jsonl"
    var damaged = try #require(disk.contents(path))
    damaged[300] ^= 1
    disk.setContents(path, damaged)
    let store = try FileStore.opened(settings(disk))
    let findings = store.recoveryReport.findings
    #expect(findings.map(\.kind) == [.damagedLine, .sequenceGap])
    let quarantine = Quarantine(folder: store.folder, now: Instant(milliseconds: 5))
    try quarantine.keep(findings, revision: 3)
    let first = disk.walk(folder)
    let changes = disk.changes
    try quarantine.keep(findings, revision: 4)
    #expect(disk.walk(folder) == first)
    #expect(quarantine.entries().entries.count == 2)
    #expect(disk.changes == changes, "nothing is written again")
    #expect(disk.isPrivate(folder))
    store.close()
  }

  @Test("A power cut at any call of a quarantining checkpoint loses none of the damaged bytes")
  func crashSweep() throws {
    func damagedDisk() throws -> (SimulatedDisk, [UInt8]) {
      let disk = try prepared()
      let path = folder + "/journal/000002.jsonl"
      var damaged = try #require(disk.contents(path))
      damaged[300] ^= 1
      disk.setContents(path, damaged)
      return (disk, damaged)
    }
    let (dry, _) = try damagedDisk()
    let expected = try FileStore.open(settings(dry)).snapshot.contents
    let start = dry.calls
    try FileStore.open(settings(dry)).checkpoint()
    let calls = dry.calls - start
    for cut in 0...calls {
      for survival in [Survival.nothing, .random(seed: UInt64(cut))] {
        let (disk, damaged) = try damagedDisk()
        disk.cutPower(afterCalls: cut)
        try? FileStore.open(settings(disk)).checkpoint()
        let found = disk.afterCrash(survival)
        let comment: Comment = "cut at \(cut), \(survival)"
        #expect(try FileStore.open(settings(found)).snapshot.contents == expected, comment)
        try fold(found, from: 30, rounds: 1)
        let entry = try #require(try kept(found).entries.first { $0.length > 0 }, comment)
        #expect(bytes(entry, found) == Array(damaged[entry.offset..<(entry.offset + entry.length)]), comment)
      }
    }
  }

  @Test("An unreadable store.json is kept before a new one replaces it, and the store keeps its id")
  func identity() throws {
    let disk = try prepared()
    let path = folder + "/store.json"
    let id = try FileStore.open(settings(disk)).identity?.store
    let replica = try FileStore.open(settings(disk)).identity?.replica
    disk.setContents(path, Array("{\"format\":1,".utf8))
    let store = try FileStore.open(settings(disk))
    #expect(disk.contents(folder + "/quarantine/list.jsonl") == nil, "reading changes nothing")
    #expect(store.commitAndWait(transaction(20, [put(20)])))
    #expect(store.identity?.store == id)
    #expect(store.identity?.replica != replica)
    let entry = try #require(try kept(disk).entries.first)
    #expect(entry.kind == "identityLost" && bytes(entry, disk) == Array("{\"format\":1,".utf8))
    store.close()
  }

  @Test("Without space nothing damaged is replaced")
  func fullDisk() throws {
    let disk = try prepared()
    disk.setContents(folder + "/store.json", Array("{".utf8))
    disk.setFaults { $0.freeBytes = 4 }
    let store = try FileStore.open(settings(disk))
    #expect(throws: StoreError.self) { try store.commit(transaction(20, [put(20)])) }
    #expect(disk.contents(folder + "/store.json") == Array("{".utf8))
    disk.setFaults { $0.freeBytes = nil }
    #expect(store.commitAndWait(transaction(20, [put(20)])))
    #expect(try kept(disk).entries.map(\.kind) == ["identityLost"])
    store.close()
  }

  @Test("The list survives a damaged line in it, which is counted")
  func damagedList() throws {
    let disk = try prepared()
    disk.setContents(folder + "/store.json", Array("{".utf8))
    let store = try FileStore.open(settings(disk))
    #expect(store.commitAndWait(transaction(20, [put(20)])))
    let path = folder + "/quarantine/list.jsonl"
    let list = try #require(disk.contents(path))
    disk.setContents(path, Array("{\"at\":\"2026\"}\n".utf8) + list.dropLast(3))
    #expect(try kept(disk).unreadable == 2)
    try Quarantine(folder: store.folder, now: Instant(milliseconds: 5)).keep(
      [
        Finding(.sequenceGap, "journal/000001.jsonl", at: 4..<4, after: 3, before: 6, "lost")
      ], revision: 0)
    let (entries, unreadable) = try kept(disk)
    #expect(unreadable == 2 && entries.map(\.previousSequence) == [3])
    store.close()
  }
}
