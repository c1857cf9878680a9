import FileStoreTesting
import Pacing
import Testing
import Values

@testable import FileStore

@Suite("Imports beside a store that follows the folder", .simulated)
struct FollowedImportTests {
  enum Between: CaseIterable { case nothing, ownChange, anothersChange, checkpoint, withoutBeginning, damagedLine }

  @Test("What an import works out for the store beside it is what reading its line gives", arguments: Between.allCases)
  func followed(_ between: Between) throws {
    let disk = SimulatedDisk()
    let settings = inline(disk)
    if between == .damagedLine {
      let first = try FileStore.open(settings)
      #expect(first.commitAndWait(transaction(8, [put(8, "{\"n\":8}")])))
      #expect(first.commitAndWait(transaction(9, [put(9, "{\"n\":9}")])))
      first.close()
      var journal = try #require(disk.contents(journalFile))
      journal[try #require(journal.dropLast().lastIndex(of: 0x0A)) + 10] ^= 1
      disk.setContents(journalFile, journal)
    }
    let store = try FileStore.opened(settings)
    #expect(store.recoveryReport.damagedLines == (between == .damagedLine ? 1 : 0))
    #expect(
      between == .damagedLine
        || store.commitAndWait(transaction(0, [put(0, day: 20_000), put(1, day: 20_040, "{\"n\":1}")])))
    if between != .withoutBeginning { store.beginImport() }
    switch between {
    case .nothing, .withoutBeginning, .damagedLine: break
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
    #expect(try store.lookAround())
    #expect(try store.revision == summary.revision)
    #expect(store.commitAndWait(transaction(2, [put(3, "{\"n\":3}")])))
    let other = try FileStore.open(inline(disk))
    #expect(try store.snapshot.contents == other.snapshot.contents)
    let known = between == .damagedLine ? summary.revision : 1
    #expect(try store.changes(since: known) == other.changes(since: known))
    for revision in [summary.revision, summary.revision + 1] {
      let plans = try [store, other].map { "\(try $0.undoEntry(revision: revision).plan(in: $0.snapshot))" }
      #expect(plans[0] == plans[1])
    }
    #expect(store.recoveryReport.findings.map(\.kind) == other.recoveryReport.findings.map(\.kind))
    #expect(store.recoveryReport.findings.isEmpty || between == .damagedLine)
    other.close()
    store.close()
  }
}
