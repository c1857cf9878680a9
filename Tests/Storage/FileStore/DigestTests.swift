import CivilTime
import FileStoreTesting
import Pacing
import Testing
import Values

@testable import FileStore

@Suite("Digests", .simulated)
struct DigestTests {
  private let place = folder + "/segments/digest-listing/"

  private func settings(_ disk: SimulatedDisk, _ digests: [Digest] = [listing]) -> FileStore.Configuration {
    var settings = inline(disk)
    settings.digests = { digests }
    settings.journaledImportLimit = 4
    return settings
  }

  private func files(_ disk: SimulatedDisk) -> [String] {
    disk.walk(folder + "/segments").map(\.path).filter { $0.hasPrefix("digest-") && $0.contains("/") }.sorted()
  }

  /// A store of some months, checkpointed with these digests.
  private func prepared(_ digests: [Digest] = [listing]) throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    let store = try FileStore.open(settings(disk, digests))
    for number in 0..<8 { #expect(store.commitAndWait(transaction(number, [put(number, day: 20_000 + number * 20)]))) }
    try store.checkpoint()
    store.close()
    return disk
  }

  private func found(_ disk: SimulatedDisk, _ digest: Digest = listing) throws -> Int {
    let store = try FileStore.opened(settings(disk))
    let (count, wrong) = try store.snapshot.examine(digest)
    #expect(wrong.isEmpty, "\(wrong)")
    #expect(store.recoveryReport.findings.isEmpty, "\(store.recoveryReport.findings)")
    return count
  }

