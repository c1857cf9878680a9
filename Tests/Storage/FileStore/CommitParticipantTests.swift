import FileStoreTesting
import Pacing
import Synchronization
import Testing
import Values

@testable import FileStore

/// Puts, for each change of a meal, a record under the same id that says what the change replaced.
private struct Shadowing: CommitParticipant {
  static let collection = CollectionName("shadows")
  let ownCollections: Set<CollectionName> = [collection]

  func additions(to change: PendingChange) -> [Operation] {
    var additions: [Operation] = []
    change.forEach { operation, before in
      guard operation.collection == meals else { return }
      let text = before.map { String(decoding: $0.body.bytes, as: UTF8.self) } ?? "null"
      additions.append(
        .put(
          Shadowing.collection, id: operation.id, day: nil, schema: 1, createdAt: change.at, updatedAt: change.at,
          body: Array("{\"before\":\(text),\"label\":\"\(change.label)\",\"revision\":\(change.revision)}".utf8)))
    }
    return additions
  }
}

/// Counts the operations that it sees of a collection, in a record of an ordinary collection.
private struct Counting: CommitParticipant {
  static let collection = CollectionName("counts")
  let counted: CollectionName
  let ownCollections: Set<CollectionName> = []

  func additions(to change: PendingChange) -> [Operation] {
    var count = 0
    change.forEach { operation, _ in count += operation.collection == counted ? 1 : 0 }
    #expect(change.touches(counted) == (count > 0))
    return [put(1, day: nil, "{\"count\":\(count)}", in: Counting.collection)]
  }
}

/// Puts something else than the change does.
private struct Amending: CommitParticipant {
  let ownCollections: Set<CollectionName> = [Shadowing.collection]

  func additions(to change: PendingChange) -> [Operation] {
    var additions: [Operation] = []
    change.forEach { operation, _ in
      if operation.isPut { additions.append(put(Int(operation.id.low & 0xFF), "{\"amended\":true}")) }
    }
    return additions
  }
}

/// The ways in which a change comes into a store.
enum CommitWay: String, CaseIterable {
  case transaction, newRecords, prepared, smallImport, largeImport, smallReplacement, largeReplacement
}

@Suite("Commit participants", .simulated)
struct CommitParticipantTests {
  private func settings(_ disk: SimulatedDisk, _ participants: [any CommitParticipant] = [Shadowing()])
    -> FileStore.Configuration
  {
    var settings = inline(disk)
    settings.participants = participants
    return settings
  }

  private func record(_ number: Int, _ collection: CollectionName, _ store: FileStore) throws -> String? {
    try store.snapshot.record(id(number), in: collection).map { String(decoding: $0.body.bytes, as: UTF8.self) }
  }

  private func line(_ number: Int, _ body: String, in collection: String = "meals") -> String {
    "{\"collection\":\"\(collection)\",\"id\":\"\(id(number))\",\"day\":\"2024-10-04\","
      + "\"created\":\"1970-01-01T00:00:00.000Z\",\"updated\":\"1970-01-01T00:00:01.000Z\",\"schema\":1,\"body\":\(body)}"
  }

  /// Puts record 0 again and record 7 for the first time, in one change.
  private func change(_ way: CommitWay, _ disk: SimulatedDisk, _ settings: FileStore.Configuration) throws {
    let operations = [put(0, "{\"new\":0}"), put(7, "{\"new\":7}")]
    switch way {
    case .transaction, .newRecords, .prepared:
      let store = try FileStore.open(settings)
      var transaction = transaction(50, operations)
      if way == .newRecords {
        transaction.operations = [put(7, "{\"new\":7}")]
        transaction.isOfNewRecords = true
      }
      if way == .prepared {
        _ = try #require(try store.commit(try store.draft().prepare(transaction)))
        store.waitUntilDurable()
      } else {
        #expect(store.commitAndWait(transaction))
      }
      store.close()
    case .smallImport, .largeImport, .smallReplacement, .largeReplacement:
      var settings = settings
      settings.importLabel = "meals/add"
      settings.journaledImportLimit = way == .smallImport || way == .smallReplacement ? 1000 : 0
      let mode: StoreImportMode = way == .smallImport || way == .largeImport ? .merge : .replace
      // A line of a participant's collection is nobody's to import.
      let lines = [line(0, "{\"new\":0}"), line(7, "{\"new\":7}"), line(9, "{}", in: "shadows")]
      let source = ImportSource.lines([Array(lines.joined(separator: "\n").utf8)[...]])
      let summary = try FileStore.importRecords(source, mode, settings, author: "test")
      let counts = summary.collections.filter { $0.added + $0.updated + $0.removed > 0 }
      #expect(counts.map(\.collection) == [meals], "what participants add counts nowhere")
      #expect(summary.isUndoable == (settings.journaledImportLimit > 0))
    }
  }

