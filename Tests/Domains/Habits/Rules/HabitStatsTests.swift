import DaybookProtocol
import Testing

@testable import Habits

@Suite("Statistics of habits")
struct HabitStatsTests {
  private let id = EntityID(high: 1, low: 2)

  private func stats(_ timeline: HabitTimeline, _ days: ClosedRange<CivilDay>) -> HabitStats {
    timeline.stats(id, days, strength: HabitStrength.series(timeline))
  }

  @Test("Statistics of two weeks of a numeric habit")
  func measured() {
    let stats = stats(
      HabitTimeline("44.s4.. 4124.4.", target: 4), monday.advanced(by: 7)...monday.advanced(by: 13))
    #expect(stats.habitId == id)
    #expect((stats.from, stats.to) == (day("2026-01-12"), day("2026-01-18")))
    #expect(stats.rate.text == "3/6")
    #expect(stats.comparison == RateComparison(previous: HabitRate(done: 3, expected: 6), change: 0))
    #expect(stats.total == Decimal("15"))
    #expect(stats.recordedDays == 5)
    #expect(stats.average == Decimal("3"))
    #expect(stats.best == Decimal("4"))
    #expect(stats.skippedDays == 0)
    #expect((stats.streaks.current, stats.streaks.longest, stats.streaks.atRisk) == (1, 2, true))
    #expect(stats.trend == .stable)
    #expect(stats.nextMilestone == 3)
    #expect(stats.weekdays.map(\.rate.text) == ["1/1", "0/1", "0/1", "1/1", "0/1", "1/1", "0/0"])
  }

  @Test("The average is truncated to thousandths, and absent without values")
  func average() {
    #expect(stats(HabitTimeline("112", target: 1), monday...monday.advanced(by: 2)).average == Decimal("1.333"))
    let empty = stats(HabitTimeline("..."), monday...monday.advanced(by: 2))
    #expect(empty.average == nil && empty.best == nil && empty.total == .zero)
  }

  @Test("Values of skipped and paused days do not count")
  func neutral() {
    let plan = HabitPlan(start: monday, pauses: [monday.advanced(by: 1)...monday.advanced(by: 1)])
    let history = HabitHistory([
      HabitRecord(monday, 9000, isSkipped: true), HabitRecord(monday.advanced(by: 1), 5000),
      HabitRecord(monday.advanced(by: 2), 2000),
    ])
    let today = monday.advanced(by: 2)
    let stats = stats(HabitTimeline(plan, history, today: today, firstWeekday: 0), monday...today)
    #expect((stats.total, stats.recordedDays, stats.best) == (Decimal("2"), 1, Decimal("2")))
    #expect(stats.skippedDays == 1)
    #expect(stats.rate.text == "1/1")
  }

  @Test("The range is clamped to the habit's start, its end and today")
  func range() {
    let timeline = HabitTimeline("xxx....", end: monday.advanced(by: 2))
    let stats = stats(timeline, monday.advanced(by: -20)...monday.advanced(by: 20))
    #expect((stats.from, stats.to) == (monday, monday.advanced(by: 2)))
    #expect(stats.comparison.previous.text == "0/0" && stats.comparison.change == nil)
    #expect(stats.nextMilestone == nil)
    let before = self.stats(timeline, monday.advanced(by: -9)...monday.advanced(by: -5))
    #expect((before.from, before.to) == (monday.advanced(by: -9), monday.advanced(by: -5)))
    #expect(before.rate.text == "0/0")
  }

  @Test(
    "Trends",
    arguments: [
      (0, 0, HabitTrend.stable), (1, 1, .improving), (8, 10, .stable), (9, 10, .improving), (5, 10, .stable),
      (4, 10, .declining), (4, 9, .stable), (3, 9, .declining), (12, 15, .stable), (28, 35, .stable), (0, 1, .stable),
      (0, 2, .declining),
    ])
  func trend(current: Int, longest: Int, expected: HabitTrend) {
    #expect(HabitTrend(current: current, longest: longest) == expected)
  }

