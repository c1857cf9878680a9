import FileStoreTesting
import JSON
import Testing

@testable import FileStore

extension DoctorTests {
  /// Files and folders of a store that something else may replace.
  private static let places = [
    "lock", "store.json", "manifest.json", "manifest-1.json", "reserve", "checkpoint.reserve", "latest.json", "journal",
    "segments", "segments/meals", "checkpoint.lock",
  ]

  @Test(
    "A repair that cannot help changes nothing, however often it is tried", arguments: places,
    [FileStatus.Kind.symbolicLink, .other])
  func obstacles(_ place: String, _ kind: FileStatus.Kind) throws {
    let disk = try prepared()
    disk.replace(folder + "/" + place, with: kind)
    let before = disk.walk(folder).map { "\($0)" }
    for _ in 0..<2 {
      _ = try? Doctor(settings(disk)).repair()
      #expect(disk.walk(folder).map { "\($0)" } == before)
    }
  }

  @Test("The first repair recreates what is missing, and the second finds nothing to do", arguments: places)
  func missing(_ place: String) throws {
    let disk = try prepared()
    disk.remove(folder + "/" + place)
    _ = try Doctor(settings(disk)).repair()
    let contents = disk.walk(folder).map { "\($0)" }
    #expect(try Doctor(settings(disk)).repair().steps.isEmpty)
    #expect(disk.walk(folder).map { "\($0)" } == contents)
  }

  @Test("At any step of another process's checkpoint, none of its files is reported as orphaned")
  func duringCheckpoint() throws {
    let disk = try prepared()
    guard var checkpoint = try Checkpoint(settings(disk, disk.process(7))) else {
      Issue.record("nobody else makes one")
      return
    }
    while true {
      let report = Doctor(settings(disk)).examine()
      #expect(!kinds(report).contains("orphanSegment"), "\(report.findings)")
      if case .done = try checkpoint.advance() { break }
    }
  }

  @Test("Files left by a killed checkpoint are reported as orphaned")
  func killedCheckpoint() throws {
    let disk = try prepared()
    guard var killed = try Checkpoint(settings(disk, disk.process(7))) else {
      Issue.record("nobody else makes one")
      return
    }
    for _ in 0..<3 { _ = try killed.advance() }
    #expect(!kinds(Doctor(settings(disk)).examine()).contains("orphanSegment"))
    #expect(kinds(Doctor(settings(disk.afterCrash(.everything))).examine()).contains("orphanSegment"))
  }

  private func settings(_ disk: SimulatedDisk, _ process: SimulatedProcess) -> FileStore.Configuration {
    var settings = settings(disk)
    settings.fileSystem = process
    return settings
  }

  @Test("Files that only an older manifest names are verified too, and so are the small files")
  func spares() throws {
    let disk = try prepared()
    let store = try FileStore.open(settings(disk))
    #expect(store.commitAndWait(transaction(900, [put(0, day: 20_000, "{\"n\":900}")])))
    try store.checkpoint()
    store.close()
    #expect(!kinds(Doctor(settings(disk)).examine()).contains("damagedSpare"))
    let current = String(decoding: disk.contents(folder + "/manifest.json") ?? [], as: UTF8.self)
    let spare = try #require(
      disk.walk(folder + "/segments/meals").map(\.path).first { file in
        let parts = file.split(separator: ".")
        return !current.contains("\"month\":\"\(parts[0])\",\"generation\":\(parts[1]),")
      })
    var bytes = try #require(disk.contents(folder + "/segments/meals/" + spare))
    bytes[bytes.count / 2] ^= 1
    disk.setContents(folder + "/segments/meals/" + spare, bytes)
    try SmallFile(.flags, in: folder, disk).replace(with: JSONObject([("onboarded", .bool(true))]))
    var flags = try #require(disk.contents(folder + "/flags.json"))
    flags[flags.count / 2] ^= 1
    disk.setContents(folder + "/flags.json", flags)
    let report = Doctor(settings(disk)).examine()
    #expect(kinds(report).isSuperset(of: ["damagedSpare", "damagedSmallFile"]), "\(report.findings)")
    #expect(!report.isLossPossible)
  }

  @Test("A lock file with a second hard link is refused, as its text is written in place")
  func linkedLock() throws {
    let disk = try prepared()
    disk.remove(folder + "/lock")
    disk.setContents(folder + "/precious", Array("precious".utf8))
    disk.link(folder + "/precious", to: folder + "/lock")
    let store = try FileStore.opened(settings(disk))
    #expect { try store.commit(transaction(900, [put(900)])) } throws: { ($0 as? StoreError)?.code == .storeUntrusted }
    #expect(disk.contents(folder + "/precious") == Array("precious".utf8))
    store.close()
  }
}
