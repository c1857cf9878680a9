import CivilTime
import FileStoreTesting
import Pacing
import Platform
import Testing
import Values

@testable import FileStore

@Suite("Health", .simulated)
struct HealthTests {
  private func settings(_ disk: SimulatedDisk) -> FileStore.Configuration {
    var settings = configuration(disk)
    settings.isInline = true
    settings.onDurable = { _ in }
    return settings
  }

  /// A store whose records 0 and 1 were put by changes 1 and 2, and changed by 3 and 4.
  private func prepared(checkpoint: Bool = false) throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    let store = try FileStore.open(settings(disk))
    for number in 0..<4 {
      #expect(store.commitAndWait(transaction(number, [put(number % 2, "{\"n\":\(number)}")])))
    }
    if checkpoint { try store.checkpoint() }
    store.close()
    return disk.afterCrash(.everything)
  }

  private func health(_ disk: SimulatedDisk, further: RecoveryReport = RecoveryReport()) throws -> StoreHealth {
    let store = try FileStore.open(settings(disk))
    defer { store.close() }
    let changes = disk.changes
    let health = try store.healthSource().assess(further: further)
    #expect(disk.changes == changes, "assessing changes nothing")
    return health
  }

  /// Changes a byte in the middle of a line of the journal.
  private func damage(_ disk: SimulatedDisk, line: Int) throws {
    var bytes = try #require(disk.contents(journalFile))
    let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
    bytes[((line == 0 ? 0 : ends[line - 1]) + ends[line]) / 2] ^= 1
    disk.setContents(journalFile, bytes)
  }

  @Test("An intact store is fine, and so is one whose last writer died during a line")
  func fine() throws {
    let disk = try prepared()
    let present = try health(disk)
    #expect(present.state == .fine && present.findings.isEmpty && present.revision == 4)
    #expect(present.journals.files == 1 && present.journals.bytes == disk.contents(journalFile)?.count)
    #expect(present.lastChangeAt == transaction(3, []).at && present.clockLag == nil)
    disk.setContents(journalFile, try #require(disk.contents(journalFile)) + Array("{\"seq\":5".utf8))
    let torn = try health(disk)
    #expect(torn.state == .fine && torn.findings.map(\.kind) == [.tornTail])
  }

  @Test("A record whose change was lost is uncertain until it is changed again, through checkpoints and restarts")
  func uncertain() throws {
    let disk = try prepared()
    try damage(disk, line: 3)
    let before = try health(disk)
    #expect(before.state == .degraded)
    #expect(before.lostRevisions == [4...4])
    #expect(before.uncertain == [RecordReference(collection: meals, id: id(1))])

    let store = try FileStore.open(settings(disk))
    try store.checkpoint()
    #expect(store.commitAndWait(transaction(10, [put(0, "{\"n\":10}")])))
    try store.checkpoint()
    store.close()
    let kept = try health(disk)
    #expect(kept.state == .recovered, "nothing is damaged now, but something was")
    #expect(kept.lostRevisions == [4...4])
    #expect(kept.uncertain == [RecordReference(collection: meals, id: id(1))])

    let writer = try FileStore.open(settings(disk))
    #expect(writer.commitAndWait(transaction(11, [put(1, "{\"n\":11}")])))
    writer.close()
    #expect(try health(disk).uncertain.isEmpty)
  }

  @Test("A record that was changed after the lost change is not uncertain")
  func changedSince() throws {
    let disk = try prepared()
    try damage(disk, line: 1)
    let present = try health(disk)
    #expect(present.state == .degraded && present.lostRevisions == [2...2] && present.uncertain.isEmpty)
  }

  @Test("A scrub finds damage that nobody has read yet, and writes nothing")
  func scrub() throws {
    let disk = try prepared(checkpoint: true)
    let path = folder + "/segments/meals/2024-10.1.jsonl"
    var bytes = try #require(disk.contents(path))
    bytes[300] ^= 1
    disk.setContents(path, bytes)
    disk.remove(journalFile)
    #expect(try health(disk).findings.isEmpty)
    let changes = disk.changes
    var scrub = try Scrub(settings(disk))
    while try scrub.step() {}
    #expect(disk.changes == changes && scrub.done == scrub.total)
    #expect(Set(scrub.report.findings.map(\.kind)).isSuperset(of: [.damagedSegment, .damagedHistory]))
    #expect(try health(disk, further: scrub.report).state == .degraded)
  }

  @Test("A segment that is damaged outside its records, or can be rebuilt, is no loss")
  func madeAgain() throws {
    for (offset, kind) in [(20, Finding.Kind.repairedSegment), (300, .restoredSegment)] {
      let disk = try prepared(checkpoint: true)
      let expected = try FileStore.open(settings(disk)).snapshot.contents
      let path = folder + "/segments/meals/2024-10.1.jsonl"
      var bytes = try #require(disk.contents(path))
      bytes[offset] ^= 1
      disk.setContents(path, bytes)
      let store = try FileStore.open(settings(disk))
      #expect(try store.snapshot.contents == expected)
      #expect(Set(store.recoveryReport.findings.map(\.kind)) == [kind])
      #expect(!store.recoveryReport.isLossPossible)
      #expect(try store.healthSource().assess().state == .recovered)
      store.close()
    }
  }

  @Test(
    "Signs of sync programs are found in, next to and above the folder",
    arguments: [
      ("/home/someone/daybook/.stfolder", FileStatus.Kind.directory, true),
      ("/home/someone/.stfolder", .directory, true), ("/home/.dropbox.cache", .directory, true),
      ("/home/someone/.dropbox", .file, true), ("/home/someone/.dropbox", .directory, false),
      ("/home/someone/desktop.ini", .file, true), ("/home/desktop.ini", .file, false),
      ("/home/someone/other", .file, false),
    ])
  func markers(_ path: String, _ kind: FileStatus.Kind, _ isSign: Bool) throws {
    let disk = try prepared()
    disk.replace(path, with: kind)
    #expect(try health(disk).place.syncMarker == (isSign ? path : nil))
  }

  @Test(
    "Conflict copies are recognised by their names",
    arguments: [
      ("000001.sync-conflict-20260101-120000-ABCDEFG.jsonl", true), ("000001 (conflicted copy 2026-01-01).jsonl", true),
      ("000001 (1).jsonl", true), ("manifest (someone's conflicted copy).json", true), (".000001.jsonl.icloud", true),
      ("000001.jsonl", false), ("manifest-2.json", false), ("lock", false), ("notes (draft).txt", false),
    ])
  func conflictCopies(_ name: String, _ isCopy: Bool) throws {
    let disk = try prepared()
    disk.setContents(folder + "/journal/" + name, disk.contents(folder + "/journal/" + name) ?? [])
    #expect(try health(disk).place.conflictCopies == (isCopy ? ["journal/" + name] : []))
  }

  @Test("A clock that went back a year is reported, and changes keep their order")
  func clock() throws {
    let disk = try prepared()
    var back = settings(disk)
    let year: Int64 = 365 * 86_400_000
    back.now = { Instant(milliseconds: 1_767_614_400_000 - year) }
    let store = try FileStore.open(back)
    let present = try store.healthSource().assess()
    #expect((present.clockLag ?? 0) > year - 1000)
    let early = Transaction(
      id: transactionID(20), at: back.now(), author: "test", label: "meals/add", operations: [put(0, "{\"n\":20}")])
    #expect(try store.commit(early) == 5)
    store.waitUntilDurable()
    store.close()
    let again = try FileStore.open(back)
    #expect(try again.snapshot.contents[0] == "{\"n\":20}", "the order of changes does not depend on the clock")
    #expect(try again.healthSource().assess().clockLag == nil)
    again.close()
  }

  @Test("Network file systems are recognised by their numbers")
  func media() throws {
    #expect(try health(prepared()).place.medium == .local)
    #expect(StorePlace().medium == .local)
  }
}