  @Test("What a participant puts takes the place of the operation on that record", arguments: CommitWay.allCases)
  func amends(_ way: CommitWay) throws {
    let disk = SimulatedDisk()
    let settings = settings(disk, [Amending()])
    try change(way, disk, settings)
    let store = try FileStore.open(settings)
    #expect(try store.snapshot.contents[7] == "{\"amended\":true}")
    guard way == .transaction else { return }
    let journal = String(decoding: try #require(disk.contents(folder + "/journal/000001.jsonl")), as: UTF8.self)
    #expect(!journal.contains("new\"") && journal.split(separator: "amended").count == 3)
  }

  @Test("A participant is part of every change, with the versions replaced", arguments: CommitWay.allCases)
  func everyWay(_ way: CommitWay) throws {
    let disk = SimulatedDisk()
    let settings = settings(disk)
    let first = try FileStore.open(settings)
    #expect(first.commitAndWait(transaction(0, [put(0, "{\"old\":0}"), put(1, "{\"old\":1}")])))
    try first.checkpoint()
    first.close()
    try change(way, disk, settings)
    for round in 0..<2 {
      let store = try FileStore.open(settings)
      defer { store.close() }
      #expect(try store.revision == 2)
      if way != .newRecords {
        #expect(
          try record(0, Shadowing.collection, store)
            == "{\"before\":{\"old\":0},\"label\":\"meals/add\",\"revision\":2}")
      }
      #expect(
        try record(7, Shadowing.collection, store) == "{\"before\":null,\"label\":\"meals/add\",\"revision\":2}")
      let isReplacement = way == .smallReplacement || way == .largeReplacement
      #expect(
        try record(1, Shadowing.collection, store)?.contains("\"revision\":\(isReplacement ? 2 : 1)") == true,
        "a removed record is a change too")
      #expect(try record(9, Shadowing.collection, store) == nil)
      #expect(try store.snapshot.record(id(7), in: Shadowing.collection)?.revision == 2)
      #expect(try store.snapshot.contents[7] == "{\"new\":7}")
      #expect(store.recoveryReport.findings.isEmpty)
      if round == 0 { try store.checkpoint() }
    }
  }

  @Test("Undo and redo leave the collections of participants alone, and have them take part")
  func undo() throws {
    let store = try FileStore.open(settings(SimulatedDisk()))
    #expect(store.commitAndWait(transaction(0, [put(0, "{\"n\":1}")])))
    #expect(store.commitAndWait(transaction(1, [put(0, "{\"n\":2}")])))
    for round in 0..<3 {
      guard
        case .ready(let revision, _, let operations) = try store.undoEntry(revision: store.revision)
          .plan(in: store.snapshot)
      else {
        Issue.record("not ready")
        return
      }
      #expect(operations.map(\.collection) == [meals])
      #expect(store.commitAndWait(transaction(2 + round, undoes: revision, operations)))
      #expect(
        try record(0, Shadowing.collection, store)
          == "{\"before\":{\"n\":\(2 - round % 2)},\"label\":\"meals/add\",\"revision\":\(3 + round)}")
    }
    store.close()
  }

  @Test("Neither changes nor exports nor a replacing import tell of a participant's collection")
  func leftOut() throws {
    let disk = SimulatedDisk()
    let settings = settings(disk)
    let store = try FileStore.open(settings)
    #expect(store.commitAndWait(transaction(0, [put(0), put(1)])))
    #expect(try store.changes(since: 0).records.map(\.collection) == [meals, meals])
    let prepared = try store.draft().prepare(transaction(1, [put(2)]))
    #expect(prepared.changes?.records.map(\.collection) == [meals])
    store.close()
    var text: [UInt8] = []
    let summary = try StoreExport(settings).run { text += $0 }
    #expect(summary.records == 2 && !String(decoding: text, as: UTF8.self).contains("shadows"))
    let replaced = try FileStore.importRecords(.text(text), .replace, settings, author: "test")
    #expect(!replaced.isChanged, "the file has everything that it can have")
  }

  @Test("A participant sees what those before it have added, and may add to ordinary collections")
  func order() throws {
    let disk = SimulatedDisk()
    let settings = settings(disk, [Shadowing(), Counting(counted: Shadowing.collection)])
    for way in [CommitWay.transaction, .largeImport] {
      try change(way, disk, settings)
      let store = try FileStore.open(settings)
      #expect(try record(1, Counting.collection, store) == "{\"count\":2}")
      store.close()
    }
  }

  @Test("A deletion fits on a full disk, although a participant puts records with it")
  func deletionOnFullDisk() throws {
    let disk = SimulatedDisk()
    var settings = settings(disk)
    settings.reserveSize = 8192
    let store = try FileStore.open(settings)
    for number in 0..<2 { #expect(store.commitAndWait(transaction(number, [put(number)]))) }
    disk.setFaults { $0.freeBytes = 0 }
    #expect(!store.commitAndWait(transaction(2, [put(2)])))
    #expect(store.commitAndWait(transaction(3, [.delete(meals, id: id(0))])))
    #expect(try record(0, Shadowing.collection, store)?.contains("\"before\":{}") == true)
    store.close()
  }
}
