import DaybookProtocol
import FileStoreTesting
import Nutrition
import Tables
import Testing

@testable import NutritionTables

/// The records of one kind, and the links of rows to them.
struct RowShelf<Entity: RowEntity & Equatable> {
  var entities: [EntityID: Entity] = [:]
  private(set) var links: [EntityID: EntityID] = [:]
  private(set) var written = 0

  static func identity(_ key: String) -> EntityID {
    var (high, low): (UInt64, UInt64) = (0xcbf2_9ce4_8422_2325, 0x9e37_79b9_7f4a_7c15)
    for byte in key.utf8 {
      high = (high ^ UInt64(byte)) &* 0x100_0000_01b3
      low = (low &+ UInt64(byte)) &* 0xff51_afd7_ed55_8ccd
      low ^= low >> 29
    }
    return EntityID(high: high & ~0xF000 | 0x8000, low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  static func read(_ text: String) throws -> NutritionTable {
    var options = TableOptions()
    options.weightUnit = .kg
    return try NutritionTable.read(Array(text.utf8), options)
  }

  /// Imports a table, and returns the outcomes of its rows.
  @discardableResult
  mutating func take(_ text: String, replaces: Bool = false) throws -> TableOutcomes {
    let table = try RowShelf.read(text)
    let target = RowTarget<Entity>(table, .utc)
    let stored = links
    var plan = TablePlan(
      table.rows, target, identity: { RowShelf.identity($0) },
      links: { isWanted in stored.compactMap { id, target in isWanted(id) ? (id, target) : nil } })
    for (id, entity) in entities { plan.take(id, day: entity.day) { entity } }
    plan.compare {}
    written = 0
    try plan.visitChanges(replaces: replaces, at: Instant(milliseconds: 1000)) { refusal, _ in
      throw refusal
    } _: { change in
      written += 1
      switch change {
      case .add(let entity), .put(let entity): entities[entity.id] = entity
      case .link(let id, let target): links[id] = target
      }
    }
    return plan.outcomes
  }

  /// What an entity says, without its id.
  static func short(_ entity: Entity) -> String {
    "\(entity)".replacing("\(entity.id)", with: "-").replacing(String(reflecting: entity.id), with: "-")
  }

  /// Stores the rows of a table as earlier versions did: with ids of their keys and numbers.
  mutating func takeAsBefore(_ text: String) throws {
    let table = try RowShelf.read(text)
    let target = RowTarget<Entity>(table, .utc)
    var numbers: [String: Int] = [:]
    for row in table.rows {
      guard case .draft(let draft) = row.content, case .content(let own, _, let former)? = row.identity else {
        continue
      }
      let key = former ?? own
      let id = RowShelf.identity("\(key)\u{1F}\(numbers[key, default: 0])")
      numbers[key, default: 0] += 1
      entities[id] = target.made(of: draft, id: id, at: Instant(milliseconds: 1000))
    }
  }
}

@Suite("Rows keep their identity whatever the order and length of a table")
struct RowIdentityTests {
  /// A table of one kind: its header, and the columns that its random rows have.
  struct Kind: Sendable, CustomTestStringConvertible {
    let header: String
    let cells: [[String]]
    var testDescription: String { header }

    func row(_ random: inout SeededGenerator) -> String {
      cells.map { $0[random.below($0.count)] }.joined(separator: ",")
    }

    func text(_ rows: [String]) -> String { ([header] + rows).joined(separator: "\n") + "\n" }
  }

  private static let days = ["2026-01-04", "2026-01-05"]
  private static let weightsTables = [
    Kind(
      header: "Date,Time,Weight (kg),Comment",
      cells: [days, ["07:10", "21:10", ""], ["80", "82", "81.5"], ["", "x"]]),
    Kind(header: "Date,Weight (kg)", cells: [days, ["80", "82", "81.5"]]),
    Kind(header: "Date,Weight (kg)", cells: [["2026-01-05 07:10", "2026-01-05 21:10"], ["80", "82", "81.5"]]),
    Kind(header: "Day,Time,Group,Metric,Unit,Amount", cells: [days, [""], ["x"], ["Weight"], ["kg"], ["80", "81"]]),
    Kind(header: "day,value,unit", cells: [days, ["80", "81"], ["kg", "lb"]]),
  ]
  private static let mealsTables = [
    Kind(
      header: "Day,Time,Group,Food Name,Amount,Energy (kcal)",
      cells: [days, ["8:30 AM", ""], ["Lunch", "Dinner"], ["Oats", "Rice"], ["1 g", "2 g"], ["100", "200", "300"]]),
    Kind(
      header: "Date,Meal,Calories,Fat (g)",
      cells: [days, ["Lunch", "Dinner"], ["100", "200", "300"], ["1", "2", ""]]),
    Kind(header: "day,mealType,name,calories", cells: [days, ["lunch"], ["Oats", "Rice"], ["100", "200"]]),
  ]
  private static let exercisesTables = [
    Kind(
      header: "Day,Time,Exercise,Minutes,Calories Burned", cells: [days, [""], ["Run"], ["10", "20"], ["100", "200"]])
  ]
  private static let waterTables = [
    Kind(header: "day,at,value,volumeUnit", cells: [days, ["", "08:00"], ["100", "200"], ["ml"]])
  ]
  private static let measurementsTables = [
    Kind(header: "day,kind,value,unit", cells: [days, ["waist", "hips"], ["80", "81"], ["cm", "in"]])
  ]

  /// Imports a random table, then a permuted superset, then that permuted again.
  private func check<Entity: RowEntity & Equatable>(_ kind: Kind, _: Entity.Type, _ seed: Int) throws {
    var random = SeededGenerator(seed: 34, number: seed)
    let first = (0..<random.below(9)).map { _ in kind.row(&random) }
    let more = (0..<random.below(6)).map { _ in kind.row(&random) }
    let isBefore = random.once(in: 2)
    var shelf = RowShelf<Entity>()
    if isBefore { try shelf.takeAsBefore(kind.text(first)) } else { try shelf.take(kind.text(first)) }
    #expect(shelf.entities.count == first.count)
    let again = try shelf.take(kind.text(first.shuffled(using: &random)))
    #expect(again.present == first.count && shelf.written == 0)
    let outcomes = try shelf.take(kind.text((first + more).shuffled(using: &random)))
    #expect(outcomes.new == more.count && outcomes.present == first.count)
    #expect(shelf.entities.count == first.count + more.count)
    // What is stored is what the table says at once.
    var fresh = RowShelf<Entity>()
    try fresh.take(kind.text((first + more).shuffled(using: &random)))
    #expect(contents(shelf) == contents(fresh))
    if !isBefore { #expect(Set(shelf.entities.keys) == Set(fresh.entities.keys)) }
    let last = try shelf.take(kind.text((first + more).shuffled(using: &random)))
    #expect(last.present == first.count + more.count && shelf.written == 0)
  }

  private func contents<Entity>(_ shelf: RowShelf<Entity>) -> [String] {
    shelf.entities.values.map { entity in
      RowShelf<Entity>.short(entity)
    }.sorted()
  }

  @Test("Weights", arguments: weightsTables, 0..<60)
  func weights(_ kind: Kind, _ seed: Int) throws { try check(kind, WeightEntry.self, seed) }

  @Test("Meals", arguments: mealsTables, 0..<60)
  func meals(_ kind: Kind, _ seed: Int) throws { try check(kind, Meal.self, seed) }

  @Test("Exercises", arguments: exercisesTables, 0..<60)
  func exercises(_ kind: Kind, _ seed: Int) throws { try check(kind, Exercise.self, seed) }

  @Test("Water", arguments: waterTables, 0..<60)
  func water(_ kind: Kind, _ seed: Int) throws { try check(kind, WaterEntry.self, seed) }

  @Test("Measurements", arguments: measurementsTables, 0..<60)
  func measurements(_ kind: Kind, _ seed: Int) throws { try check(kind, Measurement.self, seed) }

  @Test("A later, longer table with a new row in front adds that row", arguments: [false, true])
  func longer(_ isBefore: Bool) throws {
    var shelf = RowShelf<WeightEntry>()
    let first = "Date,Time,Weight (kg)\n2026-01-05,,80\n"
    if isBefore { try shelf.takeAsBefore(first) } else { try shelf.take(first) }
    let outcomes = try shelf.take("Date,Time,Weight (kg)\n2026-01-05,,82\n2026-01-05,,80\n")
    #expect(outcomes.new == 1 && outcomes.present == 1)
    #expect(shelf.entities.values.map(\.typed.value).sorted() == [Decimal(80), Decimal(82)])
  }

  @Test("A later table without the old row changes neither, where times stand behind the days")
  func shorter() throws {
    var shelf = RowShelf<WeightEntry>()
    try shelf.take("Date,Weight (kg)\n2026-01-05 07:10,80\n")
    #expect(try shelf.take("Date,Weight (kg)\n2026-01-05 21:10,82\n").new == 1)
    #expect(try shelf.take("Date,Weight (kg)\n2026-01-05 07:10,81\n").different == 1)
    #expect(shelf.entities.count == 2)
  }

  @Test("An entry that was edited is found by its row, and no new row takes its place")
  func edited() throws {
    var shelf = RowShelf<WeightEntry>()
    try shelf.take("Date,Weight (kg)\n2026-01-05,80\n2026-01-05,81\n")
    let id = try #require(shelf.entities.values.first { $0.typed.value == Decimal(80) }?.id)
    shelf.entities[id]?.typed.value = Decimal(79)
    let outcomes = try shelf.take("Date,Weight (kg)\n2026-01-05,82\n2026-01-05,80\n2026-01-05,81\n")
    #expect(outcomes.new == 1 && outcomes.present == 1 && outcomes.different == 1)
    #expect(outcomes.list[1] == .different(id, ["value"], link: nil))
    #expect(shelf.entities.values.map(\.typed.value).sorted() == [79, 81, 82].map { Decimal($0) })
    // Its new value may come in a row of its own.
    let later = try shelf.take("Date,Weight (kg)\n2026-01-05,82\n2026-01-05,80\n2026-01-05,81\n2026-01-05,79\n")
    #expect(later.new == 1 && later.present == 3)
    #expect(shelf.entities.values.map(\.typed.value).sorted() == [79, 80, 81, 82].map { Decimal($0) })
    #expect(
      try shelf.take("Date,Weight (kg)\n2026-01-05,79\n2026-01-05,80\n2026-01-05,81\n2026-01-05,82\n").present == 4)
  }

  @Test("A row that changed in the other program is the nearest version of its key")
  func changed() throws {
    var shelf = RowShelf<Meal>()
    let header = "Date,Meal,Food,Calories,Fat (g)\n"
    try shelf.take(header + "2026-01-05,Lunch,Rice,300,1\n2026-01-05,Lunch,Rice,500,9\n")
    let outcomes = try shelf.take(
      header + "2026-01-05,Lunch,Rice,550,9\n2026-01-05,Lunch,Rice,700,3\n2026-01-05,Lunch,Rice,300,1\n", replaces: true
    )
    #expect(outcomes.different == 1 && outcomes.present == 1 && outcomes.new == 1)
    #expect(shelf.entities.values.map(\.calories).sorted() == [300, 550, 700])
  }

  @Test("An entry logged by hand is linked to an equal row in any order, and found after an edit")
  func byHand() throws {
    var shelf = RowShelf<WeightEntry>()
    try shelf.take("Date,Weight (kg)\n2026-01-05,80\n")
    var hand = try #require(shelf.entities.values.first)
    hand.id = EntityID(high: 0x4000, low: 0x8000_0000_0000_0001)
    (hand.typed.value, hand.weight) = (Decimal(82), Decimal(82))
    shelf.entities[hand.id] = hand
    #expect(try shelf.take("Date,Weight (kg)\n2026-01-05,82\n2026-01-05,80\n").present == 2)
    #expect(shelf.written == 1 && shelf.links.count == 1)
    shelf.entities[hand.id]?.note = "edited"
    #expect(try shelf.take("Date,Weight (kg)\n2026-01-05,80\n2026-01-05,82\n").present == 2)
    #expect(shelf.written == 0 && shelf.entities.count == 2)
  }
}
