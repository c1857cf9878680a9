import FileStoreTesting
import Pacing
import Testing
import Values

@testable import FileStore

@Suite("Imports beside a store that follows the folder", .simulated)
struct FollowedImportTests {
  enum Between: CaseIterable { case nothing, ownChange, anothersChange, checkpoint, withoutBeginning }

  @Test(
    "The state that an import prepares for the following store equals that from reading its line",
    arguments: Between.allCases)
  func followed(_ between: Between) throws {
    let disk = SimulatedDisk()
    let settings = inline(disk)
    let store = try FileStore.open(settings)
    #expect(store.commitAndWait(transaction(0, [put(0, day: 20_000), put(1, day: 20_040, "{\"n\":1}")])))
    if between != .withoutBeginning { store.beginImport() }
    switch between {
    case .nothing, .withoutBeginning: break
    case .ownChange: #expect(store.commitAndWait(transaction(1, [put(1, day: 20_050, "{\"n\":2}")])))
    case .anothersChange:
      let other = try FileStore.open(inline(disk))
      #expect(other.commitAndWait(transaction(1, [put(1, day: 20_050, "{\"n\":2}")])))
      other.close()
    case .checkpoint: try store.checkpoint()
    }
    let lines = (1..<700).map { ImportTests().line($0, updated: 9, "{\"i\":\($0)}") }.joined(separator: "\n")
    let summary = try FileStore.importRecords(.lines([Array(lines.utf8)[...]]), .merge, settings, author: "test")
    #expect(summary.isUndoable)
    #expect(try store.poll())
    #expect(try store.revision == summary.revision)
    #expect(store.commitAndWait(transaction(2, [put(3, "{\"n\":3}")])))
    let other = try FileStore.open(inline(disk))
    #expect(try store.snapshot.contents == other.snapshot.contents)
    #expect(try store.changes(since: 1) == other.changes(since: 1))
    for revision in [summary.revision, summary.revision + 1] {
      let plans = try [store, other].map { "\(try $0.undoEntry(revision: revision).plan(in: $0.snapshot))" }
      #expect(plans[0] == plans[1])
    }
    #expect(store.recoveryReport.findings.isEmpty)
    other.close()
    store.close()
  }

  @Test("Whenever a concurrent change is written and damaged during an import, the following store matches the files")
  func damagedMeanwhile() throws {
    var (calls, isOver) = (0, false)
    while !isOver {
      let disk = SimulatedDisk()
      let process = disk.process(1)
      let settings = inline(process)
      let store = try FileStore.open(settings)
      #expect(store.commitAndWait(transaction(0, [put(0), put(1, "{\"n\":1}")])))
      store.beginImport()
      disk.interrupt(process, afterCalls: calls) {
        // Journals not sealed by the backup before the import.
        let path = "\(folder)/journal/\(JournalFile.name(2))"
        guard disk.contents(path) != nil, let other = try? FileStore.open(inline(disk.process(2))) else { return }
        if other.commitAndWait(transaction(1, [put(1, "{\"n\":2}")])), var journal = disk.contents(path) {
          journal[journal.count / 2] ^= 1
          disk.setContents(path, journal)
        }
        other.close()
      }
      let line = ImportTests().line(7, updated: 9, "{\"i\":7}")
      let summary = try FileStore.importRecords(.lines([Array(line.utf8)[...]]), .merge, settings, author: "test")
      isOver = disk.endInterruption()
      #expect(try store.poll() && store.revision == summary.revision, "after \(calls) calls")
      let other = try FileStore.open(inline(disk))
      #expect(try store.snapshot.contents == other.snapshot.contents, "after \(calls) calls")
      other.close()
      store.close()
      calls += 1
    }
  }
}
