import FileStore
import FileStoreTesting
import Testing

struct UndoTests {
  private func ready(_ plan: UndoPlan) throws -> (revision: Int, operations: [Operation]) {
    guard case .ready(let revision, _, let operations) = plan else {
      Issue.record("not ready: \(plan)")
      throw StoreError(.init("test"), "not ready")
    }
    return (revision, operations)
  }

  @Test("Undo restores the state before, undo of undo the state after, also across restarts")
  func undoAndRedo() throws {
    let disk = SimulatedDisk()
    var store = try FileStore.open(configuration(disk))
    func reopen() throws {
      store.close()
      store = try FileStore.open(configuration(disk))
    }
    #expect(store.commitAndWait(transaction(0, [put(0, "{\"n\":1}"), put(1)])))
    #expect(store.commitAndWait(transaction(1, [put(0, "{\"n\":2}"), .delete(meals, id: id(1)), put(2)])))
    let after = try store.snapshot.contents
    var number = 2
    for _ in 0..<3 {
      try reopen()
      let undo = try ready(store.undoEntry(author: "test").plan(in: store.snapshot))
      #expect(undo.revision == 2)
      #expect(store.commitAndWait(transaction(number, undoes: undo.revision, undo.operations)))
      #expect(try store.snapshot.contents == [0: "{\"n\":1}", 1: "{}"])
      #expect(
        try ready(store.undoEntry(author: "test").plan(in: store.snapshot)).revision == 1, "the previous one is next")
      guard case .alreadyUndone = try store.undoEntry(revision: 2).plan(in: store.snapshot) else {
        Issue.record("it counts as undone")
        return
      }
      try reopen()
      let redo = try ready(store.undoEntry(revision: store.revision).plan(in: store.snapshot))
      #expect(store.commitAndWait(transaction(number + 1, undoes: redo.revision, redo.operations)))
      #expect(try store.snapshot.contents == after)
      number += 2
    }
    store.close()
  }

  @Test("Undo is per author and by label")
  func authors() throws {
    let store = try FileStore.open(configuration(SimulatedDisk()))
    _ = try store.commit(transaction(0, by: "a", why: "meals/add", [put(0)]))
    _ = try store.commit(transaction(1, by: "a", why: "habits/add", [put(1)]))
    _ = try store.commit(transaction(2, by: "b", why: "meals/add", [put(2)]))
    #expect(try ready(store.undoEntry(author: "a").plan(in: store.snapshot)).revision == 2)
    #expect(try ready(store.undoEntry(author: "a") { $0.hasPrefix("meals/") }.plan(in: store.snapshot)).revision == 1)
    #expect(try ready(store.undoEntry(author: "b").plan(in: store.snapshot)).revision == 3)
    guard case .nothing = try store.undoEntry(author: "c").plan(in: store.snapshot) else {
      Issue.record("nothing to undo")
      return
    }
    store.close()
  }

  @Test("A record changed since is a conflict with both versions")
  func conflict() throws {
    let store = try FileStore.open(configuration(SimulatedDisk()))
    _ = try store.commit(transaction(0, by: "a", [put(0, "{\"n\":1}"), put(1)]))
    _ = try store.commit(transaction(1, by: "b", [put(0, "{\"n\":2}")]))
    guard case .conflict(1, "meals/add", let conflicts) = try store.undoEntry(author: "a").plan(in: store.snapshot)
    else {
      Issue.record("no conflict")
      return
    }
    #expect(conflicts.map(\.id) == [id(0)])
    #expect(conflicts.first?.expected?.body.bytes == Array("{\"n\":1}".utf8))
    #expect(conflicts.first?.current?.body.bytes == Array("{\"n\":2}".utf8))
    store.close()
  }

  /// A store that follows another process's transaction that changed, moved, added and deleted many records, with the
  /// states before and after it.
  private func following(_ disk: SimulatedDisk) throws -> (
    store: FileStore, before: [UInt64: String], after: [UInt64: String]
  ) {
    var settings = configuration(disk)
    settings.isInline = true
    settings.historyLimit = 0
    let (store, other) = (try FileStore.open(settings), try FileStore.open(settings))
    #expect(other.commitAndWait(transaction(0, (0..<300).map { put($0, day: 20_000 + $0, "{\"n\":1}") })))
    let before = try store.snapshot.contents
    let operations = (100..<900).map { put($0, day: 20_010 + $0 / 3, "{\"n\":2}") }
    let deletions = (90..<110).map { Operation.delete(meals, id: id($0)) }
    #expect(other.commitAndWait(transaction(1, by: "a", operations + deletions + [put(5, "{\"n\":3}"), put(5)])))
    try store.poll()
    other.close()
    return (store, before, try store.snapshot.contents)
  }

  @Test("A large transaction of another process is undone and redone, also when its journal is gone")
  func large() throws {
    let disk = SimulatedDisk()
    var (store, before, after) = try following(disk)
    for number in 10..<16 {
      #expect(store.commitAndWait(transaction(number, [put(1000)])))
      try store.checkpoint()
      try store.poll()
    }
    #expect(disk.contents(journalFile) == nil)
    (before[1000], after[1000]) = ("{}", "{}")
    let undo = try ready(store.undoEntry(author: "a").plan(in: store.snapshot))
    #expect(store.commitAndWait(transaction(2, by: "a", undoes: undo.revision, undo.operations)))
    #expect(try store.snapshot.contents == before)
    let redo = try ready(store.undoEntry(revision: store.revision).plan(in: store.snapshot))
    #expect(store.commitAndWait(transaction(3, by: "a", undoes: redo.revision, redo.operations)))
    #expect(try store.snapshot.contents == after)
    store.close()
  }

  @Test("Nothing is undone from a journal line that was damaged since it was read")
  func damagedLine() throws {
    let disk = SimulatedDisk()
    let (store, _, _) = try following(disk)
    var bytes = try #require(disk.contents(journalFile))
    bytes[bytes.count - 100] ^= 1
    disk.setContents(journalFile, bytes)
    #expect(throws: StoreError.self) { try store.undoEntry(author: "a").plan(in: store.snapshot) }
    store.close()
  }

  @Test("The last hundred transactions can be undone, and no more are remembered")
  func depth() throws {
    let store = try FileStore.open(configuration(SimulatedDisk()))
    for number in 0..<120 { #expect(store.commitAndWait(transaction(number, [put(number)]))) }
    for number in 0..<100 {
      let undo = try ready(store.undoEntry(author: "test").plan(in: store.snapshot))
      #expect(undo.revision == 120 - number)
      #expect(store.commitAndWait(transaction(200 + number, undoes: undo.revision, undo.operations)))
    }
    guard case .nothing = try store.undoEntry(author: "test").plan(in: store.snapshot) else {
      Issue.record("further back than a hundred")
      return
    }
    #expect(try store.snapshot.count(in: meals) == 20)
    store.close()
  }
}
