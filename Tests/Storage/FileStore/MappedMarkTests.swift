import FileStoreTesting
import Foundation
import Pacing
import Testing

@testable import FileStore

@Suite("Following others without a system call", .simulated)
struct MappedMarkTests {
  private static let markFile = folder + "/" + LatestMark.fileName
  private let disk = SimulatedDisk()

  init() { disk.setFaults { $0.mapsFiles = true } }

  private func open(_ process: Int32 = 42) throws -> FileStore {
    let store = try FileStore.open(inline(disk.process(process)))
    _ = try store.revision
    return store
  }

  /// A writer, and a reader that has mapped the mark.
  private func pair() throws -> (writer: FileStore, reader: FileStore) {
    let writer = try open(7)
    #expect(writer.commitAndWait(transaction(0, [put(0)])))
    let reader = try open()
    #expect(try !reader.follow())
    return (writer, reader)
  }

  private func calls(_ body: () throws -> Void) rethrows -> Int {
    let before = disk.calls
    try body()
    return disk.calls - before
  }

  @Test(
    "Without changes a follow makes no call; if the mark cannot be mapped, or there is no store, one",
    arguments: [true, false])
  func cost(isEmpty: Bool) throws {
    if !isEmpty {
      let writer = try open(7)
      #expect(writer.commitAndWait(transaction(0, [put(0)])))
    }
    for mapsFiles in [true, false] {
      disk.setFaults { $0.mapsFiles = mapsFiles }
      let reader = try open()
      #expect(try !reader.follow())
      let count = try calls { for _ in 0..<100 { try reader.follow() } }
      #expect(count == (mapsFiles && !isEmpty ? 0 : 100))
      reader.close()
    }
  }

  @Test(
    "The words of a revision equal those in its mark",
    arguments: [0, 7, 10, 1234, 99_999_999_999_999, 100_000_000_000_000, Int.max])
  func words(revision: Int) {
    LatestMark(store: .zero, revision: revision).bytes.withUnsafeBytes { text in
      for (at, word) in [(64, MappedMark.words(of: revision).x), (72, MappedMark.words(of: revision).y)] {
        #expect(text.loadUnaligned(fromByteOffset: at, as: UInt64.self) == word)
      }
    }
  }

