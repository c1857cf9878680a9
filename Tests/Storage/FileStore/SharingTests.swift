import FileStoreTesting
import Testing
import Values

@testable import FileStore

@Suite("Several processes on one folder")
struct SharingTests {
  private let disk = SimulatedDisk()

  private func open() throws -> FileStore {
    var settings = configuration(disk)
    settings.isInline = true
    settings.onDurable = { _ in }
    return try FileStore.open(settings)
  }

  @Test(
    "Each sees at its next request what the other wrote, and its own writes come behind it", arguments: [true, false])
  func takingTurns(mapsFiles: Bool) throws {
    disk.setFaults { $0.mapsFiles = mapsFiles }
    let (first, second) = (try open(), try open())
    for number in 0..<20 {
      let (writer, reader) = number % 2 == 0 ? (first, second) : (second, first)
      _ = try reader.revision
      #expect(writer.commitAndWait(transaction(number, [put(number)])))
      #expect(try reader.follow() || number == 0)
      _ = try reader.poll()
      #expect(try reader.revision == number + 1)
      #expect(try reader.snapshot.contents == writer.snapshot.contents)
      #expect(try !reader.follow(), "nothing happened since")
    }
    #expect(first.recoveryReport.findings.isEmpty)
    #expect(second.recoveryReport.findings.isEmpty)
  }

  @Test("Two processes that found nothing can both write, into one store")
  func raceForEmpty() throws {
    let (first, second) = (try open(), try open())
    #expect(try first.revision == 0)
    #expect(try second.revision == 0)
    #expect(first.commitAndWait(transaction(0, [put(0)])))
    #expect(second.commitAndWait(transaction(1, [put(1)])))
    #expect(try first.follow())
    #expect(first.identity == second.identity)
    #expect(try first.snapshot.contents == [0: "{}", 1: "{}"])
    #expect(try second.snapshot.contents == [0: "{}", 1: "{}"])
  }

  @Test("While one holds the lock the other learns that it is busy and who holds it, and has its turn afterwards")
  func busy() throws {
    let (first, second) = (try open(), try open())
    #expect(try first.beginWriting())
    #expect(try !second.beginWriting())
    #expect(second.busy.code == .storeBusy)
    #expect(second.busy.details["holder"]?.hasPrefix("pid ") == true)
    _ = try first.commit(transaction(0, [put(0)]))
    first.endWriting()
    #expect(try !second.beginWriting(), "what was committed is not on disk yet")
    first.waitUntilDurable()
    #expect(try second.beginWriting())
    #expect(try second.revision == 1, "the lock's holder has caught up")
    second.endWriting()
  }

  @Test("Without a write after all, the lock is released")
  func nothingWritten() throws {
    let (first, second) = (try open(), try open())
    #expect(try first.beginWriting())
    first.endWriting()
    #expect(second.commitAndWait(transaction(0, [put(0)])))
  }

  @Test("A line that is just being written is no damage, and is read once complete")
  func halfALine() throws {
    let (first, second) = (try open(), try open())
    #expect(first.commitAndWait(transaction(0, [put(0)])))
    let mark = try #require(disk.contents(folder + "/" + LatestMark.fileName))
    #expect(first.commitAndWait(transaction(1, [put(1)])))
    let whole = try #require(disk.contents(journalFile))
    disk.setContents(journalFile, Array(whole.dropLast(30)))
    disk.setContents(folder + "/" + LatestMark.fileName, mark)
    #expect(try second.revision == 1)
    disk.setContents(journalFile, whole)
    #expect(try second.follow())
    #expect(try second.revision == 2)
    #expect(!second.recoveryReport.findings.contains { $0.kind == .damagedLine })
  }

  @Test("A journal that appears during the search is not missing")
  func turnsUp() throws {
    var settings = configuration(disk)
    settings.isInline = true
    settings.onDurable = { _ in }
    settings.journalSizeLimit = 400
    let first = try FileStore.open(settings)
    for number in 0..<4 { #expect(first.commitAndWait(transaction(number, [put(number)]))) }
    #expect(disk.contents(folder + "/journal/000002.jsonl") != nil)
    disk.setFaults { $0.rules = [DiskFault(.fails(.notFound), calls: [.status], name: "000002.jsonl")] }
    let second = try FileStore.open(settings)
    #expect(try second.revision == 4)
    #expect(second.recoveryReport.findings.isEmpty, "\(second.recoveryReport.findings)")
  }

  @Test("A replaced folder is read again, by readers and by writers", arguments: [true, false])
  func exchanged(_ writes: Bool) throws {
    let first = try open()
    #expect(first.commitAndWait(transaction(0, [put(0)])))
    #expect(first.commitAndWait(transaction(1, [put(1)])))
    let old = try #require(disk.contents(journalFile))
    let line = try #require(old.firstIndex(of: UInt8(ascii: "\n")))
    disk.setContents(journalFile, Array(old[...line]))
    if writes {
      #expect(first.commitAndWait(transaction(2, [put(2)])))
      #expect(try first.snapshot.contents == [0: "{}", 2: "{}"])
    } else {
      #expect(try first.follow())
      #expect(try first.snapshot.contents == [0: "{}"])
    }
    #expect(first.replacements == 1)
  }

  @Test("After a replacement by an older state with fewer journals, writing continues at their end")
  func earlierTime() throws {
    var settings = configuration(disk)
    settings.isInline = true
    settings.onDurable = { _ in }
    settings.journalSizeLimit = 700
    let store = try FileStore.open(settings)
    #expect(store.commitAndWait(transaction(0, [put(0)])))
    let old = try #require(disk.contents(journalFile))
    for number in 1..<5 { #expect(store.commitAndWait(transaction(number, [put(number)]))) }
    #expect(disk.contents(folder + "/journal/000002.jsonl") != nil)
    for file in disk.walk(folder + "/journal") where file.path != "000001.jsonl" {
      disk.remove(folder + "/journal/" + file.path)
    }
    disk.setContents(journalFile, old)
    for number in 5..<8 { #expect(store.commitAndWait(transaction(number, [put(number)]))) }
    let new = try FileStore.open(settings)
    #expect(try new.snapshot.contents.keys.sorted() == [0, 5, 6, 7])
    #expect(try new.revision == 8, "no number is given twice")
    #expect(new.recoveryReport.findings.map(\.kind) == [.sequenceGap], "the loss is reported")
  }

  @Test("After so many batches a window is closed, so that others have their turn")
  func fairness() throws {
    let (first, second) = (try open(), try open())
    var committed = 0
    // An owner that adds a line before the previous one is written never leaves the window by itself.
    while try first.beginWriting() {
      first.waitUntilDurable()
      _ = try first.commit(transaction(committed, [put(committed)]))
      first.endWriting()
      #expect(try !second.beginWriting())
      committed += 1
    }
    first.waitUntilDurable()
    // The first line waited for the second window.
    committed -= 1
    #expect(committed == CommitQueue.maximumBatches)
    #expect(second.commitAndWait(transaction(1000, [put(1000)])))
    #expect(first.commitAndWait(transaction(1001, [put(1001)])))
  }
}
