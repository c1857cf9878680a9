import FileStoreTesting
import Pacing
import Testing

@testable import FileStore

/// A file where a folder belongs, a folder where a file belongs, and stores of newer versions.
extension DoctorTests {
  private static let wrongKinds: [(String, FileStatus.Kind)] =
    ["journal", "segments", "segments/meals", "segments/digest-listing", "backups", "quarantine", "logs"]
    .map { ($0, .file) }
    + [
      "lock", "store.json", "manifest.json", "manifest-2.json", "manifest-9.json", "reserve", "checkpoint.reserve",
      "latest.json", "ahead.jsonl", "checkpoint.lock", "scrubbed", "flags.json", "premium.json", "secrets.json",
      "pending-restore.json", "erasing.json", "journal/last.jsonl", "journal/000099.jsonl",
      "segments/meals/2024-12.1.jsonl", "segments/meals/2024-12.9.jsonl", "quarantine/list.jsonl", "backups/lock",
    ].map { ($0, .directory) }

  @Test(
    "With a file where a folder belongs, or the reverse, a second repair changes nothing, whatever else is damaged",
    arguments: wrongKinds, [true, false])
  func wrongKind(_ wrong: (place: String, kind: FileStatus.Kind), isDamaged: Bool) throws {
    let disk = try prepared()
    let last = try #require(disk.walk(folder + "/journal").map(\.path).sorted().last)
    if isDamaged {
      for file in ["journal/" + last, "segments/meals/2025-02.1.jsonl"] {
        var bytes = try #require(disk.contents(folder + "/" + file))
        bytes[200] ^= 0x10
        disk.setContents(folder + "/" + file, bytes)
      }
    }
    let place = wrong.place == "journal/last.jsonl" ? "journal/" + last : wrong.place
    let parent = place.split(separator: "/").dropLast().joined(separator: "/")
    if !parent.isEmpty, (try? disk.status(path: folder + "/" + parent)) == nil {
      try disk.makeDirectory(path: folder + "/" + parent)
    }
    disk.replace(folder + "/" + place, with: wrong.kind)
    _ = try? Doctor(settings(disk)).repair()
    func everything() -> [String] {
      disk.walk(folder).map { "\($0) \(disk.contents(folder + "/" + $0.path)?.hashValue ?? 0)" }
    }
    let contents = everything()
    for _ in 0..<2 {
      _ = try? Doctor(settings(disk)).repair()
      #expect(everything() == contents)
    }
    // Neither does work on the store go on for ever.
    let journals = disk.walk(folder + "/journal").count
    for _ in 0..<3 {
      guard let store = try? FileStore.open(settings(disk)) else { continue }
      try? store.checkpoint()
      store.close()
    }
    #expect(disk.walk(folder + "/journal").count <= journals + 1)
  }

  @Test("A file named like a folder of records is moved away by hand, and the repair then ends")
  func movedAway() throws {
    let disk = SimulatedDisk()
    let store = try FileStore.open(settings(disk))
    for number in 0..<3 { #expect(store.commitAndWait(transaction(number, [put(number)]))) }
    store.close()
    var bytes = try #require(disk.contents(journalFile))
    bytes[bytes.count - 100] ^= 1
    disk.setContents(journalFile, bytes)
    try disk.makeDirectory(path: folder + "/segments")
    disk.setContents(folder + "/segments/meals", Array("mine".utf8))
    let before = disk.walk(folder + "/journal").map(\.path)
    #expect(throws: StoreError.self) { try Doctor(settings(disk)).repair() }
    #expect(disk.walk(folder + "/journal").map(\.path) == before)
    disk.remove(folder + "/segments/meals")
    #expect(try !Doctor(settings(disk)).repair().steps.isEmpty)
    #expect(try Doctor(settings(disk)).repair().steps.isEmpty)
    #expect(Doctor(settings(disk)).examine().isFine)
  }

  @Test("A manifest of a newer format is no damage, and a repair touches nothing", arguments: [true, false])
  func newerManifest(isDamaged: Bool) throws {
    let disk = try prepared()
    let file = folder + "/manifest.json"
    guard case .readable(var manifest) = Manifest.read(disk.contents(file) ?? []) else {
      Issue.record("there is a manifest")
      return
    }
    manifest.head.format = 2
    disk.setContents(file, manifest.bytes)
    if isDamaged { disk.setContents(folder + "/flags.json", Array("{".utf8)) }
    let before = disk.walk(folder).map { "\($0) \(disk.contents(folder + "/" + $0.path)?.hashValue ?? 0)" }
    let report = Doctor(settings(disk)).examine()
    let newer = try #require(report.findings.first { $0.kind == .newerVersion }, "\(report.findings)")
    #expect(newer.file == "manifest.json" && newer.reason.contains("format 2"))
    #expect(!report.isLossPossible && !kinds(report).contains("unusableFolder"), "\(report.findings)")
    #expect { try Doctor(settings(disk)).repair() } throws: { ($0 as? StoreError)?.code == .storeReadOnly }
    #expect(disk.walk(folder).map { "\($0) \(disk.contents(folder + "/" + $0.path)?.hashValue ?? 0)" } == before)
  }
}