  @Test("Today's strength has four digits")
  func strength() {
    let thirteen = HabitTimeline("xxxxxxx xxxxxx")
    #expect(stats(thirteen, monday...monday).strength == Decimal("0.5"))
    #expect(stats(HabitTimeline("x"), monday...monday).strength == Decimal("0.0519"))
  }
}

@Suite("Series and heat maps of habits")
struct HabitSeriesTests {
  private func points(_ timeline: HabitTimeline, _ step: SeriesBucket, _ days: ClosedRange<CivilDay>) -> [HabitPoint] {
    timeline.points(step, days, strength: HabitStrength.series(timeline))
  }

  @Test("Weeks are complete, may have gaps, and have a strength once past")
  func weeks() {
    let timeline = HabitTimeline("....... xx", start: day("2025-12-29"))
    let points = points(timeline, .week, day("2025-12-26")...day("2026-01-07"))
    #expect(points.map(\.from) == [day("2025-12-22"), day("2025-12-29"), day("2026-01-05")])
    #expect(points.map(\.to) == [day("2025-12-28"), day("2026-01-04"), day("2026-01-11")])
    #expect(points.map(\.value) == [nil, nil, Decimal("2")])
    #expect(points.map(\.rate.text) == ["0/0", "0/7", "2/2"])
    #expect(points.map { $0.strength != nil } == [false, true, false])
  }

  @Test("Weeks begin on the user's first weekday; months and years follow the calendar, including leap days")
  func steps() {
    let timeline = HabitTimeline("x", start: day("2024-02-28"), firstWeekday: 6, today: day("2024-03-02"))
    let days = day("2024-02-28")...day("2024-03-02")
    #expect(points(timeline, .week, days).map(\.from) == [day("2024-02-25")])
    #expect(points(timeline, .month, days).map(\.to) == [day("2024-02-29"), day("2024-03-31")])
    #expect(points(timeline, .month, days).map(\.rate.text) == ["1/2", "0/1"])
    #expect(points(timeline, .year, days).map(\.from) == [day("2024-01-01")])
    let byDay = points(timeline, .day, days)
    #expect(byDay.map(\.rate.text) == ["1/1", "0/1", "0/1", "0/0"])
    #expect(byDay.map(\.strength) == ["0.0519", "0.0492", "0.0467", "0.0467"].map { Decimal($0) })
  }

  @Test("A habit keeps its strength after its end")
  func ended() {
    let timeline = HabitTimeline("xx...", end: monday.advanced(by: 1))
    let points = points(timeline, .day, monday...monday.advanced(by: 5))
    #expect(points[4].strength == points[1].strength)
    #expect(points[5].strength == nil)
  }

  @Test("A heat map has the progress of days that count")
  func heatMap() {
    let timeline = HabitTimeline("4.2s...", target: 4, end: monday.advanced(by: 5), today: monday.advanced(by: 4))
    let cells = timeline.heatMap(monday.advanced(by: -1)...monday.advanced(by: 6))
    #expect(cells.map(\.state) == [.outside, .done, .missed, .missed, .skipped, .open, .planned, .outside])
    #expect(cells.map(\.level) == [nil, 100, 0, 50, nil, 0, nil, nil])
    #expect(timeline.heatMap(day("2024-06-01").year).count == 366)
  }

  @Test("A heat map of a weekly habit distinguishes satisfied days from days that are not due")
  func heatMapStates() {
    let weekly = HabitTimeline("x.x.x.. .", .perWeek(3)).heatMap(monday...monday.advanced(by: 7))
    #expect(weekly.map(\.state) == [.done, .satisfied, .done, .satisfied, .done, .satisfied, .satisfied, .open])
    #expect(weekly.map(\.level) == [100, 0, 100, 0, 100, 0, 0, 0])
    let bad = HabitTimeline("014 .", isBad: true, target: 4).heatMap(monday...monday.advanced(by: 3))
    #expect(bad.map(\.level) == [100, 75, 0, 100])
    #expect(bad.map(\.state) == [.done, .done, .missed, .open])
  }
}
