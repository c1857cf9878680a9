import DaybookProtocol
import FileStoreTesting
import Nutrition
import Tables
import Testing

@testable import NutritionTables

@Suite("Our own tables")
struct RoundTripTests {
  private let instant = Instant(milliseconds: 0)
  private let parts = [
    ",", "\"", "\n", "\r\n", "🍛", "ü", "=", "+", "-", "@", "\t", "'", " ", "a", "1", ";", "sep=", "\0",
  ]

  private func text(_ random: inout SeededGenerator, _ most: Int) -> String {
    (0..<random.below(most)).map { _ in parts[random.below(parts.count)] }.joined()
  }

  private func grams(_ random: inout SeededGenerator) -> Decimal? {
    random.once(in: 3) ? nil : Decimal(significand: Int64(random.below(500_001)), scale: 2)
  }

  @Test("Meals survive a round trip", arguments: 0..<40)
  func meals(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var export = TableExport.meals(hasMark: random.once(in: 2))
    var meals: [Meal] = []
    for number in 0..<random.among(1...20) {
      let name = text(&random, 8).trimmedCell
      var nutrients = OtherNutrients()
      for member in OtherNutrients.members { nutrients[keyPath: member.amount] = grams(&random)?.normalized }
      let unit = text(&random, 4).trimmedCell
      meals.append(
        Meal(
          id: EntityID(randomHigh: random.next(), randomLow: random.next()),
          day: CivilDay(daysSinceEpoch: Int32(random.among(-25567...84370))), zone: .utc,
          name: !name.isVisible ? "Meal \(number)" : name, calories: random.among(0...20000),
          mealType: MealType.known[random.below(5)], protein: grams(&random), carbs: grams(&random),
          fat: grams(&random), nutrients: random.once(in: 2) ? nil : nutrients.known,
          time: WallTime(minutesOfDay: random.below(2880)), amount: random.once(in: 2) ? grams(&random) : nil,
          unit: unit.isVisible ? unit : nil, barcode: random.once(in: 3) ? "0\(random.below(100_000))" : nil,
          note: random.once(in: 2) ? nil : text(&random, 12), createdAt: instant, updatedAt: instant))
    }
    for meal in meals { export.append(meal) }
    let table = try NutritionTable.read(export.take(), TableOptions())
    #expect(table.known.format == .daybook && table.refused == 0 && table.rows.count == meals.count)
    for (row, meal) in zip(table.rows, meals) {
      #expect(row.id == meal.id)
      guard case .draft(.meal(let read)) = row.content else {
        Issue.record("no meal: \(meal)")
        continue
      }
      let target = RowTarget<Meal>(table, .utc)
      #expect(target.differences(of: meal, from: .meal(read)).isEmpty, "\(read) \(meal)")
      #expect(target.applied(.meal(read), to: meal)?.name == meal.name)
    }
  }

