import DaybookProtocol
import Testing

@testable import Nutrition

@Suite("Periods and series")
struct PeriodRulesTests {
  private let first = SomeDays.monday
  private func range(_ from: Int, _ to: Int) -> ClosedRange<CivilDay> {
    first.advanced(by: from)...first.advanced(by: to)
  }

  @Test("Days without data are in no sum and no average")
  func gaps() {
    let facts = SomeDays.with(deficits: [763, nil, -237, 363])
    let summary = PeriodRules.summary(of: range(0, 2), in: facts, settings: SomeDays.settings)
    #expect(summary.days == 3 && summary.daysWithData == 2 && summary.daysMet == 1 && summary.metPercentage == 50)
    #expect(summary.caloriesConsumed == 5000 && summary.averageCalories == 2500)
    #expect(summary.deficitAchieved == 526 && summary.averageDeficit == 263)
  }

  @Test("A period without data has sums of zero and no averages")
  func empty() {
    let summary = PeriodRules.summary(of: range(10, 16), in: SomeDays.with(deficits: [1]), settings: SomeDays.settings)
    #expect(summary.days == 7 && summary.daysWithData == 0 && summary.deficitAchieved == 0)
    #expect(summary.averageCalories == nil && summary.averageDeficit == nil && summary.averageProtein == nil)
  }

  @Test("Averages are truncated toward zero", arguments: [([-200, -301], -250), ([200, 301], 250), ([1, 0, 0], 0)])
  func truncation(_ deficits: [Int], _ average: Int) {
    let summary = PeriodRules.summary(
      of: range(0, 6), in: SomeDays.with(deficits: deficits), settings: SomeDays.settings)
    #expect(summary.averageDeficit == average)
  }

  @Test(
    "Percentages are truncated and stay within 0 and 100",
    arguments: [(0, 0, 0), (1, 3, 33), (2, 3, 66), (3, 3, 100), (5, 3, 100), (1, 0, 0)])
  func percentages(_ part: Int, _ whole: Int, _ percentage: Int) {
    #expect(PeriodRules.percentage(part, of: whole) == percentage)
  }

  @Test("A fast is data: zero intake is averaged in")
  func fast() {
    let facts = [SomeDays.day(0, consumed: 2000), SomeDays.day(1, consumed: nil, fasted: true)]
    let summary = PeriodRules.summary(of: range(0, 1), in: facts, settings: SomeDays.settings)
    #expect(summary.daysWithData == 2 && summary.averageCalories == 1000 && summary.daysMet == 2)
  }

  @Test("Grams are added exactly, and averaged to hundredths")
  func grams() {
    var days = [DayFacts(first), DayFacts(first.advanced(by: 1)), DayFacts(first.advanced(by: 2))]
    for (index, grams) in ["0.10", "0.2", "0.10"].enumerated() {
      days[index].totals.add(calories: 1, protein: Decimal(grams), carbs: nil, fat: nil)
    }
    let summary = PeriodRules.summary(of: range(0, 2), in: days, settings: SomeDays.settings)
    #expect(summary.protein == Decimal("0.4") && summary.averageProtein == Decimal("0.13"))
    #expect(summary.averageFat == .zero)
  }

  @Test("A series has a point for each bucket, gaps too", arguments: SeriesBucket.known)
  func series(_ bucket: SeriesBucket) {
    let facts = SomeDays.with(deficits: [763, nil, -237])
    let points = SeriesRules.points(bucket, in: range(-40, 9), of: facts, firstWeekday: 0, settings: SomeDays.settings)
    #expect(points.first.map { $0.from <= first.advanced(by: -40) } == true)
    #expect(points.last.map { $0.to >= first.advanced(by: 9) } == true)
    for (point, next) in zip(points, points.dropFirst()) { #expect(point.to.advanced(by: 1) == next.from) }
    for point in points {
      #expect((point.daysWithData == 0) == (point.caloriesConsumed == nil && point.deficitAchieved == nil))
    }
    #expect(points.reduce(0) { $0 + $1.daysWithData } == 2)
    if bucket == .week {
      #expect(points.first { $0.from == first }?.deficitAchieved == 263, "a week is whole")
    }
  }

  @Test("Weeks are clamped to the calendar", arguments: [0, 6])
  func ends(_ firstWeekday: Int) {
    for day in [CivilDay.allowed.lowerBound, CivilDay.allowed.upperBound] {
      let points = SeriesRules.points(
        .week, in: day...day, of: [], firstWeekday: firstWeekday, settings: SomeDays.settings)
      #expect(points.count == 1 && points.allSatisfy { CivilDay.allowed.contains($0.from) })
      #expect(points.allSatisfy { CivilDay.allowed.contains($0.to) })
    }
  }

  @Test("For any meals, each day's deficit and what was eaten add up to maintenance", arguments: 0..<50)
  func invariant(_ seed: Int) {
    var random = SeededNumbers(seed: UInt64(seed))
    var settings = SomeDays.settings
    settings.totalCalories = Int.random(in: 1...20_000, using: &random)
    settings.targetDeficit = Int.random(in: 0...5_000, using: &random)
    let facts = (0..<30).map { offset in
      SomeDays.day(
        offset, consumed: Bool.random(using: &random) ? Int.random(in: 0...20_000, using: &random) : nil,
        fasted: Int.random(in: 0..<5, using: &random) == 0)
    }
    var (sum, count) = (0, 0)
    for facts in facts {
      let day = DayRules.summary(facts, settings: settings)
      #expect(day.deficitAchieved + day.caloriesConsumed == settings.totalCalories)
      #expect(day.metTarget == (day.hasData && day.deficitAchieved >= settings.targetDeficit))
      #expect(day.hasData == (day.status.kind != .noData))
      if day.hasData { (sum, count) = (sum + day.deficitAchieved, count + 1) }
    }
    let summary = PeriodRules.summary(of: range(0, 29), in: facts, settings: settings)
    #expect(summary.deficitAchieved == sum && summary.daysWithData == count)
  }
}

@Suite("Entries of days")
struct DayEntryRulesTests {
  @Test("Every day has its own id, a UUID of version 8")
  func identities() {
    let days = [
      CivilDay.allowed.lowerBound, CivilDay(daysSinceEpoch: -1), SomeDays.monday, CivilDay.allowed.upperBound,
    ]
    let ids = days.map { "\(DayEntryRules.id(of: $0))" }
    #expect(Set(ids).count == days.count)
    #expect(ids.allSatisfy { $0.hasPrefix("64617962-6f6f-8000-8000-") })
    #expect(ids[2] == "64617962-6f6f-8000-8000-000000004fea")
  }
}
