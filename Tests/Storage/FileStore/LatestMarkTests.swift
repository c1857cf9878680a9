import FileStoreTesting
import Pacing
import Testing
import Values

@testable import FileStore

@Suite("What the journals have lost is known", .simulated)
struct LatestMarkTests {
  private static let markFile = folder + "/" + LatestMark.fileName

  /// Five changes, folded or not, and their disk.
  private func disk(isFolded: Bool) throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    let store = try FileStore.opened(configuration(disk))
    for number in 0..<2 { #expect(store.commitAndWait(transaction(number, [put(number)]))) }
    if isFolded { try store.checkpoint() }
    for number in 2..<5 { #expect(store.commitAndWait(transaction(number, [put(number)]))) }
    store.close()
    return disk
  }

  private func live(_ disk: SimulatedDisk) -> String {
    let last = disk.walk(folder + "/journal").map(\.path).last ?? ""
    return folder + "/journal/" + last
  }

  /// A possible loss.
  enum Loss: String, CaseIterable {
    case liveJournal, allJournals, journalFolder, oneLine, allLines, lineEnd
  }

  private func lose(_ loss: Loss, on disk: SimulatedDisk) {
    let journal = live(disk)
    let bytes = disk.contents(journal) ?? []
    let newlines = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
    switch loss {
    case .liveJournal: disk.remove(journal)
    case .allJournals: for file in disk.walk(folder + "/journal") { disk.remove(folder + "/journal/" + file.path) }
    case .journalFolder: disk.remove(folder + "/journal")
    case .oneLine: disk.setContents(journal, Array(bytes[...newlines[newlines.count - 2]]))
    case .allLines: disk.setContents(journal, [])
    case .lineEnd: disk.setContents(journal, bytes.dropLast())
    }
  }

  @Test(
    "A loss at a journal's end or of a whole one is reported, and no number is given twice",
    arguments: Loss.allCases.filter { $0 != .lineEnd }, [true, false])
  func losses(_ loss: Loss, isFolded: Bool) throws {
    let disk = try disk(isFolded: isFolded)
    lose(loss, on: disk)
    let store = try FileStore.opened(configuration(disk))
    let latest = try store.latestRevision
    #expect(latest == 5)
    #expect(store.recoveryReport.isLossPossible, "\(store.recoveryReport.findings)")
    let health = try store.healthSource().assess()
    #expect(health.state == .degraded)
    #expect(health.lostRevisions.last?.upperBound == 5, "\(health.lostRevisions)")
    let report = Doctor(configuration(disk)).examine()
    #expect(report.isLossPossible)
    #expect(try store.commit(transaction(5, [put(5)])) == 6)
    store.waitUntilDurable()
    store.close()
    let again = try FileStore.opened(configuration(disk))
    #expect(again.recoveryReport.isLossPossible)
    #expect(try again.revision == 6)
    again.close()
    // Once folded, the loss is on record.
    _ = try Doctor(configuration(disk)).repair()
    let repaired = try FileStore.opened(configuration(disk))
    #expect(!repaired.recoveryReport.isLossPossible, "\(repaired.recoveryReport.findings)")
    #expect(try repaired.revision == 6)
    repaired.close()
  }

  @Test("The start knows of the loss before anything else is read", arguments: Loss.allCases)
  func preview(_ loss: Loss) throws {
    let disk = try disk(isFolded: true)
    lose(loss, on: disk)
    let store = try FileStore.open(configuration(disk))
    #expect(try store.latestRevision == 5)
    store.close()
  }

  @Test(
    "Without the mark a missing journal is still reported, and none of its possible numbers is reused",
    arguments: [Loss.liveJournal, .allJournals, .journalFolder], [true, false])
  func withoutMark(_ loss: Loss, isFolded: Bool) throws {
    let disk = try disk(isFolded: isFolded)
    lose(loss, on: disk)
    disk.remove(Self.markFile)
    let store = try FileStore.opened(configuration(disk))
    #expect(store.recoveryReport.findings.contains { $0.kind == .missingJournal })
    #expect(try store.commit(transaction(5, [put(5)])) > 5)
    store.waitUntilDurable()
    store.close()
  }

  @Test("If the journals after a checkpoint are lost, the changes of that time are unknown", arguments: [true, false])
  func goneHistory(hasMark: Bool) throws {
    let disk = SimulatedDisk()
    let store = try FileStore.opened(configuration(disk))
    for number in 0..<5 { #expect(store.commitAndWait(transaction(number, [put(number)]))) }
    try store.checkpoint()
    store.close()
    lose(.allJournals, on: disk)
    if !hasMark { disk.remove(Self.markFile) }
    let reopened = try FileStore.opened(configuration(disk))
    #expect(try reopened.snapshot.count(in: meals) == 5)
    let error = #expect(throws: StoreError.self) { try reopened.changes(since: 0) }
    #expect(error?.code == .revisionTooOld)
    reopened.close()
  }

  @Test("A mark that is damaged, short, another store's or not ours is ignored")
  func uselessMarks() throws {
    let disk = try disk(isFolded: false)
    let text = disk.contents(Self.markFile) ?? []
    let foreign = LatestMark(store: EntityID(high: 4, low: 4), revision: 99).bytes
    #expect(foreign.count == text.count)
    for bytes in [text.map { $0 == UInt8(ascii: "5") ? UInt8(ascii: "7") : $0 }, Array(text.dropLast(3)), [], foreign] {
      disk.setContents(Self.markFile, bytes)
      let store = try FileStore.opened(configuration(disk))
      #expect(try store.revision == 5)
      #expect(store.recoveryReport.findings.isEmpty, "\(store.recoveryReport.findings)")
      store.close()
    }
    disk.replace(Self.markFile, with: .symbolicLink)
    let store = try FileStore.opened(configuration(disk))
    #expect(store.commitAndWait(transaction(5, [put(5)])))
    store.close()
  }

  @Test("A mark with a second hard link is not written, since that would change another file")
  func linkedMark() throws {
    let disk = try disk(isFolded: true)
    disk.remove(Self.markFile)
    let precious = folder + "/manifest.json"
    let bytes = disk.contents(precious)
    disk.link(precious, to: Self.markFile)
    let store = try FileStore.opened(configuration(disk))
    #expect(store.commitAndWait(transaction(5, [put(5)])))
    store.close()
    #expect(disk.contents(precious) == bytes)
  }

  @Test("A last line that lacks only its newline is used, and its newline is written before the next line")
  func lineEnd() throws {
    let disk = try disk(isFolded: false)
    let whole = try FileStore.opened(configuration(disk)).snapshot.contents
    lose(.lineEnd, on: disk)
    disk.remove(Self.markFile)
    let store = try FileStore.opened(configuration(disk))
    #expect(store.recoveryReport.findings.isEmpty, "\(store.recoveryReport.findings)")
    #expect(try store.snapshot.contents == whole)
    #expect(store.commitAndWait(transaction(5, [put(5)])))
    store.close()
    let again = try FileStore.opened(configuration(disk.afterCrash(.nothing)))
    #expect(again.recoveryReport.findings.isEmpty, "\(again.recoveryReport.findings)")
    #expect(try again.snapshot.contents.count == whole.count + 1)
    again.close()
  }

  @Test("Its length is always the same")
  func length() throws {
    let store = EntityID(high: 1, low: 2)
    for revision in [0, 1, 99_999, Int.max] {
      let mark = LatestMark(store: store, revision: revision)
      #expect(mark.bytes.count == LatestMark(store: store, revision: 7).bytes.count)
      #expect(try LatestMark(checking: mark.bytes) == mark)
    }
  }
}
