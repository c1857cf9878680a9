import CivilTime
import FileStoreTesting
import Pacing
import Testing
import Values

@testable import FileStore

/// A naive model of the store's memory.
private struct NaiveModel {
  struct Entry: Equatable {
    var day: CivilDay?
    var createdAt: Instant
    var body: [UInt8]
  }

  var records: [EntityID: Entry] = [:]

  func position(_ id: EntityID) -> Position {
    Position(day: records[id]?.day, createdAt: records[id]?.createdAt ?? Instant(milliseconds: 0), id: id)
  }

  /// Ids newest first.
  func listed(_ days: ClosedRange<CivilDay>?, after: Position? = nil) -> [EntityID] {
    records.filter { id, entry in
      if let days { guard let day = entry.day, days.contains(day) else { return false } }
      if let after, position(id) >= after { return false }
      return true
    }.keys.sorted { position($0) > position($1) }
  }
}

@Suite(.simulated)
struct CollectionTests {
  private func randomDay(_ generator: inout SeededGenerator) -> CivilDay? {
    Int.random(in: 0..<8, using: &generator) == 0
      ? nil : CivilDay(daysSinceEpoch: Int32.random(in: 19_980..<20_100, using: &generator))
  }

  private func randomOperations(_ generator: inout SeededGenerator, ids: Int) -> [Operation] {
    (0..<Int.random(in: 1...4, using: &generator)).map { _ in
      let number = id(Int.random(in: 0..<ids, using: &generator))
      if Int.random(in: 0..<4, using: &generator) == 0 { return .delete(meals, id: number) }
      return .put(
        meals, id: number, day: randomDay(&generator), schema: 1,
        createdAt: Instant(milliseconds: Int64.random(in: 0..<5, using: &generator)),
        updatedAt: Instant(milliseconds: 9),
        body: Array("{\"n\":\(Int.random(in: 0..<1_000_000, using: &generator))}".utf8))
    }
  }

  private func apply(_ operations: [Operation], to model: inout NaiveModel) {
    for operation in operations {
      switch operation {
      case .put(_, let id, let day, _, let createdAt, _, let body):
        model.records[id] = NaiveModel.Entry(day: day, createdAt: createdAt, body: body)
      case .delete(_, let id): model.records[id] = nil
      }
    }
  }

  private func check(_ snapshot: Snapshot, _ model: NaiveModel, _ generator: inout SeededGenerator) {
    let listed = snapshot.records(in: meals)
    #expect(listed.map(\.id) == model.listed(nil))
    #expect(listed.allSatisfy { model.records[$0.id]?.body == $0.body.bytes && model.records[$0.id]?.day == $0.day })
    #expect(snapshot.count(in: meals) == model.records.count)
    let span = snapshot.span(of: meals)
    #expect(model.records.values.compactMap(\.day).allSatisfy { span?.contains($0) == true })
    let first = CivilDay(daysSinceEpoch: Int32.random(in: 19_970..<20_110, using: &generator))
    let days = first...first.advanced(by: Int.random(in: 0..<90, using: &generator))
    #expect(snapshot.records(in: meals, days: days).map(\.id) == model.listed(days))
    #expect(snapshot.count(in: meals, days: days) == model.listed(days).count)
    let after = Position(
      day: randomDay(&generator), createdAt: Instant(milliseconds: 2), id: id(Int.random(in: 0..<50, using: &generator))
    )
    let limit = Int.random(in: 0..<20, using: &generator)
    #expect(
      snapshot.records(in: meals, days: days, after: after, limit: limit).map(\.id)
        == Array(model.listed(days, after: after).prefix(limit)))
    for number in 0..<5 {
      #expect((snapshot.record(id(number), in: meals) != nil) == (model.records[id(number)] != nil))
    }
  }

  @Test(
    "Random histories give what a naive model gives, and snapshots stay as they were",
    arguments: 0..<12 as Range<UInt64>)
  func againstModel(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var memory = StoreMemory(base: .nothing, retainedChanges: 50, undoDepth: 10)
    var model = NaiveModel()
    var models = [model]
    var durable = 0
    var held: [(Snapshot, NaiveModel)] = []
    for step in 0..<300 {
      switch Int.random(in: 0..<12, using: &generator) {
      case 0:
        durable = Int.random(in: durable...memory.revision, using: &generator)
        memory.settle(durable: durable)
      case 1 where step % 3 == 0:
        memory.rollBack(to: durable)
        models.removeLast(models.count - 1 - durable)
        model = models[durable]
      case 2:
        if case .ready(let revision, _, let operations)? = try memory.undo.latest(author: "a", matching: { _ in true })?
          .plan(in: memory.snapshot)
        {
          memory.apply(
            transaction(step, by: "a", undoes: revision, operations), revision: memory.revision + 1, isDurable: false)
          apply(operations, to: &model)
          models.append(model)
          let touched = operations.map { operation in
            switch operation {
            case .put(_, let id, _, _, _, _, _), .delete(_, let id): id
            }
          }
          for id in touched { #expect(model.records[id] == models[revision - 1].records[id], "undo restores") }
        }
      default:
        let operations = randomOperations(&generator, ids: seed % 2 == 0 ? 50 : 2000)
        memory.apply(
          transaction(step, by: step % 2 == 0 ? "a" : "b", operations), revision: memory.revision + 1, isDurable: false)
        apply(operations, to: &model)
        models.append(model)
      }
      #expect(memory.revision == models.count - 1)
      if step % 5 == 0 { check(memory.snapshot, model, &generator) }
      if step % 20 == 0 { held.append((memory.snapshot, model)) }
    }
    for (snapshot, model) in held { check(snapshot, model, &generator) }
  }

  @Test("Paging through a listing while records change lists each remaining one exactly once")
  func paging() {
    var generator = SeededGenerator(seed: 3)
    var memory = StoreMemory(base: .nothing, retainedChanges: 50, undoDepth: 10)
    let fixed = (0..<600).map { put($0, day: 20_000 + $0 % 90, created: $0 % 7) }
    memory.apply(transaction(0, fixed), revision: 1, isDurable: true)
    var seen: [EntityID] = []
    var after: Position?
    while true {
      let page = memory.snapshot.records(in: meals, after: after, limit: 7)
      guard let last = page.last else { break }
      seen += page.map(\.id).filter { $0.low < 600 }
      after = last.position
      let churn = (0..<3).flatMap { _ -> [Operation] in
        let number = 600 + Int.random(in: 0..<50, using: &generator)
        return [.delete(meals, id: id(number)), put(number, day: Int.random(in: 20_000..<20_090, using: &generator))]
      }
      memory.apply(transaction(1, churn), revision: memory.revision + 1, isDurable: true)
    }
    #expect(seen.count == 600)
    #expect(Set(seen).count == 600)
  }

  @Test("Thousands of records in one month, put in any order, are found and listed")
  func longMonth() {
    var generator = SeededGenerator(seed: 4)
    var memory = StoreMemory(base: .nothing, retainedChanges: 50, undoDepth: 10)
    var model = NaiveModel()
    for number in (0..<3000).shuffled(using: &generator) {
      let operation = put(number, day: 20_000 + number % 3, created: number)
      memory.apply(transaction(number, [operation]), revision: memory.revision + 1, isDurable: true)
      apply([operation], to: &model)
    }
    check(memory.snapshot, model, &generator)
    for number in 0..<2900 {
      memory.apply(
        transaction(number, [.delete(meals, id: id(number))]), revision: memory.revision + 1, isDurable: true)
      apply([.delete(meals, id: id(number))], to: &model)
    }
    check(memory.snapshot, model, &generator)
  }
}
