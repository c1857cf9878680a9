import FileStoreTesting
import Pacing
import Testing
import Values

@testable import FileStore

@Suite("Copies of journal lines that are synchronized in the place of the journal", .simulated)
struct AheadTests {
  private static let file = folder + "/" + AheadFile.fileName
  private let disk = SimulatedDisk()

  private func settings(_ fileSystem: any FileSystem, size: Int = 4096) -> FileStore.Configuration {
    var settings = inline(fileSystem)
    (settings.aheadSize, settings.aheadThreshold) = (size, 2)
    return settings
  }

  /// A store with `count` changes, of which the first two synced the journal.
  private func made(_ count: Int = 8, size: Int = 4096) throws -> FileStore {
    let store = try FileStore.opened(settings(disk, size: size))
    for number in 0..<count { #expect(store.commitAndWait(transaction(number, [put(number)]))) }
    return store
  }

  private func numbers(_ disk: SimulatedDisk) throws -> [String] {
    disk.walk(folder + "/journal").map(\.path).sorted()
  }

  @Test(
    "What was answered is there after a power cut that took the journal's end; only the next write puts it into a journal"
  )
  func recovery() throws {
    _ = try made()
    let cut = disk.afterCrash(.nothing)
    #expect(try #require(cut.contents(journalFile)).count < #require(disk.contents(journalFile)).count)
    let changes = cut.changes
    let store = try FileStore.opened(settings(cut))
    #expect(try store.known(0..<9) == Array(0..<8))
    #expect(try store.snapshot.contents.count == 8)
    #expect(store.recoveryReport.findings.isEmpty)
    #expect(cut.changes == changes, "reading writes nothing")
    #expect(try numbers(cut) == ["000001.jsonl"])
    #expect(store.commitAndWait(transaction(8, [put(8)])))
    #expect(try numbers(cut) == ["000001.jsonl", "000002.jsonl"])
    store.close()
    let again = try FileStore.opened(settings(cut.afterCrash(.nothing)))
    #expect(try again.known(0..<10) == Array(0..<9))
    #expect(again.recoveryReport.findings.allSatisfy { $0.severity == .note })
    again.close()
  }

  @Test("A reader that has read the copies follows the writer that restores the lines")
  func followed() throws {
    _ = try made()
    let cut = disk.afterCrash(.nothing)
    let (reader, writer) = (try FileStore.opened(settings(cut)), try FileStore.opened(settings(cut)))
    #expect(writer.commitAndWait(transaction(8, [put(8)])))
    #expect(try reader.follow() || reader.poll())
    #expect(try reader.snapshot.contents == writer.snapshot.contents)
    #expect(reader.commitAndWait(transaction(9, [put(9)])))
    #expect(try writer.follow())
    #expect(try writer.known(0..<11) == Array(0..<10))
  }

  @Test("After a checkpoint the existing file is used at once")
  func checkpoint() throws {
    var settings = settings(disk)
    settings.aheadThreshold = 6
    let store = try FileStore.opened(settings)
    for number in 0..<10 { #expect(store.commitAndWait(transaction(number, [put(number)]))) }
    try store.checkpoint()
    for number in 10..<13 { #expect(store.commitAndWait(transaction(number, [put(number)]))) }
    let cut = disk.afterCrash(.nothing)
    let journal = folder + "/journal/000002.jsonl"
    #expect(try #require(cut.contents(journal)).count < #require(disk.contents(journal)).count)
    #expect(try FileStore.opened(settings).known(0..<14) == Array(0..<13))
  }

  @Test("Copies that end in the middle of a line are not reported when the journals continue after it")
  func torn() throws {
    try made().close()
    var copies = try #require(disk.contents(Self.file))
    let end = try #require(copies.lastIndex { $0 != UInt8(ascii: "\n") })
    // The last head, and the end of the line before it.
    let line = try #require(copies[..<end].lastIndex(of: UInt8(ascii: "\n")))
    for place in (line - 20)..<copies.count { copies[place] = UInt8(ascii: "\n") }
    disk.setContents(Self.file, copies)
    let store = try FileStore.opened(settings(disk))
    #expect(store.recoveryReport.findings.isEmpty)
    #expect(store.commitAndWait(transaction(8, [put(8)])))
    #expect(try FileStore.opened(settings(disk)).known(0..<10) == Array(0..<9))
  }

  @Test("The journal is synced when the file is full, before any copy is overwritten")
  func full() throws {
    let store = try made(60, size: 1500)
    #expect(try #require(disk.contents(Self.file)).count == 1500)
    for count in 60..<75 {
      let cut = disk.afterCrash(.nothing)
      #expect(try FileStore.opened(settings(cut)).known(0..<count) == Array(0..<count))
      #expect(store.commitAndWait(transaction(count, [put(count)])))
    }
  }

  @Test("Two processes that write in turns lose nothing")
  func turns() throws {
    let stores = [try made(), try FileStore.opened(settings(disk))]
    var count = 8
    for (writer, lines) in [(1, 5), (0, 1), (1, 1), (0, 6), (1, 7)] {
      for _ in 0..<lines {
        #expect(stores[writer].commitAndWait(transaction(count, [put(count)])))
        count += 1
        let cut = disk.afterCrash(.nothing)
        #expect(try FileStore.opened(settings(cut)).known(0..<count) == Array(0..<count))
      }
    }
  }

  @Test("A backup and a checkpoint of a store whose journal lost its end are complete", arguments: [true, false])
  func folded(isBackup: Bool) throws {
    _ = try made()
    let cut = disk.afterCrash(.nothing)
    if isBackup {
      let backup = try Backups(inline(cut)).create(.manual, note: nil, folds: false)
      #expect(backup.isVerified && backup.revision == 8 && backup.records == 8)
      let copy = try FileStore.open(inline(cut, folder: folder + "/backups/" + backup.id.description))
      #expect(try copy.known(0..<9) == Array(0..<8))
    } else {
      let store = try FileStore.opened(settings(cut))
      try store.checkpoint()
      _ = try store.poll()
      #expect(try store.snapshot.contents.count == 8)
      store.close()
    }
    let again = try FileStore.opened(settings(cut.afterCrash(.nothing)))
    #expect(try again.snapshot.contents.count == 8)
    #expect(try again.revision == 8)
  }

  @Test(
    "If its sync fails, or something else has its name, the journal is synced",
    arguments: [true, false])
  func fallback(isFailure: Bool) throws {
    let store = try made(2)
    if isFailure {
      #expect(store.commitAndWait(transaction(2, [put(2)])))
      disk.setFaults { $0.rules = [DiskFault(.fails(.inputOutput), calls: [.synchronizeFile])] }
    } else {
      disk.setContents(folder + "/other", [1, 2, 3])
      let root = try disk.openDirectory(path: folder, followingLinks: false)
      try disk.link("other", in: root, to: AheadFile.fileName, in: root)
      #expect(store.commitAndWait(transaction(2, [put(2)])))
    }
    for number in 3..<12 { #expect(store.commitAndWait(transaction(number, [put(number)]))) }
    if !isFailure { #expect(disk.contents(folder + "/other") == [1, 2, 3]) }
    let again = try FileStore.opened(settings(disk.afterCrash(.nothing)))
    #expect(try again.known(0..<13) == Array(0..<12))
  }

  @Test("Another writer's copies are not overwritten before its journal is in the segments")
  func taken() throws {
    let first = try made()
    let text = try #require(disk.contents(Self.file))
    first.close()
    let second = try FileStore.opened(settings(disk))
    for number in 8..<20 { #expect(second.commitAndWait(transaction(number, [put(number)]))) }
    let isKept = disk.contents(Self.file) == text
    #expect(isKept)
    try second.checkpoint()
    _ = try second.poll()
    for number in 20..<30 { #expect(second.commitAndWait(transaction(number, [put(number)]))) }
    let isTaken = disk.contents(Self.file) != text
    #expect(isTaken)
    let again = try FileStore.opened(settings(disk.afterCrash(.nothing)))
    #expect(try again.snapshot.contents.count == 30)
  }

  @Test("A file whose name was removed is no longer used")
  func unlinked() throws {
    let store = try made()
    let root = try disk.openDirectory(path: folder, followingLinks: false)
    try disk.unlink(AheadFile.fileName, in: root)
    for number in 8..<15 { #expect(store.commitAndWait(transaction(number, [put(number)]))) }
    let again = try FileStore.opened(settings(disk.afterCrash(.nothing)))
    #expect(try again.known(0..<16) == Array(0..<15))
  }

  @Test("Copies of another store, or of a journal folded since, are ignored")
  func strange() throws {
    let store = try made()
    try store.checkpoint()
    _ = try store.poll()
    let cut = disk.afterCrash(.nothing)
    #expect(try FileStore.opened(settings(cut)).snapshot.contents.count == 8)
    let text = try #require(disk.contents(Self.file))
    let other = SimulatedDisk()
    let strange = try FileStore.opened(settings(other))
    #expect(strange.commitAndWait(transaction(20, [put(20)])))
    other.setContents(Self.file, text)
    let again = try FileStore.opened(settings(other))
    #expect(try again.snapshot.contents.keys.sorted() == [20])
    #expect(again.commitAndWait(transaction(21, [put(21)])))
    #expect(try again.snapshot.contents.keys.sorted() == [20, 21])
  }

  @Test("It is private, known to the doctor, and erased with everything else")
  func erased() throws {
    let store = try made()
    #expect(disk.isPrivate(Self.file))
    store.close()
    let report = Doctor(inline(disk)).examine()
    #expect(!report.findings.contains { $0.file == AheadFile.fileName })
    let again = try FileStore.opened(settings(disk))
    _ = try again.erase()
    #expect(disk.contents(Self.file) == nil)
  }
}
