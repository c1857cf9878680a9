import DaybookProtocol
import FileStoreTesting
import Tables
import Testing

@testable import NutritionTables

@Suite("Layouts of tables of meals and weights")
struct LayoutTests {
  private static func read(_ text: String, _ change: (inout TableOptions) -> Void = { _ in }) throws -> NutritionTable {
    var options = TableOptions()
    change(&options)
    return try NutritionTable.read(Array(text.utf8), options)
  }

  /// The day and time of each row.
  private static func times(_ table: NutritionTable) -> [String] {
    table.rows.map { row in
      let (day, time): (CivilDay?, WallTime?) =
        switch row.content {
        case .draft(.meal(let meal)): (meal.day, meal.time)
        case .draft(.weight(let weight)): (weight.day, weight.at)
        case .draft(.exercise(let exercise)): (exercise.day, exercise.at)
        case .draft(.water(let water)): (water.day, water.at)
        case .draft(.measurement(let measurement)): (measurement.day, measurement.at)
        case .draft(.day), .draft(.several), .ignored, .refused: (nil, nil)
        }
      return day.map { "\($0)" + (time.map { " \($0)" } ?? "") } ?? "!"
    }
  }

  @Test(
    "A time behind the day is kept by everything that has one; its own column comes first",
    arguments: [
      ("Date,Weight (kg)\n2026-01-05 07:10,80\n", "2026-01-05 07:10"),
      ("Date,Food,kcal\n2026-01-05T07:10:00,Soup,80\n", "2026-01-05 07:10"),
      ("Date,Time,Food,kcal\n2026-01-05 07:10,8:30 AM,Soup,80\n", "2026-01-05 08:30"),
      ("Date,Time,Food,kcal\n2026-01-05 07:10,Lunch,Soup,80\n", "2026-01-05"),
      ("Date,Exercise,Exercise Calories\n2026-01-05 18:20,Run,300\n", "2026-01-05 18:20"),
      ("Day,Exercise,Minutes,Calories Burned\n2026-01-05 18:20,Run,30,-300\n", "2026-01-05 18:20"),
      ("day,value,volumeUnit\n2026-01-05 09:00,2,l\n", "2026-01-05 09:00"),
      ("day,kind,value\n2026-01-05 09:00,waist,80\n", "2026-01-05 09:00"),
      ("day,value,unit\n2026-01-05 09:00,80,kg\n", "2026-01-05 09:00"),
      ("Day,Time,Group,Metric,Unit,Amount\n2026-01-05 06:00,,x,Weight,kg,82.2\n", "2026-01-05 06:00"),
      ("Date,Weight,Deleted\n2026-01-05 06:00,82.2,0\n", "2026-01-05 06:00"),
    ])
  func times(_ text: String, _ expected: String) throws {
    let table = try LayoutTests.read(text) { $0.weightUnit = .kg }
    #expect(LayoutTests.times(table) == [expected] && table.refused == 0)
  }

  @Test("A weight or meal by hand without a time is the row's that says the same")
  func byHand() throws {
    let table = try LayoutTests.read("Date,Weight (kg)\n2026-01-05 07:10,80\n")
    guard case .draft(let draft) = table.rows[0].content,
      let made = RowTarget<WeightEntry>(table, .utc).made(
        of: draft, id: EntityID(high: 0x4000, low: 1 << 63), at: Instant(milliseconds: 0))
    else {
      Issue.record("no weight")
      return
    }
    let target = RowTarget<WeightEntry>(table, .utc)
    var byHand = made
    byHand.at = nil
    #expect(target.isSame(byHand, as: draft) && target.differences(of: byHand, from: draft) == ["at"])
    byHand.at = WallTime(minutesOfDay: 500)
    #expect(!target.isSame(byHand, as: draft))
  }

  @Test("An id of an earlier version stays: it has the written day and no time behind it")
  func keys() throws {
    let plain = try LayoutTests.read("Date,Weight (kg)\n2026-01-18,80\n").rows.map(\.identity?.key)
    let zone = try TimeZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3")
    for cell in ["2026-01-18 07:10", "2026-01-18T23:00:00.000Z", "2026-01-19T00:30:00+02:00"] {
      #expect(
        try LayoutTests.read("Date,Weight (kg)\n\(cell),80\n") { $0.scan.zone = zone }.rows.map(\.identity?.key)
          == plain)
    }
  }

  @Test("Mutated tables are read or refused with a problem for each refused row", arguments: 0..<100)
  func mutations(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed), number: 52)
    let tables = [
      "A title\n#x\nDate;Weight (kg);\n2026-01-05T07:10:00Z;80;\n05.01.2026 07:10;81;\n",
      "Date,Time,Food,kcal,Protein (g),Note\n2026-01-05,7:10,Soup,80,n/a,-\n1/5/2026 7 PM,,\"Soup, hot\",80,--,\n",
      Samples.biometrics, Samples.dailyByMeals, "day,value,volumeUnit,at\n2026-01-05,2,l,-\n",
    ]
    let pieces = [
      "n/a", "-", ",", ";", "\n", "\"", "Z", "+01:00", "NaN", "2026-01-05 25:00", "01.13.2026", "é", "0", "\0",
    ]
    for _ in 0..<30 {
      var text = Array(tables[random.below(tables.count)].utf8)
      for _ in 0..<random.among(1...5) {
        let at = random.below(text.count)
        switch random.below(3) {
        case 0: text[at] = UInt8(random.below(256))
        case 1: text.remove(at: at)
        default: text.insert(contentsOf: Array(pieces[random.below(pieces.count)].utf8), at: at)
        }
      }
      var options = TableOptions()
      options.scan.encoding = random.once(in: 2) ? .windows1252 : nil
      guard let table = try? NutritionTable.read(text, options) else { continue }
      let refused = table.rows.filter { $0.content == .refused }.map(\.number)
      #expect(Set(table.problems.map(\.row)).isSuperset(of: refused), "\(String(decoding: text, as: UTF8.self))")
    }
  }
}
