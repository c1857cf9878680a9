import CivilTime
import FileStoreTesting
import Pacing
import Testing
import Values

@testable import FileStore

@Suite("What stands in the data folder is not what should", .simulated)
struct HealthInputTests {
  private func settings(_ disk: SimulatedDisk) -> FileStore.Configuration {
    var settings = configuration(disk)
    settings.isInline = true
    settings.onDurable = { _ in }
    return settings
  }

  /// A store with a checkpoint and a journal after it.
  private func prepared() throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    let store = try FileStore.open(settings(disk))
    for number in 0..<4 { #expect(store.commitAndWait(transaction(number, [put(number)]))) }
    try store.checkpoint()
    for number in 4..<8 { #expect(store.commitAndWait(transaction(number, [put(number, day: 20_040)]))) }
    store.close()
    return disk.afterCrash(.everything)
  }

  private func change(_ disk: SimulatedDisk, _ body: (inout Manifest) -> Void) throws {
    let path = folder + "/manifest.json"
    guard case .readable(var manifest) = Manifest.read(try #require(disk.contents(path))) else {
      Issue.record("no manifest")
      return
    }
    body(&manifest)
    disk.setContents(path, manifest.bytes)
  }

  @Test("A manifest that requires a newer writer is read but not written, and that is reported")
  func newerWriter() throws {
    for isFeature in [true, false] {
      let disk = try prepared()
      try change(disk) { manifest in
        if isFeature { manifest.features.compatible = ["bookmarks"] } else { manifest.minWriter = 2 }
      }
      let store = try FileStore.open(settings(disk))
      #expect(try store.snapshot.count(in: meals) == 8)
      let changes = disk.changes
      let error = #expect(throws: StoreError.self) { try store.commit(transaction(9, [put(9)])) }
      #expect(error?.code == .storeReadOnly)
      #expect(try store.healthSource().assess().state == .readOnly)
      store.close()
      let doctor = Doctor(settings(disk))
      #expect(doctor.examine().findings.contains { $0.kind == .newerVersion })
      _ = try? doctor.repair()
      let writes = disk.trace.suffix(disk.calls).filter { $0.contains("manifest") && $0.hasPrefix("renameat") }
      #expect(writes.isEmpty && disk.contents(folder + "/quarantine/list.jsonl") == nil)
      #expect(disk.changes >= changes)
    }
  }

  @Test("A manifest with an unknown feature is neither read nor touched")
  func newerReader() throws {
    let disk = try prepared()
    try change(disk) { $0.features.incompatible = ["encrypted"] }
    let store = try FileStore.open(settings(disk))
    let error = #expect(throws: StoreError.self) { try store.snapshot }
    #expect(error?.code == .storeUnavailable && error?.message.contains("encrypted") == true)
    store.close()
    let changes = disk.changes
    let doctor = Doctor(settings(disk))
    #expect(!doctor.examine().isFine)
    _ = try? doctor.repair()
    #expect(disk.contents(folder + "/quarantine/list.jsonl") == nil)
    #expect(disk.changes == changes, "never quarantined, never rewritten")
  }

  @Test(
    "A folder of which a tool has copied one half is opened, told of, and goes on", arguments: 0..<40 as Range<UInt64>)
  func halfCopied(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let disk = try prepared()
    let files = disk.walk(folder).filter { $0.kind == .file && !$0.path.contains("/digest-") }
    for file in files where Bool.random(using: &generator) {
      let path = folder + "/" + file.path
      guard Bool.random(using: &generator), let bytes = disk.contents(path), !bytes.isEmpty else {
        disk.remove(path)
        continue
      }
      disk.setContents(path, Array(bytes[..<Int.random(in: 0..<bytes.count, using: &generator)]))
    }
    let changes = disk.changes
    let report = Doctor(settings(disk)).examine()
    let store = try FileStore.open(settings(disk))
    let contents = try store.snapshot.contents
    #expect(disk.changes == changes)
    if contents.count < 8 {
      // A missing tail leaves no trace.
      let isCutClean = contents.keys.sorted() == Array(0..<UInt64(contents.count))
      #expect(
        !report.isFine || isCutClean || report.findings.contains { $0.kind == .noStore }, "\(report.findings)")
    }
    #expect(store.commitAndWait(transaction(20, [put(20)])))
    store.close()
    let again = try FileStore.open(settings(disk))
    #expect(try again.snapshot.contents == contents.merging([20: "{}"]) { old, _ in old })
    again.close()
    _ = try Doctor(settings(disk)).repair()
    let after = Doctor(settings(disk)).examine()
    #expect(after.isFine, "\(after.findings)")
    #expect(
      try FileStore.open(settings(disk)).snapshot.contents == contents.merging([20: "{}"]) { old, _ in old })
  }

  @Test("A store that lost all journals continues, and later writes are found again")
  func noJournals() throws {
    let disk = try prepared()
    for file in disk.walk(folder + "/journal") { disk.remove(folder + "/journal/" + file.path) }
    let store = try FileStore.open(settings(disk))
    #expect(try store.snapshot.contents.count == 4)
    #expect(store.commitAndWait(transaction(20, [put(20)])))
    store.close()
    let again = try FileStore.open(settings(disk))
    #expect(try again.snapshot.contents.count == 5)
    again.close()
    _ = try Doctor(settings(disk)).repair()
    #expect(Doctor(settings(disk)).examine().isFine)
    #expect(try FileStore.open(settings(disk)).snapshot.contents.count == 5)
  }

  @Test("A change that is too large is refused before anything of it is written")
  func tooLarge() throws {
    let disk = try prepared()
    var limited = settings(disk)
    limited.lineSizeLimit = 2000
    let store = try FileStore.open(limited)
    let before = disk.contents(folder + "/journal/000002.jsonl")
    let error = #expect(throws: StoreError.self) {
      try store.commit(transaction(9, [put(9, "{\"n\":\"\(String(repeating: "x", count: 2000))\"}")]))
    }
    #expect(error?.code == .recordTooLarge && error?.details["limit"] == "2000")
    #expect(disk.contents(folder + "/journal/000002.jsonl") == before)
    #expect(store.commitAndWait(transaction(10, [put(10)])))
    store.close()
  }

  @Test(
    "Whatever replaces a file of the store is not followed, and reported by the doctor",
    arguments: ["manifest.json", "journal/000002.jsonl", "segments/meals/2024-10.1.jsonl", "store.json", "lock"],
    [FileStatus.Kind.symbolicLink, .other, .directory])
  func strangeFiles(_ file: String, _ kind: FileStatus.Kind) throws {
    let disk = try prepared()
    disk.remove(folder + "/" + file)
    disk.replace(folder + "/" + file, with: kind)
    let changes = disk.changes
    let report = Doctor(settings(disk)).examine()
    #expect(!report.isFine || file == "lock" && kind == .directory, "\(report.findings)")
    _ = try? Doctor(settings(disk)).repair()
    #expect(disk.walk(folder).first { $0.path == file }?.kind == kind, "it is left in place")
    #expect(disk.changes >= changes)
  }
}