  @Test("Weights survive a round trip", arguments: 0..<10)
  func weights(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed), number: 2)
    var export = TableExport.weights()
    var entries: [WeightEntry] = []
    for _ in 0..<random.among(1...20) {
      let value = try #require(Decimal(significand: Int64(random.among(45_000...70_000)), scale: 3))
      entries.append(
        WeightEntry(
          id: EntityID(randomHigh: random.next(), randomLow: random.next()),
          day: CivilDay(daysSinceEpoch: Int32(random.among(0...30000))), zone: .utc,
          at: WallTime(minutesOfDay: random.below(2880)), weight: value,
          typed: TypedWeight(value: value, unit: random.once(in: 2) ? .kg : .lb), note: text(&random, 5),
          createdAt: instant, updatedAt: instant))
    }
    for entry in entries { export.append(entry) }
    let table = try NutritionTable.read(export.take(), TableOptions())
    #expect(table.known.name == "weights" && table.refused == 0)
    for (row, entry) in zip(table.rows, entries) {
      guard case .draft(.weight(let read)) = row.content else {
        Issue.record("no weight: \(entry)")
        continue
      }
      #expect(
        row.id == entry.id && RowTarget<WeightEntry>(table, .utc).differences(of: entry, from: .weight(read)).isEmpty,
        "\(read) \(entry)")
      #expect("\(read.value)" == "\(entry.typed.value)")
    }
  }

  private func read<Entity: RowEntity & Equatable>(
    _ export: TableExport<Entity>, _ entities: [Entity], _ name: String
  ) throws {
    var export = export
    for entity in entities { export.append(entity) }
    let table = try NutritionTable.read(export.take(), TableOptions())
    #expect(table.known.name == name && table.known.format == .daybook && table.refused == 0, "\(table.problems)")
    let target = RowTarget<Entity>(table, .utc)
    for (row, entity) in zip(table.rows, entities) {
      guard case .draft(let draft) = row.content, let id = row.id else {
        Issue.record("nothing: \(entity)")
        continue
      }
      #expect(target.differences(of: entity, from: draft).isEmpty, "\(draft) \(entity)")
      #expect(target.made(of: draft, id: id, at: instant) == entity)
      #expect(target.applied(draft, to: entity) == entity)
    }
  }

  @Test("Exercises, water and measurements survive a round trip", arguments: 0..<20)
  func body(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed), number: 3)
    var exercises: [Exercise] = []
    var water: [WaterEntry] = []
    var measurements: [Measurement] = []
    for number in 0..<random.among(1...10) {
      let id = EntityID(randomHigh: random.next(), randomLow: random.next())
      let day = CivilDay(daysSinceEpoch: Int32(random.among(0...30000)))
      let (name, note) = (text(&random, 8).trimmedCell, text(&random, 12))
      let (at, words) = (WallTime(minutesOfDay: random.below(2880)), name.isVisible ? name : "No \(number)")
      let isSession = random.once(in: 2)
      exercises.append(
        Exercise(
          id: id, day: day, zone: .utc, at: at, name: words, calories: random.among(1...20000),
          minutes: random.once(in: 2) ? nil : random.among(1...1440),
          source: ExerciseSource(kind: isSession ? .training : .manual, id: isSession ? id : nil),
          note: note.isEmpty ? nil : note, createdAt: instant, updatedAt: instant))
      let typed = TypedVolume(value: Decimal(Int64(random.among(100...300))), unit: random.once(in: 2) ? .ml : .floz)
      water.append(
        WaterEntry(
          id: id, day: day, zone: .utc, at: at, volume: try VolumeUnits.millilitres(typed), typed: typed,
          note: note.isEmpty ? nil : note, createdAt: instant, updatedAt: instant))
      measurements.append(
        Measurement(
          id: id, day: day, zone: .utc, at: at, kind: words,
          value: Decimal(significand: Int64(random.below(2_000_000)) - 1_000_000, scale: random.below(7)) ?? .zero,
          secondValue: grams(&random), unit: random.once(in: 2) ? "cm" : nil, note: note.isEmpty ? nil : note,
          createdAt: instant, updatedAt: instant))
    }
    try read(.exercises(), exercises, "exercises")
    try read(.water(), water, "water")
    try read(.measurements(), measurements, "measurements")
  }

  @Test("Repeated ids and days are refused")
  func repeated() throws {
    let id = "11111111-1111-4111-8111-111111111111"
    let row = "\(id),2026-01-05,lunch,Soup,350\n"
    let table = try NutritionTable.read(Array("id,day,mealType,name,calories\n\(row)\(row)".utf8), TableOptions())
    #expect(table.refused == 1 && table.problems.first?.kind == .repeatedId)
    let days = "day,fasted\n2026-01-05,true\n2026-01-05,yes\n2026-01-06,false\n"
    let entries = try NutritionTable.read(Array(days.utf8), TableOptions())
    #expect(entries.known.kind == .days && entries.refused == 1 && entries.ignored == 1 && entries.rows[0].id != nil)
  }
}
