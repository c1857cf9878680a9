import DaybookProtocol
import Testing

@testable import Nutrition

@Suite("Exercise and water")
struct BodyRulesTests {
  private let first = SomeDays.monday

  private func day(_ offset: Int, consumed: Int?, burned: Int...) -> DayFacts {
    var facts = SomeDays.day(offset, consumed: consumed)
    for calories in burned { facts.exercise.add(calories: calories) }
    return facts
  }

  @Test("Exercise changes no status, no class, no hit and no streak, however much was burned", arguments: 0..<30)
  func apart(_ seed: Int) {
    var random = SeededNumbers(seed: UInt64(seed))
    let settings = SomeDays.settings
    let without = (0..<20).map { offset in
      SomeDays.day(offset, consumed: Bool.random(using: &random) ? Int.random(in: 0...5000, using: &random) : nil)
    }
    let with = without.map { facts in
      var facts = facts
      if Bool.random(using: &random) { facts.exercise.add(calories: Int.random(in: 1...20_000, using: &random)) }
      if Bool.random(using: &random) { facts.drink(Decimal(500)) }
      return facts
    }
    for (facts, plain) in zip(with, without) {
      let (day, other) = (DayRules.summary(facts, settings: settings), DayRules.summary(plain, settings: settings))
      #expect(day.deficitAchieved == settings.totalCalories - day.caloriesConsumed)
      #expect(day.netDeficit == day.deficitAchieved + day.exerciseCalories)
      #expect(day.deficitAchieved == other.deficitAchieved && day.caloriesConsumed == other.caloriesConsumed)
      #expect(day.status == other.status && day.metTarget == other.metTarget && day.hasData == other.hasData)
      #expect(DayRules.standing(facts, settings: settings) == DayRules.standing(plain, settings: settings))
    }
    let today = first.advanced(by: 19)
    #expect(
      StreakRules.streaks(with, today: today, settings: settings)
        == StreakRules.streaks(without, today: today, settings: settings))
    #expect(StreakRules.engagement(with, today: today) == StreakRules.engagement(without, today: today))
    #expect(WeekRules.consistency(with, settings: settings) == WeekRules.consistency(without, settings: settings))
    let days = first...today
    let summary = PeriodRules.summary(of: days, in: with, settings: settings)
    #expect(summary.exerciseCalories == with.reduce(0) { $0 + $1.exercise.calories })
    let net = with.filter(\.hasData).reduce(0) { $0 + DayRules.netDeficit($1, settings: settings) }
    #expect(summary.netDeficit == net)
    let points = SeriesRules.points(.week, in: days, of: with, firstWeekday: 0, settings: settings)
    #expect(points.reduce(0) { $0 + ($1.exerciseCalories ?? 0) } == summary.exerciseCalories)
  }

  @Test("Exercise on a day without data is summed, but not in the net deficit")
  func noData() {
    let facts = [day(0, consumed: 2263, burned: 100, 200), day(1, consumed: nil, burned: 900)]
    let summary = PeriodRules.summary(
      of: first...first.advanced(by: 1), in: facts, settings: SomeDays.settings)
    #expect(summary.exerciseCalories == 1200 && summary.netDeficit == 800 && summary.averageNetDeficit == 800)
    #expect(summary.daysWithData == 1 && summary.averageDeficit == 500)
  }

  @Test("Water is summed exactly, averaged over the days with water, and absent without")
  func water() {
    var facts = [DayFacts(first), DayFacts(first.advanced(by: 1)), DayFacts(first.advanced(by: 2))]
    #expect(PeriodRules.summary(of: first...first, in: facts, settings: SomeDays.settings).water == nil)
    for volume in ["29.57", "29.57", "236.59"] { facts[0].drink(Decimal(volume) ?? .zero) }
    facts[2].drink(Decimal(1000))
    let summary = PeriodRules.summary(
      of: first...first.advanced(by: 2), in: facts, settings: SomeDays.settings)
    #expect(summary.water == Decimal("1295.73") && summary.averageWater == Decimal("647.86"))
    #expect(summary.daysWithData == 0)
  }

  @Test("Sums that overflow stay unchanged")
  func overflow() {
    var totals = ExerciseTotals()
    totals.add(calories: .max)
    totals.add(calories: 1)
    #expect(totals.calories == .max && totals.count == 2)
    var facts = DayFacts(first)
    facts.drink(Decimal(.max))
    facts.drink(Decimal(.max))
    #expect(facts.water == Decimal(.max))
  }

  @Test("The exercise of a training session has the session's id; others have no source id")
  func identity() {
    let id = EntityID(high: 7, low: 7)
    let training = ExerciseSource(kind: .training, id: id)
    #expect(ExerciseRules.identity(training) == id && ExerciseRules.problem(training) == nil)
    #expect(ExerciseRules.identity(ExerciseSource(kind: .manual)) == nil)
    #expect(ExerciseRules.problem(ExerciseSource(kind: .manual)) == nil)
    #expect(ExerciseRules.problem(ExerciseSource(kind: .training))?.pointer == "/id")
    #expect(ExerciseRules.problem(ExerciseSource(kind: .manual, id: id))?.pointer == "/id")
  }

  @Test("Kinds of measurements differ by name without case, and are spelled as the latest")
  func kinds() throws {
    let zone = try #require(TimeZoneName("UTC"))
    let measurements = [("Waist", 5), ("Größe", 4), ("waist", 3), ("WAIST", 2), ("GRÖSSE", 1)].map { kind, day in
      Measurement(
        id: EntityID(high: 0, low: UInt64(day)), day: first.advanced(by: day), zone: zone, kind: kind,
        value: Decimal(90), createdAt: Instant(milliseconds: 0), updatedAt: Instant(milliseconds: 0))
    }
    let kinds = MeasurementRules.kinds(measurements)
    #expect(kinds.map(\.kind) == ["Waist", "Größe", "GRÖSSE"] && kinds.map(\.count) == [3, 1, 1])
    #expect(kinds[0].latest == measurements[0] && kinds[0].previous == measurements[2])
    #expect(MeasurementRules.kinds([]).isEmpty)
  }
}
