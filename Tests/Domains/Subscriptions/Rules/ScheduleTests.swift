import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Subscriptions

struct ScheduleTests {
  private func days(_ anchor: String, _ cycle: Cycle, _ count: Int) -> [String] {
    let schedule = Schedule(anchor: Some.day(anchor), cycle: cycle)
    return (0..<count).compactMap { schedule.day(at: $0)?.description }
  }

  @Test("Month ends do not drift: from 31 January to 28 February to 31 March")
  func monthEnds() {
    #expect(
      days("2026-01-31", .monthly, 13) == [
        "2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31", "2026-06-30", "2026-07-31", "2026-08-31",
        "2026-09-30", "2026-10-31", "2026-11-30", "2026-12-31", "2027-01-31",
      ])
  }

  @Test("A year of months keeps its day or the month's last", arguments: 28...31, [2026, 2028])
  func yearOfMonths(_ anchor: Int, _ year: Int) throws {
    let first = try #require(CivilDay(year: year, month: 1, day: anchor))
    let schedule = Schedule(anchor: first, cycle: .monthly)
    for month in 1...12 {
      let day = try #require(schedule.day(at: month - 1))
      #expect(day.components.year == year && day.components.month == month)
      #expect(day.components.day == min(anchor, CivilDay.length(ofMonth: month, year: year)))
    }
  }

  @Test("29 February returns in leap years")
  func leapDay() {
    #expect(
      days("2024-02-29", .yearly, 9) == [
        "2024-02-29", "2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29", "2029-02-28", "2030-02-28", "2031-02-28",
        "2032-02-29",
      ])
    // 2100 is no leap year.
    #expect(days("2096-02-29", .every(4, .year), 3) == ["2096-02-29", "2100-02-28", "2104-02-29"])
  }

  @Test("Cycles of several units")
  func units() {
    #expect(days("2026-03-01", .every(2, .week), 3) == ["2026-03-01", "2026-03-15", "2026-03-29"])
    #expect(days("2026-11-30", .quarterly, 3) == ["2026-11-30", "2027-02-28", "2027-05-30"])
    #expect(days("2026-12-30", .every(45, .day), 2) == ["2026-12-30", "2027-02-13"])
    #expect(days("2026-12-30", .once, 3) == ["2026-12-30"])
  }

  private func ruled(_ unit: CycleUnit, _ change: (inout Cycle) -> Void) -> Cycle {
    var cycle = Cycle.every(1, unit)
    change(&cycle)
    return cycle
  }

  @Test("Several days of a month, and its last")
  func daysOfMonths() {
    #expect(
      days("2026-01-20", ruled(.month) { $0.days = [1, 15, 31] }, 6) == [
        "2026-01-01", "2026-01-15", "2026-01-31", "2026-02-01", "2026-02-15", "2026-02-28",
      ])
  }

  @Test("An empty list of days means the anchor's day, moved off weekends")
  func noDays() {
    let (empty, none) = (ruled(.month) { ($0.days, $0.weekend) = ([], .after) }, ruled(.month) { $0.weekend = .after })
    #expect(days("2026-01-31", empty, 3) == days("2026-01-31", none, 3))
  }

  @Test("The n-th weekday of a month, and the last")
  func weekdays() {
    #expect(
      days("2026-01-05", ruled(.month) { ($0.weekday, $0.week) = (.friday, -1) }, 3) == [
        "2026-01-30", "2026-02-27", "2026-03-27",
      ])
    #expect(
      days("2026-05-31", ruled(.year) { ($0.weekday, $0.week) = (.sunday, 2) }, 3) == [
        "2026-05-10", "2027-05-09", "2028-05-14",
      ])
  }

  @Test("A weekend moves a charge to the working day before or after, even into another month")
  func weekends() {
    #expect(
      days("2026-01-31", ruled(.month) { $0.weekend = .after }, 3) == ["2026-02-02", "2026-03-02", "2026-03-31"])
    #expect(
      days("2026-01-01", ruled(.month) { $0.weekend = .before }, 3) == ["2026-01-01", "2026-01-30", "2026-02-27"])
    #expect(days("2026-01-10", ruled(.week) { $0.weekend = .before }, 2) == ["2026-01-09", "2026-01-16"])
  }

  @Test("A cycle ends after its number of charges")
  func times() {
    let cycle = ruled(.month) { $0.times = 3 }
    let schedule = Schedule(anchor: Some.day("2026-01-31"), cycle: cycle).counted(from: Some.day("2026-02-01"))
    #expect(schedule.days(in: CivilDay.allowed).last == Some.day("2026-04-30"))
    #expect(schedule.count(in: Some.day("2026-03-01")...Some.day("2030-01-01")) == 2)
    #expect(schedule.first(onOrAfter: Some.day("2026-05-01")) == nil)
    #expect(schedule.last(onOrBefore: Some.day("2030-01-01")) == Some.day("2026-04-30"))
  }

  @Test("A cycle without charges left costs nothing until another one begins, and ends the subscription if none does")
  func over() {
    var cycle = Cycle.monthly
    cycle.times = 2
    let subscription = Some.subscription("10 EUR", cycle, "2026-01-15")
    #expect(subscription.status(on: Some.day("2026-02-15")) == .active)
    #expect(subscription.status(on: Some.day("2026-02-16")) == .cancelled)
    let later = subscription.changingCycle(to: .monthly, anchor: Some.day("2026-05-01"), from: Some.day("2026-05-01"))
    #expect(later.status(on: Some.day("2026-03-01")) == .active)
    #expect(later.yearlyCost(on: Some.day("2026-02-15")).amount == ExactAmount(Decimal(120)))
    #expect(later.yearlyCost(on: Some.day("2026-03-01")).amount.isZero)
    #expect(later.charges(in: Some.day("2026-01-01")...Some.day("2026-05-31")).count == 3)
  }

  /// The examples of the reference, part 2, §2.4: today's charge stays, and nothing drifts.
  @Test(
    "The first day on or after another",
    arguments: [
      ("2026-01-31", Cycle.monthly, "2026-04-01", "2026-04-30"), ("2026-03-01", .weekly, "2026-03-20", "2026-03-22"),
      ("2026-03-20", .monthly, "2026-03-20", "2026-03-20"), ("2026-03-20", .monthly, "2026-03-21", "2026-04-20"),
      ("2024-02-29", .yearly, "2028-01-01", "2028-02-29"), ("2026-01-31", .monthly, "2026-02-28", "2026-02-28"),
      ("2026-01-31", .monthly, "2026-03-01", "2026-03-31"), ("2026-03-20", .once, "2026-03-20", "2026-03-20"),
    ] as [(String, Cycle, String, String)])
  func first(_ anchor: String, _ cycle: Cycle, _ from: String, _ expected: String) {
    #expect(Schedule(anchor: Some.day(anchor), cycle: cycle).first(onOrAfter: Some.day(from)) == Some.day(expected))
  }

  @Test("A single charge comes once")
  func once() {
    let schedule = Schedule(anchor: Some.day("2026-03-20"), cycle: .once)
    #expect(schedule.first(onOrAfter: Some.day("2026-03-21")) == nil)
    #expect(schedule.last(onOrBefore: Some.day("2026-03-19")) == nil)
    #expect(schedule.last(onOrBefore: Some.day("2030-01-01")) == schedule.anchor)
    #expect(schedule.count(in: schedule.anchor...schedule.anchor) == 1)
  }

  @Test("For any cycle, days ascend, and every way of finding them agrees with stepping", arguments: 0..<200)
  func properties(_ seed: Int) throws {
    var maker = SubscriptionMaker(seed: seed)
    let schedule = Schedule(anchor: maker.day(14_000, 6000), cycle: maker.cycle())
    let low = maker.day(13_000, 6000)
    let range = low...low.advanced(by: maker.random.below(2500))
    let found = schedule.days(in: range)
    #expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 })
    #expect(found.allSatisfy { range.contains($0) && schedule.contains($0) })
    #expect(found.count == schedule.count(in: range))
    // Brute force: every number whose day can be in the range.
    let brute = (-9000...9000).compactMap { schedule.day(at: $0) }.filter { range.contains($0) }
    #expect(found == brute)
    #expect(found.first == schedule.first(onOrAfter: range.lowerBound).flatMap { range.contains($0) ? $0 : nil })
    #expect(found.last == schedule.last(onOrBefore: range.upperBound).flatMap { range.contains($0) ? $0 : nil })
  }

  @Test("Extreme days and numbers have no result, and nothing traps")
  func extremes() {
    let ends = [CivilDay(daysSinceEpoch: .min), CivilDay(daysSinceEpoch: .max), CivilDay.allowed.upperBound]
    for anchor in ends {
      for cycle in [Cycle.once, .every(.max, .year), .every(.min, .day), .every(1000, .month), .every(0, .week)] {
        let schedule = Schedule(anchor: anchor, cycle: cycle)
        for number in [Int.min, -1, 0, 1, .max] {
          #expect(schedule.day(at: number).map(CivilDay.allowed.contains) ?? true)
        }
        for day in ends {
          _ = schedule.first(onOrAfter: day)
          _ = schedule.last(onOrBefore: day)
          #expect(schedule.days(in: day...day).count <= 1)
        }
        #expect(schedule.days(in: ends[0]...ends[0].advanced(by: 10)).isEmpty)
        _ = schedule.count(in: ends[0]...ends[1])
      }
    }
  }

  @Test(
    "A span back or ahead is clamped to its month",
    arguments: [("2026-12-31", 3, "2026-09-30"), ("2026-03-31", 1, "2026-02-28"), ("2026-05-15", 0, "2026-05-15")])
  func spans(_ from: String, _ months: Int, _ expected: String) {
    #expect(Some.day(from).advanced(back: CalendarSpan(months, .month)) == Some.day(expected))
  }

  @Test("A past date has no label", arguments: [(0, "Today"), (1, "Tomorrow"), (2, "in 2 days"), (-1, nil)])
  func labels(_ days: Int, _ text: String?) {
    let today = Some.day("2026-03-10")
    #expect(DueLabel(today.advanced(by: days), today: today)?.description == text)
  }
}
