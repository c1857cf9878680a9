import CivilTime
import FileStoreTesting
import Pacing
import Testing
import Values

@testable import FileStore

@Suite("Imports", .simulated)
struct ImportTests {
  let path = "/home/someone/import.jsonl"

  /// A disk without a store, for an import file.
  func emptyDisk() throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    try? disk.makeDirectory(path: "/home")
    try? disk.makeDirectory(path: "/home/someone")
    return disk.afterCrash(.everything)
  }

  func line(
    _ number: Int, day: String? = "2024-10-04", updated: Int = 0, _ body: String = "{}", in collection: String = "meals"
  ) -> String {
    let day = day.map { ",\"day\":\"\($0)\"" } ?? ""
    return
      "{\"collection\":\"\(collection)\",\"id\":\"\(id(number))\"\(day),\"created\":\"1970-01-01T00:00:00.000Z\","
      + "\"updated\":\"\(Instant(milliseconds: Int64(updated)))\",\"schema\":1,\"body\":\(body)}"
  }

  func run(
    _ disk: SimulatedDisk, _ lines: [String], _ mode: StoreImportMode = .merge, limit: Int = 1000,
    check: ImportCheck? = nil
  ) throws(StoreError) -> ImportSummary {
    var settings = inline(disk)
    settings.journaledImportLimit = limit
    return try FileStore.importRecords(
      .lines([Array(lines.joined(separator: "\n").utf8)[...]]), mode, settings, author: "test", check: check)
  }

  /// More lines than the journal takes.
  private func many(_ count: Int = 1500, updated: Int = 0, _ body: String = "{}") -> [String] {
    (0..<count).map { line($0, day: "\(CivilDay(daysSinceEpoch: Int32(20_000 + $0 % 90)))", updated: updated, body) }
  }

  private func contents(_ disk: SimulatedDisk) throws -> [UInt64: String] {
    let store = try FileStore.open(inline(disk))
    defer { store.close() }
    let contents = try store.snapshot.contents
    #expect(store.recoveryReport.findings.isEmpty, "\(store.recoveryReport.findings)")
    return contents
  }

  @Test("An export imported into an empty store exports the same bytes again", arguments: [5, 1500])
  func roundTrip(_ count: Int) throws {
    let disk = try emptyDisk()
    _ = try run(disk, many(count) + [line(9000, day: nil, "{\"s\":\"ü\"}", in: "settings")])
    let text = try exported(disk)
    let other = try emptyDisk()
    other.setContents(path, text)
    let summary = try FileStore.importRecords(.file(path), .merge, inline(other), author: "test")
    #expect(summary.isChanged && summary.isUndoable == (count < 1000) && summary.backup == nil)
    #expect(summary.collections.map(\.added) == [count, 1])
    let again = try exported(other)
    let (first, second) = (text.split(separator: 0x0A), again.split(separator: 0x0A))
    #expect(first.dropFirst().dropLast().elementsEqual(second.dropFirst().dropLast()))
    #expect(other.isPrivate(folder))
    let repeated = try FileStore.importRecords(.file(path), .merge, inline(other), author: "test")
    #expect(!repeated.isChanged && repeated.revision == summary.revision && repeated.backup == nil)
    #expect(repeated.collections.map(\.same) == [count, 1])
  }

  @Test("Merging adds missing records, updates those changed later, and leaves the rest", arguments: [0, 1500])
  func merging(_ others: Int) throws {
    let disk = try diskWithStore(tail: 0)
    let extra = (0..<others).map { line(5000 + $0) }
    let lines = [
      line(0, updated: 5, "{\"new\":0}"), line(1, day: "2030-01-01", updated: 5, "{\"moved\":1}"), line(2, "{\"n\":2}"),
      line(77, "{\"n\":77}"),
    ]
    let preview = try run(disk, lines + extra, .preview)
    #expect(!preview.isChanged)
    #expect(preview.collections == [StoreImportCounts(collection: meals, added: 1 + others, updated: 2, kept: 1)])
    #expect(try contents(disk).count == 4, "a preview changes nothing")
    let summary = try run(disk, lines + extra)
    #expect(summary.collections == preview.collections)
    #expect(summary.isUndoable == (others == 0))
    let found = try contents(disk)
    #expect(found.count == 5 + others)
    #expect(found[0] == "{\"new\":0}" && found[1] == "{\"moved\":1}" && found[2] == "{}" && found[77] == "{\"n\":77}")
    let store = try FileStore.open(inline(disk))
    #expect(try store.snapshot.record(id(1), in: meals)?.day?.description == "2030-01-01")
    #expect(try store.snapshot.record(id(1), in: meals)?.updatedAt.milliseconds == 5)
    let backup = try #require(summary.backup)
    #expect(try Backups(inline(disk)).list().first { $0.id == backup }?.reason == .beforeImport)
    #expect(try !run(disk, lines + extra).isChanged, "the same again changes nothing")
  }

  @Test("Replacing leaves exactly the file's records", arguments: [0, 1500])
  func replacing(_ others: Int) throws {
    let disk = try diskWithStore()
    let store = try FileStore.open(inline(disk))
    #expect(store.commitAndWait(transaction(30, [put(30, day: nil, in: CollectionName("habits"))])))
    store.close()
    let lines = [line(0, "{\"old\":0}"), line(77)] + (0..<others).map { line(5000 + $0) }
    let summary = try run(disk, lines, .replace)
    #expect(summary.collections.first { $0.collection == CollectionName("habits") }?.removed == 1)
    #expect(summary.collections.first { $0.collection == meals }?.removed == 4)
    let found = try contents(disk)
    #expect(found.count == 2 + others && found[0] == "{\"old\":0}")
    #expect(try FileStore.open(inline(disk)).snapshot.count(in: CollectionName("habits")) == 0)
    #expect(try !run(disk, lines, .replace).isChanged)
  }

  @Test("A small import is an ordinary change: others see it, and it can be undone")
  func undo() throws {
    let disk = try diskWithStore()
    let other = try FileStore.opened(inline(disk.process(7)))
    let before = try other.snapshot.contents
    let summary = try run(disk, [line(0, updated: 9, "{\"i\":1}"), line(90)])
    #expect(try other.poll())
    #expect(try other.changes(since: summary.revision - 1).records.count == 2)
    guard case .ready(_, let label, let operations) = try other.undoEntry(author: "test").plan(in: other.snapshot)
    else {
      Issue.record("no plan")
      return
    }
    #expect(label == "data/import")
    #expect(other.commitAndWait(transaction(60, undoes: summary.revision, operations)))
    #expect(try contents(disk) == before)
  }

  @Test("A large import is noticed by processes with the store open, which then read everything again")
  func followers() throws {
    let disk = try diskWithStore()
    let other = try FileStore.opened(inline(disk.process(7)))
    let summary = try run(disk, many())
    #expect(try other.follow(), "the journal shows it")
    #expect(other.replacements == 1)
    #expect(try other.revision == summary.revision)
    #expect(try other.snapshot.contents.count == 1500)
    #expect(other.commitAndWait(transaction(60, [put(7000)])))
    try other.checkpoint()
    #expect(try contents(disk).count == 1501)
    #expect(other.recoveryReport.findings.isEmpty)
    do throws(StoreError) {
      _ = try other.changes(since: 1)
      Issue.record("what an import changed is not told")
    } catch { #expect(error.code == .revisionTooOld) }
  }

  @Test("A large import waits for the writer, and gives up after a while without a change")
  func busy() throws {
    let disk = try diskWithStore()
    let writer = try FileStore.open(inline(disk.process(7)))
    #expect(try writer.beginWriting())
    for lines in [many(), [line(50)]] {
      do throws(StoreError) {
        _ = try run(disk, lines)
        Issue.record("somebody is writing")
      } catch { #expect(error.code == .storeBusy) }
    }
    writer.endWriting()
    #expect(try contents(disk).count == 5)
    _ = try run(disk, many())
  }

  @Test("Cancelling changes nothing, as long as nothing was committed")
  func cancelling() throws {
    let disk = try diskWithStore()
    do throws(StoreError) {
      _ = try FileStore.importRecords(
        .lines([Array(many().joined(separator: "\n").utf8)[...]]), .merge, inline(disk), author: "test",
        WorkMonitor(isCancelled: { true }))
      Issue.record("it was cancelled")
    } catch { #expect(error.code == .cancelled) }
    #expect(try contents(disk).count == 5)
  }

  @Test("A power cut at any call of an import leaves all of it or nothing", arguments: [false, true])
  func crashSweep(_ isLarge: Bool) throws {
    let limit = isLarge ? 0 : 1000
    let lines = isLarge ? many(12, updated: 9, "{\"i\":1}") : [line(0, updated: 9, "{\"i\":1}"), line(90)]
    for isEmpty in [false, true] {
      let begun = isEmpty ? try emptyDisk() : try diskWithStore()
      let before = isEmpty ? [:] : try contents(begun)
      let dry = begun.afterCrash(.everything)
      dry.isTracing = false
      _ = try run(dry, lines, limit: limit)
      let (calls, after) = (dry.calls, try contents(dry))
      // The preceding backup has its own sweep.
      for cut in Sweeps.places(stride(from: 0, through: calls, by: isEmpty ? 1 : 2)) {
        // On the minimal disk a line that was never answered can look answered.
        for (survival, mayLookLost) in [
          (Survival.nothing, false), (.everything, false), (.drawn(.ordered, seed: UInt64(cut)), false),
          (.drawn(.minimal, seed: UInt64(cut)), true),
        ] {
          let disk = begun.afterCrash(.everything)
          disk.isTracing = false
          disk.cutPower(afterCalls: cut)
          let summary = try? run(disk, lines, limit: limit)
          let found = disk.afterCrash(survival)
          let comment: Comment = "cut at \(cut), \(survival)"
          let store = try FileStore.open(inline(found))
          let contents = try store.snapshot.contents
          #expect(contents == before || contents == after, comment)
          if summary != nil { #expect(contents == after, comment) }
          #expect(mayLookLost || !store.recoveryReport.isLossPossible, "\(store.recoveryReport.findings); \(comment)")
          #expect(store.commitAndWait(transaction(70, [put(8000)])), comment)
          store.close()
          _ = try run(found, lines, limit: limit)
          #expect(try self.contents(found) == after.merging([8000: "{}"]) { $1 }, comment)
        }
      }
    }
  }

  @Test("Lines that another program has written again are the same records: only a file has a hash")
  func writtenAgain() throws {
    let disk = try emptyDisk()
    _ = try run(disk, [line(1, "{\"name\":\"Müsli / Obst\",\"amount\":1.0,\"list\":[1,2]}"), line(2)])
    let text = String(decoding: try exported(disk), as: UTF8.self)
    let again = text.split(separator: "\n").map { line in
      String(line).replacing("Müsli / Obst", with: "M\\u00fcsli \\/ Obst").replacing("1.0", with: "1e0")
        .replacing("\"list\":[1,2]", with: "\"list\" : [ 1, 2 ]")
    }
    #expect(again.joined(separator: "\n") + "\n" != text)
    let summary = try run(disk, again)
    #expect(!summary.isChanged && summary.collections.map(\.same) == [2], "\(summary)")
    // One line fewer is still found.
    #expect { try run(disk, again.enumerated().filter { $0.offset != 1 }.map(\.element)) } throws: {
      ($0 as? StoreError)?.details["pointer"] == "/count"
    }
    let other = try emptyDisk()
    #expect(try run(other, again).collections.map(\.added) == [2])
    disk.setContents(path, Array((again.joined(separator: "\n") + "\n").utf8))
    #expect { try FileStore.importRecords(.file(path), .merge, inline(disk), author: "test") } throws: {
      ($0 as? StoreError)?.details["pointer"] == "/sha256"
    }
  }
}
