import CivilTime
import FileStoreTesting
import Pacing
import Testing
import Values

@testable import FileStore

@Suite("The doctor", .simulated)
struct DoctorTests {
  private static let days = [20_000, 20_040, 20_080, 20_120]

  func settings(_ disk: SimulatedDisk) -> FileStore.Configuration {
    var settings = configuration(disk)
    settings.isInline = true
    settings.onDurable = { _ in }
    settings.journalSizeLimit = 900
    return settings
  }

  /// A store of three generations with several journals after the last one, on a synced disk.
  func prepared() throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    let store = try FileStore.open(settings(disk))
    var number = 0
    func add(_ records: Range<Int>) {
      for record in records {
        let day = DoctorTests.days[record % 4]
        #expect(store.commitAndWait(transaction(number, [put(record, day: day, "{\"n\":\(number)}")])))
        number += 1
      }
    }
    add(0..<12)
    try store.checkpoint()
    // The first two months change.
    for record in [0, 1, 4, 5] { add(record..<(record + 1)) }
    try store.checkpoint()
    for record in [2, 6] { add(record..<(record + 1)) }
    try store.checkpoint()
    add(20..<32)
    store.close()
    return disk.afterCrash(.everything)
  }

  private func flip(_ disk: SimulatedDisk, _ path: String, at offset: Int) throws {
    var bytes = try #require(disk.contents(folder + "/" + path), "\(path) is not there")
    bytes[offset] ^= 0x10
    disk.setContents(folder + "/" + path, bytes)
  }

  func kinds(_ report: DoctorReport) -> Set<String> { Set(report.findings.map(\.kind.rawValue)) }

  @Test("Ten kinds of damage at once are reported without a change, and repaired with everything readable kept")
  func tenKinds() throws {
    let disk = try prepared()
    let before = try FileStore.open(settings(disk)).snapshot.contents
    let journals = disk.walk(folder + "/journal").map(\.path)
    #expect(journals.count >= 9, "\(journals)")
    let manifest = try #require(disk.contents(folder + "/manifest.json"))

    try flip(disk, "journal/\(journals[journals.count - 1])", at: 300)
    try flip(disk, "segments/meals/2025-02.1.jsonl", at: 400)
    let whole = try #require(disk.contents(folder + "/segments/meals/2024-12.1.jsonl"))
    disk.setContents(folder + "/segments/meals/2024-12.1.jsonl", Array(whole[..<350]))
    disk.remove(folder + "/segments/meals/2024-10.2.jsonl")
    disk.remove(folder + "/journal/" + journals[journals.count - 3])
    try flip(disk, "manifest.json", at: manifest.count / 2)
    disk.setContents(folder + "/store.json", Array("{\"format\":1,\"st".utf8))
    disk.setMode(folder + "/segments/meals/2024-11.2.jsonl", 0o644)
    disk.setContents(folder + "/segments/meals/2020-01.1.jsonl", try segmentFile([], "2020-01", generation: 1).bytes)
    let copy = "journal/000001.sync-conflict-20260101-120000-ABCDEFG.jsonl"
    disk.setContents(folder + "/" + copy, Array("{}\n".utf8))

    let damaged = disk.afterCrash(.everything)
    let doctor = Doctor(settings(disk))
    let changes = disk.changes
    let report = doctor.examine()
    #expect(disk.changes == changes, "examining changes nothing")
    #expect(!report.isFine && report.isLossPossible)
    #expect(
      kinds(report).isSuperset(of: [
        "damagedLine", "restoredSegment", "sequenceGap", "damagedManifest", "olderManifest", "identityLost",
        "wrongMode", "orphanSegment", "conflictCopy",
      ]), "\(kinds(report))")
    for name in ["2025-02.1", "2024-12.1", "2024-10.2"] {
      #expect(report.findings.contains { $0.file == "segments/meals/\(name).jsonl" }, "\(name)")
    }
    #expect(report.findings.allSatisfy { !$0.reason.isEmpty })

    let readable = try FileStore.open(settings(disk)).snapshot.contents
    let repair = try doctor.repair()
    #expect(repair.steps.count >= 5, "\(repair.steps)")
    let after = doctor.examine()
    #expect(after.isFine, "\(after.findings)")
    let contents = try FileStore.open(settings(disk)).snapshot.contents
    #expect(contents == readable, "what could be read before can be read now")
    let lost = before.keys.filter { contents[$0] != before[$0] }
    #expect(lost.count <= 4 && lost.allSatisfy { $0 >= 20 }, "only records of the lost lines are lost: \(lost)")
    #expect(try FileStore.open(settings(disk)).recoveryReport.findings.isEmpty)
    #expect(disk.isPrivate(folder))

    // Everything damaged is kept unchanged.
    for name in [
      "manifest.json", "store.json", "segments/meals/2025-02.1.jsonl", "segments/meals/2024-12.1.jsonl",
      "segments/meals/2020-01.1.jsonl", copy,
    ] {
      let bytes = damaged.contents(folder + "/" + name)
      let copies = disk.walk(folder + "/quarantine").map { disk.contents(folder + "/quarantine/" + $0.path) }
      #expect(copies.contains(bytes), "\(name) is not kept")
    }
    let store = try FileStore.open(settings(disk))
    #expect(store.commitAndWait(transaction(90, [put(90)])))
    store.close()
  }

  @Test("An unusable backup is reported: the newest by every byte, older ones by a quick check")
  func damagedBackups() throws {
    let disk = try prepared()
    let backups = Backups(settings(disk))
    let older = try backups.create(.manual)
    let newer = try backups.create(.manual)
    let doctor = Doctor(settings(disk))
    #expect(!kinds(doctor.examine()).contains("damagedBackup"))
    // A shared file is damaged in both; of the older backup it is not read.
    let files = disk.walk(folder + "/backups/\(newer.id)").map(\.path).filter {
      $0.hasPrefix("segments/") && $0.hasSuffix(".jsonl")
    }
    let file = try #require(files.first)
    try flip(disk, "backups/\(newer.id)/\(file)", at: 200)
    disk.remove(folder + "/backups/\(older.id)/\(BackupList.fileName)")
    let changes = disk.changes
    let found = doctor.examine().findings.filter { $0.kind.rawValue == "damagedBackup" }
    #expect(disk.changes == changes, "examining changes nothing")
    #expect(Set(found.map(\.file)) == ["backups/\(newer.id)", "backups/\(older.id)"], "\(found)")
    #expect(found.contains { $0.reason.contains(file) })
  }

  @Test("A repair that is interrupted at any call can be repeated, and loses nothing readable")
  func cutOff() throws {
    func damagedDisk() throws -> SimulatedDisk {
      let disk = try prepared()
      try flip(disk, "segments/meals/2025-02.1.jsonl", at: 400)
      try flip(disk, "manifest.json", at: 700)
      disk.setContents(folder + "/store.json", [])
      disk.setContents(folder + "/segments/meals/2020-01.1.jsonl", try segmentFile([], "2020-01", generation: 1).bytes)
      return disk
    }
    let dry = try damagedDisk()
    let expected = try FileStore.open(settings(dry)).snapshot.contents
    let start = dry.calls
    _ = try Doctor(settings(dry)).repair()
    let calls = dry.calls - start
    for cut in Sweeps.places(stride(from: 0, through: calls, by: 7)) {
      for survival in [Survival.nothing, .random(seed: UInt64(cut))] {
        let disk = try damagedDisk()
        disk.cutPower(afterCalls: cut)
        _ = try? Doctor(settings(disk)).repair()
        let found = disk.afterCrash(survival)
        let comment: Comment = "cut at \(cut), \(survival)"
        #expect(try FileStore.open(settings(found)).snapshot.contents == expected, comment)
        _ = try Doctor(settings(found)).repair()
        #expect(Doctor(settings(found)).examine().isFine, comment)
        #expect(try FileStore.open(settings(found)).snapshot.contents == expected, comment)
      }
    }
  }

  @Test("If a manifest and all its predecessors are damaged, it is rebuilt from the files")
  func noManifest() throws {
    let disk = try prepared()
    let before = try FileStore.open(settings(disk)).snapshot.contents
    for name in ["manifest.json", "manifest-1.json", "manifest-2.json"] { try flip(disk, name, at: 60) }
    let doctor = Doctor(settings(disk))
    #expect(kinds(doctor.examine()).contains("rebuiltManifest"))
    _ = try doctor.repair()
    let after = doctor.examine()
    #expect(after.isFine, "\(after.findings)")
    #expect(try FileStore.open(settings(disk)).snapshot.contents == before)
  }

  @Test("Damage to a journal kept only for undo loses no record, and is repaired")
  func history() throws {
    let disk = try prepared()
    let before = try FileStore.open(settings(disk)).snapshot.contents
    try flip(disk, "journal/000001.jsonl", at: 300)
    let doctor = Doctor(settings(disk))
    let report = doctor.examine()
    #expect(kinds(report).contains("damagedHistory") && !report.isLossPossible)
    _ = try doctor.repair()
    #expect(doctor.examine().isFine, "\(doctor.examine().findings)")
    #expect(try FileStore.open(settings(disk)).snapshot.contents == before)
  }

  @Test("An older segment under a newer one's name is noticed by its hash")
  func otherTime() throws {
    let disk = try prepared()
    let old = try #require(disk.contents(folder + "/segments/meals/2024-10.1.jsonl"))
    disk.setContents(folder + "/segments/meals/2024-10.2.jsonl", old)
    let before = try FileStore.open(settings(disk)).snapshot.contents
    let report = Doctor(settings(disk)).examine()
    #expect(!report.isFine)
    _ = try Doctor(settings(disk)).repair()
    #expect(Doctor(settings(disk)).examine().isFine)
    #expect(try FileStore.open(settings(disk)).snapshot.contents == before)
  }
}