  @Test(
    "In random histories a digest matches the records, also after its file was dropped or damaged",
    arguments: 0..<30 as Range<UInt64>)
  func sameAsRecords(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let disk = SimulatedDisk()
    let store = try FileStore.open(settings(disk))
    var (number, count) = (0, 0)
    for _ in 0..<12 {
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let operations = (0..<Int.random(in: 1...3, using: &generator)).map { _ -> Operation in
          let id = Int.random(in: 0..<40, using: &generator)
          if Int.random(in: 0..<4, using: &generator) == 0 { return .delete(meals, id: FileStoreTests.id(id)) }
          return put(id, day: Int.random(in: 19_900..<20_100, using: &generator), "{\"n\":\(number)}")
        }
        #expect(store.commitAndWait(transaction(number, operations)))
        number += 1
      }
      switch Int.random(in: 0..<6, using: &generator) {
      case 0...2: try store.checkpoint()
      case 3:
        // As by a program without digests.
        let other = try FileStore.open(settings(disk, []))
        try other.checkpoint()
        other.close()
      case 4:
        for file in files(disk) where Bool.random(using: &generator) { disk.remove(folder + "/segments/" + file) }
      default:
        for file in files(disk) {
          var bytes = try #require(disk.contents(folder + "/segments/" + file))
          bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^= UInt8(
            1 << Int.random(in: 0..<8, using: &generator))
          if Bool.random(using: &generator) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator)) }
          disk.setContents(folder + "/segments/" + file, bytes)
        }
      }
      try store.poll()
      let (here, wrong) = try store.snapshot.examine(listing)
      #expect(wrong.isEmpty, "\(wrong)")
      count += try here + found(disk)
      #expect(files(disk).count <= 3, "they go with their manifests: \(files(disk))")
    }
    try store.checkpoint()
    let months = try FileStore.opened(settings(disk)).snapshot.base.months(of: meals).count
    let last = try found(disk)
    #expect(count > 0 && last == months, "after a checkpoint every month has one")
    #expect(disk.isPrivate(folder))
  }

  @Test("Imports and restores make them, and a backup has none")
  func otherWays() throws {
    let disk = try prepared()
    let backup = try Backups(settings(disk)).create(.manual)
    #expect(!disk.walk(folder + "/backups").contains { $0.path.contains("digest-") })
    let lines = (100..<120).map { number in
      "{\"collection\":\"meals\",\"id\":\"\(id(number))\",\"day\":\"2019-0\(number % 9 + 1)-01\",\"created\":\"1970-01-01T00:00:00.000Z\",\"updated\":\"1970-01-01T00:00:00.000Z\",\"schema\":1,\"body\":{}}"
    }
    _ = try FileStore.importRecords(
      .lines([Array(lines.joined(separator: "\n").utf8)[...]]), .merge, settings(disk), author: "test")
    let before = try found(disk)
    #expect(before == 9 + 5, "those of unchanged segments are reused")
    _ = try Backups(settings(disk)).requestRestore(of: backup.id, by: "test")
    guard case .done = PendingRestore.run(settings(disk)) else {
      Issue.record("the restore was not done")
      return
    }
    #expect(try found(disk) == 5)
  }

  @Test("With another version, or in a store without any, checkpoints make them, newest months first")
  func made() throws {
    for digests in [[], [Digest.listing("0", of: [meals])]] {
      let disk = try prepared(digests)
      #expect(try found(disk) == 0)
      let store = try FileStore.open(settings(disk))
      #expect(store.commitAndWait(transaction(50, [put(50, day: 20_000)])))
      try store.checkpoint()
      #expect(try found(disk) == 5)
      #expect(try found(disk, .listing("0", of: [meals])) == 0)
    }
  }

  @Test("Making them reads no more than the limit")
  func limit() throws {
    let disk = try prepared([])
    let store = try FileStore.opened(settings(disk))
    let base = try store.snapshot.base
    let entries = base.allEntries.sorted { $0.key < $1.key }
    let limit = entries.suffix(2).reduce(0) { $0 + $1.bytes }
    NewDigests([listing]).write(
      for: entries, over: base, generation: base.generation, in: store.folder, reading: limit)
    let digests = try store.snapshot.digests(listing)
    #expect(
      entries.map { entry in entry.key.month.days.map { digests[meals, $0.lowerBound] != nil } ?? false }
        == [false, false, false, true, true])
  }

  @Test("The doctor knows them, notes a damaged one, and removes those without a manifest")
  func doctor() throws {
    let disk = try prepared()
    let doctor = Doctor(settings(disk))
    let file = try #require(files(disk).first)
    #expect(!doctor.examine().findings.contains { $0.file.contains("digest") })
    #expect(doctor.examine().isFine)
    let bytes = try #require(disk.contents(folder + "/segments/" + file))
    disk.setContents(folder + "/segments/" + file, bytes.dropLast() + [bytes[bytes.count - 1] ^ 1])
    let damaged = doctor.examine()
    #expect(damaged.isFine && damaged.findings.contains { $0.kind == .damagedDigest && $0.file == "segments/" + file })
    #expect(try FileStore.open(settings(disk)).healthSource().assess().segments.files == 5, "they are not counted")
    disk.setContents(place + "all.99.jsonl", bytes)
    disk.setContents(place + "all.1.jsonl", bytes)
    let store = try FileStore.open(settings(disk))
    for number in 20..<24 {
      #expect(store.commitAndWait(transaction(number, [put(number)])))
      try store.checkpoint()
    }
    #expect(!files(disk).contains { $0.hasSuffix("all.1.jsonl") || $0.hasSuffix("all.99.jsonl") })
    #expect(doctor.examine().isFine)
  }

  @Test("A store whose manifests are lost is rebuilt without them")
  func rebuilt() throws {
    let disk = try prepared()
    let contents = try FileStore.open(settings(disk)).snapshot.contents
    for found in disk.walk(folder) where found.path.hasPrefix("manifest") { disk.remove(folder + "/" + found.path) }
    let store = try FileStore.opened(settings(disk))
    #expect(try store.snapshot.contents == contents)
    #expect(try store.snapshot.collections == [meals])
    #expect(!store.recoveryReport.findings.contains { $0.file.contains("digest") })
  }

  @Test("A rebuilt store applies a transaction that changes one record twice completely")
  func rebuiltTwice() throws {
    let disk = try prepared()
    var store = try FileStore.opened(settings(disk))
    #expect(store.commitAndWait(transaction(70, [put(70), .delete(meals, id: id(70)), put(71), put(71, "{\"n\":2}")])))
    let contents = try store.snapshot.contents
    store.close()
    for found in disk.walk(folder) where found.path.hasPrefix("manifest") { disk.remove(folder + "/" + found.path) }
    store = try FileStore.opened(settings(disk))
    #expect(try store.snapshot.contents == contents)
  }

  @Test("No record can be put into a collection with such a name")
  func noCollection() throws {
    let store = try FileStore.open(settings(SimulatedDisk()))
    #expect(throws: StoreError.self) {
      _ = try store.commit(transaction(0, [put(0, in: CollectionName("digest-listing"))]))
    }
  }

  @Test("A checkpoint without space for them succeeds")
  func noRoom() throws {
    let disk = try prepared()
    let store = try FileStore.open(settings(disk))
    #expect(store.commitAndWait(transaction(50, [put(50)])))
    let long = Digest("listing", version: "1", of: [meals]) { _, _ in [UInt8](repeating: 0, count: 100_000) }
    guard var checkpoint = try Checkpoint(settings(disk, [long])) else {
      Issue.record("nobody else makes one")
      return
    }
    disk.setFaults { $0.freeBytes = 50_000 }
    try checkpoint.run { false }
    disk.setFaults { $0.freeBytes = nil }
    try store.poll()
    #expect(try store.snapshot.base.revision == store.revision)
    #expect(try found(disk) == 0)
  }
}
