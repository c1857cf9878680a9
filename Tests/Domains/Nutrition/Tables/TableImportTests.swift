import DaybookProtocol
import Tables
import Testing

@testable import NutritionTables

@Suite("Tables of other programs")
struct TableImportTests {
  private func read(_ text: String, _ change: (inout TableOptions) -> Void = { _ in }) throws -> NutritionTable {
    var options = TableOptions()
    change(&options)
    return try NutritionTable.read(Array(text.utf8), options)
  }

  /// A short form of each row's content.
  private func contents(_ table: NutritionTable) -> [String] {
    table.rows.map { row in
      switch row.content {
      case .ignored: return "-"
      case .refused: return "!"
      case .draft(.meal(let meal)):
        let grams = [meal.protein, meal.carbs, meal.fat].map { $0.map { "\($0)" } ?? "?" }.joined(separator: "/")
        return "\(meal.day) \(meal.mealType.rawValue) \(meal.name) \(meal.calories) \(grams) [\(meal.note ?? "")]"
      case .draft(.weight(let weight)):
        return "\(weight.day) \(weight.at.map { "\($0)" } ?? "-") \(weight.value) \(weight.unit.rawValue)"
      case .draft(.exercise(let exercise)): return "\(exercise.day) \(exercise.name) \(exercise.calories)"
      case .draft(.water(let water)): return "\(water.day) \(water.typed.value)"
      case .draft(.measurement(let measurement)): return "\(measurement.day) \(measurement.kind)"
      case .draft(.day(let entry)): return "\(entry.day) \(entry.fasted) [\(entry.note ?? "")]"
      case .draft(.several): return "several"
      }
    }
  }

