import FileStoreTesting
import Pacing
import Testing
import Values

@testable import FileStore

/// Journals that are gone, shortened or damaged, while `ahead.jsonl` has copies of their lines.
@Suite("Copies of journal lines, when the journal is gone", .simulated)
struct LostJournalTests {
  private static let file = folder + "/" + AheadFile.fileName

  private func settings(_ fileSystem: any FileSystem, size: Int = 64 << 10, journal: Int = 16 << 20)
    -> FileStore.Configuration
  {
    var settings = inline(fileSystem)
    (settings.aheadSize, settings.aheadThreshold, settings.journalSizeLimit) = (size, 2, journal)
    return settings
  }

  /// A store with 30 changes, all but the first two of which have copies; with a checkpoint, of the ten after it.
  private func made(folding: Bool = false, size: Int = 64 << 10, _ count: Int = 30) throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    let store = try FileStore.opened(settings(disk, size: size))
    for number in 0..<count {
      if folding, number == count - 10 { try store.checkpoint() }
      #expect(store.commitAndWait(transaction(number, [put(number)])))
    }
    store.close()
    return disk.afterCrash(.everything)
  }

  private func journals(_ disk: SimulatedDisk) -> [String] { disk.walk(folder + "/journal").map(\.path).sorted() }

  /// The contents that a new process reads.
  private func contents(_ disk: SimulatedDisk) throws -> [UInt64] {
    let store = try FileStore.opened(settings(disk))
    defer { store.close() }
    return try store.snapshot.contents.keys.sorted()
  }

  enum Removal: CaseIterable {
    case journal, folder, journalAndMark
  }

  @Test(
    "Every copied change is read, written into a journal by the next change or a repair, and none of them reported lost",
    arguments: Removal.allCases, [true, false])
  func removed(_ removal: Removal, folding: Bool) throws {
    let made = try made(folding: folding)
    let last = try #require(journals(made).last)
    let text = String(decoding: try #require(made.contents(Self.file)), as: UTF8.self)
    let copied = (0..<30).filter { text.contains("\"seq\":\($0 + 1),") }.map { UInt64($0) }
    #expect(copied.count { $0 >= 20 } >= 8)
    let expected = Set(folding ? (0..<20).map { UInt64($0) } : []).union(copied).sorted()
    func broken() -> SimulatedDisk {
      let disk = made.afterCrash(.everything)
      disk.remove(folder + (removal == .folder ? "/journal" : "/journal/" + last))
      if removal == .journalAndMark { disk.remove(folder + "/latest.json") }
      return disk
    }
    do {
      let disk = broken()
      let changes = disk.changes
      let store = try FileStore.opened(settings(disk))
      #expect(try store.snapshot.contents.keys.sorted() == expected)
      #expect(try store.revision == 30)
      let gaps = store.recoveryReport.findings.filter { $0.kind.isLossPossible }
      for gap in gaps {
        let lost = (gap.previousSequence + 1)..<(gap.nextSequence ?? .max)
        #expect(!expected.contains { lost.contains(Int($0) + 1) }, "\(gap)")
      }
      #expect(gaps.isEmpty == (expected.count == 30), "\(gaps)")
      #expect(disk.changes == changes, "reading writes nothing")
      #expect(store.commitAndWait(transaction(30, [put(30)])))
      #expect(try store.revision == 31)
      store.close()
      #expect(try contents(disk.afterCrash(.nothing)) == expected + [30])
    }
    do {
      let disk = broken()
      let report = Doctor(settings(disk)).examine()
      #expect(report.findings.contains { $0.kind == .restoredJournal }, "\(report.findings)")
      #expect(try !Doctor(settings(disk)).repair().steps.isEmpty)
      let found = disk.walk(folder).map { "\($0)" }
      #expect(try Doctor(settings(disk)).repair().steps.isEmpty)
      #expect(disk.walk(folder).map { "\($0)" } == found)
      #expect(try contents(disk.afterCrash(.nothing)) == expected)
    }
  }

  @Test("A repair that a power cut interrupts at any call loses nothing, and ends like one that was not")
  func interrupted() throws {
    let broken = try made()
    broken.remove(journalFile)
    let expected = try contents(broken)
    let dry = broken.afterCrash(.everything)
    _ = try Doctor(settings(dry)).repair()
    let calls = dry.calls
    for cut in Sweeps.places(0...calls) {
      for survival in [Survival.nothing, .everything, .random(seed: UInt64(cut)), .drawn(.ordered, seed: UInt64(cut))] {
        let disk = broken.afterCrash(.everything)
        disk.cutPower(afterCalls: cut)
        _ = try? Doctor(settings(disk)).repair()
        let comment: Comment = "cut at \(cut), \(survival)"
        let found = disk.afterCrash(survival)
        #expect(try contents(found) == expected, comment)
        _ = try Doctor(settings(found)).repair()
        #expect(try contents(found) == expected, comment)
        #expect(try Doctor(settings(found)).repair().steps.isEmpty, comment)
      }
    }
  }

  @Test("Whichever line of the journal is damaged, its copy is used, and later lines stay, copied or not")
  func damaged() throws {
    let made = try made(12)
    // Two processes: the second one's lines have no copies, as the file is in use.
    let second = try FileStore.opened(settings(made))
    for number in 12..<16 { #expect(second.commitAndWait(transaction(number, [put(number)]))) }
    second.close()
    let journal = try #require(made.contents(journalFile))
    let ends = journal.indices.filter { journal[$0] == UInt8(ascii: "\n") }
    #expect(ends.count == 16)
    let text = String(decoding: try #require(made.contents(Self.file)), as: UTF8.self)
    for line in 0..<16 {
      let disk = made.afterCrash(.everything)
      var bytes = journal
      bytes[(line == 0 ? 0 : ends[line - 1]) + 60] ^= 1
      disk.setContents(journalFile, bytes)
      let isCopied = text.contains("\"seq\":\(line + 1),")
      let expected = (0..<16).filter { $0 != line || isCopied }.map { UInt64($0) }
      #expect(try contents(disk) == expected, "line \(line), copied: \(isCopied)")
      let store = try FileStore.opened(settings(disk))
      #expect(store.commitAndWait(transaction(16, [put(16)])))
      store.close()
      #expect(try contents(disk.afterCrash(.nothing)) == expected + [16], "line \(line)")
      _ = try Doctor(settings(disk)).repair()
      #expect(try contents(disk.afterCrash(.nothing)) == expected + [16], "line \(line)")
    }
  }

  @Test("A journal that is gone before others is read from its copies, in its place")
  func before() throws {
    let disk = SimulatedDisk()
    let first = try FileStore.opened(settings(disk, journal: 4000))
    for number in 0..<8 { #expect(first.commitAndWait(transaction(number, [put(number)]))) }
    first.close()
    // Its lines are larger, so that it starts another journal soon; the copies stay in use.
    let second = try FileStore.opened(settings(disk, size: 0, journal: 2000))
    for number in 8..<20 { #expect(second.commitAndWait(transaction(number, [put(number)]))) }
    second.close()
    #expect(journals(disk).count > 2)
    let text = String(decoding: try #require(disk.contents(Self.file)), as: UTF8.self)
    disk.remove(journalFile)
    let copied = (0..<8).filter { text.contains("\"seq\":\($0 + 1),") }
    let found = try contents(disk)
    #expect(Set(found).isSuperset(of: copied.map { UInt64($0) }), "\(found)")
    let store = try FileStore.opened(settings(disk))
    #expect(store.commitAndWait(transaction(20, [put(20)])))
    store.close()
    #expect(try contents(disk.afterCrash(.nothing)) == found + [20])
    #expect(journals(disk).contains("000001.jsonl"))
  }

  @Test("Remains of earlier runs are used too, but no other store's and nothing that the segments have")
  func remains() throws {
    // So small that a run is overwritten several times.
    let disk = try made(size: 3000)
    let text = String(decoding: try #require(disk.contents(Self.file)), as: UTF8.self)
    disk.remove(journalFile)
    let found = try contents(disk)
    let whole = text.split(separator: "\n").filter { line in Array(line.utf8).withUnsafeBytes(LineSuffix.isValid) }
    let copied = (0..<30).filter { number in whole.contains { $0.hasPrefix("{\"seq\":\(number + 1),") } }
    #expect(copied.count > 2 && found == copied.map { UInt64($0) }, "\(copied)")
  }

  @Test("A running process whose journal is removed goes on with what the copies have")
  func running() throws {
    let disk = SimulatedDisk()
    let store = try FileStore.opened(settings(disk))
    for number in 0..<10 { #expect(store.commitAndWait(transaction(number, [put(number)]))) }
    disk.remove(journalFile)
    #expect(store.commitAndWait(transaction(10, [put(10)])))
    let found = try store.snapshot.contents.keys.sorted()
    #expect(found.count >= 9 && found.last == 10)
    store.close()
    #expect(try contents(disk.afterCrash(.nothing)) == found)
  }

  @Test("A backup of a store whose journal is gone has everything readable", arguments: [true, false])
  func backedUp(folding: Bool) throws {
    let disk = try made(folding: folding)
    let last = try #require(journals(disk).last)
    disk.remove(folder + "/journal/" + last)
    let expected = try contents(disk)
    let backup = try Backups(settings(disk)).create(.manual, note: nil, folds: false)
    let copy = try FileStore.open(inline(disk, folder: folder + "/backups/" + backup.id.description))
    #expect(try copy.snapshot.contents.keys.sorted() == expected)
    #expect(backup.isVerified == (expected.count == 30))
  }
}