  @Test("An import whose process died right after its manifest is found by the next writer")
  func manifestAlone() throws {
    let (store, _) = try pair()
    for number in 1..<4 { #expect(store.commitAndWait(transaction(number, [put(number)]))) }
    let (mark, journal) = (disk.contents(Self.markFile), disk.contents(journalFile))
    var settings = inline(disk.process(9))
    settings.journaledImportLimit = 0
    let line =
      "{\"collection\":\"meals\",\"id\":\"\(id(50))\",\"day\":\"2024-10-04\",\"created\":\"1970-01-01T00:00:00.000Z\","
      + "\"updated\":\"1970-01-01T00:00:00.000Z\",\"schema\":1,\"body\":{}}"
    _ = try FileStore.importRecords(.lines([Array(line.utf8)[...]]), .merge, settings, author: "test")
    disk.setContents(Self.markFile, try #require(mark))
    disk.setContents(journalFile, try #require(journal))
    disk.remove(folder + "/journal/000002.jsonl")
    #expect(store.commitAndWait(transaction(5, [put(5)])))
    let again = try open(10)
    #expect(try again.snapshot.contents.keys.sorted() == [0, 1, 2, 3, 5, 50])
  }

  @Test("A process does not look for what it wrote itself")
  func ownWrites() throws {
    let (store, _) = try pair()
    #expect(try !store.follow())
    for number in 1..<12 {
      #expect(store.commitAndWait(transaction(number, [put(number)])))
      #expect(try calls { try store.follow() } == 0)
    }
  }

  @Test(
    "A store that another process creates is seen by the next follow, in an existing folder or not",
    arguments: [true, false])
  func founded(isThere: Bool) throws {
    let reader = try open()
    if isThere {
      let other = try open(8)
      #expect(try other.beginWriting())
      disk.kill(disk.process(8))
    }
    #expect(try !reader.follow())
    let writer = try open(7)
    for number in 0..<3 {
      #expect(writer.commitAndWait(transaction(number, [put(number)])))
      #expect(try reader.follow())
      #expect(try reader.revision == number + 1)
    }
    #expect(try !reader.follow())
    #expect(try calls { try reader.follow() } == 0)
  }

  @Test(
    "What a writer left that was killed before it noted it is found by a look around, and by all with the next write")
  func killed() throws {
    var calls = 0
    var isKilled = true
    while isKilled {
      let world = MappedMarkTests()
      let (writer, reader) = try world.pair()
      writer.close()
      let process = world.disk.process(9)
      let victim = try FileStore.open(inline(process))
      _ = try victim.revision
      world.disk.kill(process, afterCalls: calls)
      let isAnswered = victim.commitAndWait(transaction(1, [put(1)]))
      isKilled = world.disk.isDead(process)
      world.disk.kill(process)
      let isSeen = try reader.follow()
      // The dead process got no answer.
      #expect(isSeen || !isAnswered || isKilled, "call \(calls)")
      let next = try world.open(8)
      let isThere = try next.revision == 2
      try reader.poll()
      #expect(try reader.revision == next.revision, "call \(calls)")
      // A process without changes has proven what the dead one wrote, and updated the mark.
      let other = try world.open(10)
      #expect(try !other.follow())
      #expect(next.commitAndWait(transaction(2, [put(2)])))
      for one in [reader, other] {
        #expect(try one.follow(), "call \(calls)")
        #expect(try one.revision == (isThere ? 3 : 2))
      }
      calls += 1
    }
    #expect(calls > 5)
  }

  @Test("A proof of a dead writer's lines updates the mark")
  func proof() throws {
    let (writer, reader) = try pair()
    let process = disk.process(9)
    let victim = try FileStore.open(inline(process))
    _ = try victim.revision
    disk.setFaults { $0.rules = [DiskFault(.fails(.inputOutput), calls: [.overwrite], isForEver: true, process: 9)] }
    #expect(victim.commitAndWait(transaction(1, [put(1)])))
    #expect(try !reader.follow(), "the mark could not be updated")
    #expect(try writer.beginWriting())
    writer.endWriting()
    writer.waitUntilDurable()
    #expect(try reader.follow())
    #expect(try reader.revision == 2)
  }

  /// What may have happened to the mark.
  enum Damage: CaseIterable {
    case empty, short, long, garbage, missing, second, open, link
  }

  private func damage(_ damage: Damage) {
    let text = disk.contents(Self.markFile) ?? []
    switch damage {
    case .empty: disk.setContents(Self.markFile, [])
    case .short: disk.setContents(Self.markFile, Array(text.dropLast(30)))
    case .long: disk.setContents(Self.markFile, text + text)
    case .garbage: disk.setContents(Self.markFile, text.map { $0 ^ 1 })
    case .missing: disk.remove(Self.markFile)
    case .second: disk.link(Self.markFile, to: folder + "/second")
    case .open: disk.setMode(Self.markFile, 0o666)
    case .link: disk.replace(Self.markFile, with: .symbolicLink)
    }
  }

  @Test("A mark in an unexpected state is ignored: one call is made instead", arguments: Damage.allCases)
  func damagedBefore(_ damage: Damage) throws {
    let (writer, reader) = try pair()
    reader.close()
    writer.close()
    self.damage(damage)
    let (other, late) = (try open(9), try open())
    #expect(try !late.follow())
    for number in 1..<4 {
      #expect(other.commitAndWait(transaction(number, [put(number)])))
      #expect(try late.follow())
      #expect(try late.revision == number + 1)
    }
  }

  @Test(
    "Whatever happens to the mapped mark, changes are seen by the next follow or full follow",
    arguments: Damage.allCases)
  func damagedMeanwhile(_ damage: Damage) throws {
    let (writer, reader) = try pair()
    self.damage(damage)
    // A change in place is seen at once; a change of its name is noticed by a full follow.
    if [.missing, .second, .link].contains(damage) { try reader.poll() }
    let late = try open(8)
    for number in 1..<4 {
      let author = number % 2 == 0 ? writer : late
      #expect(author.commitAndWait(transaction(number, [put(number)])))
      #expect(try reader.follow(), "\(number)")
      #expect(try reader.revision == number + 1)
    }
    try reader.poll()
    #expect(writer.commitAndWait(transaction(4, [put(4)])))
    #expect(try reader.follow())
  }

  @Test("A large import is seen by the next follow")
  func largeImport() throws {
    let (_, reader) = try pair()
    var settings = inline(disk.process(9))
    settings.journaledImportLimit = 0
    let line =
      "{\"collection\":\"meals\",\"id\":\"\(id(5))\",\"day\":\"2026-01-05\",\"created\":\"1970-01-01T00:00:00Z\","
      + "\"updated\":\"1970-01-01T00:00:00Z\",\"schema\":1,\"body\":{}}"
    _ = try FileStore.importRecords(.lines([Array(line.utf8)[...]]), .merge, settings, author: "test")
    #expect(try reader.follow())
    #expect(try reader.revision == 2)
    #expect(try reader.snapshot.contents == [0: "{}", 5: "{}"])
  }

  @Test("An erasure is seen by the next follow, and so is the next store, even at the same revision")
  func erased() throws {
    let (writer, reader) = try pair()
    _ = try writer.erase()
    #expect(try reader.follow())
    #expect(try reader.revision == 0)
    #expect(writer.commitAndWait(transaction(0, [put(3)])))
    #expect(try reader.follow())
    #expect(try reader.snapshot.contents == [3: "{}"])
  }

  @Test("A replaced folder is noticed by a full follow", arguments: [true, false])
  func exchanged(isRemoved: Bool) throws {
    let (_, reader) = try pair()
    if isRemoved { disk.remove(folder) } else { disk.move(folder, to: "/home/someone/aside") }
    let founder = try open(9)
    for number in 0..<2 { #expect(founder.commitAndWait(transaction(number, [put(number + 4)]))) }
    try reader.poll()
    #expect(try reader.snapshot.contents == [4: "{}", 5: "{}"])
    #expect(founder.commitAndWait(transaction(2, [put(6)])))
    #expect(try reader.follow())
    #expect(try reader.snapshot.contents == [4: "{}", 5: "{}", 6: "{}"])
  }

  @Test("A journal that continues in another file without a seal is followed there")
  func failedSync() throws {
    let (writer, reader) = try pair()
    disk.setFaults { $0.failingSyncs = 1 }
    #expect(writer.commitAndWait(transaction(1, [put(1)])))
    #expect(disk.contents(folder + "/journal/000002.jsonl") != nil)
    #expect(try reader.follow())
    #expect(writer.commitAndWait(transaction(2, [put(2)])))
    #expect(try reader.follow())
    #expect(try reader.revision == 3)
  }

  @Test("Others are followed through the mapped mark, and truncating it does no harm")
  func cutMark() throws {
    let path = FileManager.default.temporaryDirectory.path + "/daybook-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let writer = try FileStore.open(configuration(PosixFileSystem(), folder: path))
    #expect(writer.commitAndWait(transaction(0, [put(0)])))
    let reader = try FileStore.opened(configuration(PosixFileSystem(), folder: path))
    #expect(try !reader.follow())
    #expect(reader.mark?.words != nil)
    let mark = try #require(FileHandle(forWritingAtPath: path + "/latest.json"))
    for number in 1..<9 {
      if number % 3 == 0 {
        try mark.truncate(atOffset: 0)
        #expect(try !reader.follow())
        #expect(reader.mark?.words == nil)
      }
      #expect(writer.commitAndWait(transaction(number, [put(number)])))
      #expect(try reader.follow())
      #expect(try reader.revision == number + 1)
      #expect(try !reader.follow())
      try reader.poll()
    }
    #expect(reader.mark?.words != nil)
    reader.close()
    writer.close()
  }
}