  @Test("Cronometer's servings are meals with their amounts; rows without energy are ignored")
  func servings() throws {
    let table = try read(Samples.servings)
    #expect(table.known.format == .cronometer && table.known.name == "servings" && table.style.mark == .point)
    #expect(
      contents(table) == [
        "2026-01-04 breakfast Oats, rolled 220 7.66/38.48/4.06 [58.00 g]",
        "2026-01-04 breakfast Oats, rolled 220 7.66/38.48/4.06 [58.00 g]", "-",
        "2026-01-04 lunch Soup \"Grandma's\" 1051 30.25/24/12.5 [1.00 full recipe]",
        "2026-01-05 snack Dark chocolate 85% 120 1.9/7/9.2 [20.00 g]",
      ])
    #expect(table.ignored == 1 && table.refused == 0)
    var shelf = RowShelf<Meal>()
    #expect(try shelf.take(Samples.servings).new == 4 && shelf.entities.count == 4, "two alike are two")
  }

  @Test("Cronometer's days are one meal each; empty days and totals of listed meals are ignored")
  func dailySummary() throws {
    #expect(
      contents(try read(Samples.dailySummary)) == [
        "-", "2026-01-04 meal The whole day 2894 166.75/237.7/106.13 []",
        "2026-01-05 meal The whole day 1988 120/180/70 []",
      ])
    #expect(
      contents(try read(Samples.dailyByMeals)) == [
        "2026-01-04 breakfast Breakfast 500 20/60/12 []", "2026-01-04 dinner Dinner 701 40/80/25 []", "-",
        "2026-01-05 meal Total 900 50/100/30 []",
      ])
  }

  @Test("Of Cronometer's biometrics, weights of any device and other measures of the body are imported")
  func biometrics() throws {
    #expect(
      contents(try read(Samples.biometrics)) == [
        "2026-01-04 07:00 181.4 lb", "2026-01-04 Body Fat", "2026-01-04 Blood Pressure", "2026-01-05 06:00 82.2 kg",
      ])
  }

  @Test("MyFitnessPal's summary is one meal for each meal of the day")
  func nutrition() throws {
    let table = try read(Samples.nutrition)
    #expect(table.known.format == .myFitnessPal && table.known.name == "nutrition")
    #expect(
      contents(table) == [
        "2026-01-04 breakfast Breakfast 420 22/55/12 []", "2026-01-04 dinner Dinner 1051 40/70/25 [chicken, rice]",
        "2026-01-05 snack Snacks 200 12/20/8 []",
      ])
  }

  @Test("MyFitnessPal's weights need a stated unit")
  func measurements() throws {
    let refused = try read(Samples.measurements)
    #expect(contents(refused) == ["!", "-", "!"] && refused.problems.map(\.kind) == [.missingUnit, .missingUnit])
    let pounds = try read(Samples.measurements) { $0.weightUnit = .lb }
    #expect(contents(pounds) == ["2026-01-04 - 182.5 lb", "-", "2026-01-06 - 181.9 lb"])
    #expect(contents(try read("Date,Weight (lbs)\n2026-01-04,182.5\n")) == ["2026-01-04 - 182.5 lb"])
  }

  @Test("Kilojoules are converted if the header or the caller states them")
  func kilojoules() throws {
    let text = "Date;Energy (kJ);Protein (g)\n2026-01-04;12552;160,5\n"
    let table = try read(text)
    #expect(contents(table) == ["2026-01-04 meal The whole day 3000 160.5/?/? []"] && table.style.mark == .comma)
    #expect(
      contents(try read("Date,Meal,Calories\n2026-01-04,Lunch,1000\n") { $0.energyUnit = .kJ }) == [
        "2026-01-04 lunch Lunch 239 ?/?/? []"
      ])
    #expect(
      try read("Date,Meal,Calories\n2026-01-04,Lunch,83690\n") { $0.energyUnit = .kJ }.problems.first?.kind
        == .outOfRange)
  }

  @Test("Ambiguous days and numbers are refused, unless another row or the caller decides")
  func ambiguous() throws {
    let day = "Date,Meal,Calories\n03/04/2025,Lunch,500\n"
    #expect(try read(day).problems.first?.kind == .ambiguousDate)
    #expect(contents(try read(day) { $0.scan.order = .dmy }) == ["2025-04-03 lunch Lunch 500 ?/?/? []"])
    #expect(contents(try read(day + "25/04/2025,Lunch,500\n")).first == "2025-04-03 lunch Lunch 500 ?/?/? []")
    let number = "Date,Meal,Calories,Fat (g)\n2025-04-03,Lunch,1.234,3\n"
    let problem = try #require(try read(number).problems.first)
    #expect(problem.kind == .ambiguousNumber && problem.readings == ["1.234", "1234"] && problem.column == 3)
    #expect(contents(try read(number) { $0.scan.mark = .comma }) == ["2025-04-03 lunch Lunch 1234 ?/?/3 []"])
    #expect(
      contents(try read(number + "2025-04-04,Lunch,500,\"3,5\"\n")).first == "2025-04-03 lunch Lunch 1234 ?/?/3 []")
  }

  @Test(
    "A cell that meals/add would refuse is refused with its place and the allowed values",
    arguments: [
      ("2026-01-04,Lunch,20001,", "calories", .outOfRange), ("2026-01-04,Lunch,-1,", "calories", .outOfRange),
      ("2026-01-04,Lunch,many,", "calories", .notANumber), ("2026-01-04,Lunch,,5", "calories", .missing),
      ("2026-01-04,Lunch,500,5001", "fat", .outOfRange), ("2026-02-30,Lunch,500,", "day", .notADay),
      (",Lunch,500,", "day", .missing), ("2026-01-04,Lunch,500", nil, .raggedRow),
      ("2026-01-04,Lunch,500,,x", nil, .raggedRow),
      ("2026-01-04,\(String(repeating: "x", count: 201)),500,", "mealType", .tooLong),
    ] as [(String, String?, TableProblemKind)])
  func refusals(_ row: String, _ field: String?, _ code: TableProblemKind) throws {
    let table = try read("Date,Meal,Calories,Fat (g)\n2026-01-03,Lunch,1,\n\(row)\n")
    let problem = try #require(table.problems.first)
    #expect(problem.kind == code && problem.field == field && problem.row == 3 && problem.line == 3)
    #expect(problem.allowed != nil && table.refused == 1)
  }

  @Test("A meal of an unknown program needs no name")
  func nameless() throws {
    #expect(contents(try read("Date,Meal,Calories\n2026-01-04,,500\n")) == ["2026-01-04 meal Imported 500 ?/?/? []"])
  }

  @Test("Empty cells beyond the header are ignored")
  func emptyTail() throws {
    #expect(try read("Date,Meal,Calories,,\n2026-01-03,Lunch,1,,,\n").refused == 0)
  }

  @Test("Any table with days and calories, or weights, is read if its columns are detected or stated")
  func others() throws {
    #expect(contents(try read("Date,Food,kcal\n2026-01-04,Soup,350\n")) == ["2026-01-04 meal Soup 350 ?/?/? []"])
    let mapped = try read("Wann,Was,Energie\n2026-01-04,Suppe,350\n") {
      $0.scan.mapping = ["day": "Wann", "name": "Was", "calories": "#3"]
    }
    #expect(mapped.known.format == .other && contents(mapped) == ["2026-01-04 meal Suppe 350 ?/?/? []"])
    #expect(throws: TableRefusal.self) { try read("Artist,Album\nBach,Partitas\n") }
    #expect(throws: TableRefusal.self) { try read("Date,Food,kcal\n2026-01-04,Soup,350\n") { $0.format = .cronometer } }
    #expect(throws: TableRefusal.self) {
      try read("Date,Food,kcal\n2026-01-04,Soup,350\n") { $0.scan.mapping = ["x": "Food"] }
    }
  }

  @Test("A row's key is independent of other rows and of the date format")
  func keys() throws {
    let long = try read(Samples.servings).rows.map(\.identity?.key)
    let lines = Samples.servings.split(separator: "\n", omittingEmptySubsequences: false)
    let later = try read(([lines[0]] + lines[4...]).joined(separator: "\n")).rows.map(\.identity?.key)
    #expect(Array(long.suffix(2)) == later)
    let american = try read(Samples.servings.replacingDays { "\($0[1])/\($0[2])/\($0[0])" }) {
      $0.scan.order = .mdy
    }
    #expect(american.rows.map(\.identity?.key) == long)
  }

  @Test("Reading a table can be cancelled")
  func cancelled() {
    #expect(throws: TableRefusal.self) {
      try NutritionTable.read(Array(Samples.servings.utf8), TableOptions(), shouldContinue: { $0 < 50 })
    }
  }
}

extension String {
  /// The text with its ISO days in another form, made of year, month and day.
  fileprivate func replacingDays(_ form: ([Substring]) -> String) -> String {
    split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let day = line.prefix(10).split(separator: "-")
      return day.count == 3 ? form(day) + line.dropFirst(10) : String(line)
    }.joined(separator: "\n")
  }
}
