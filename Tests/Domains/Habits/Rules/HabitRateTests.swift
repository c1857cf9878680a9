import DaybookProtocol
import Testing

@testable import Habits

@Suite("Rates of habits")
struct HabitRateTests {
  private let week = monday...monday.advanced(by: 6)

  @Test(
    "Rate of a week of a daily habit",
    arguments: [
      ("xxxxxxx", "7/7"), ("x.x.x..", "3/6"), ("x.x.x.x", "4/7"), ("x.x.x.. .", "3/7"), ("xs.", "1/1"), (".", "0/0"),
      ("s", "0/0"),
    ])
  func daily(drawing: String, expected: String) {
    #expect(HabitTimeline(drawing).rate(week).text == expected)
  }

  @Test("Days that are not due do not count, even when the habit was done")
  func notDue() {
    #expect(HabitTimeline("xx.x..x .", .weekdays(0b11111)).rate(week).text == "3/5")
    #expect(HabitTimeline("x..x... .", .everyDays(3)).rate(week).text == "2/3")
  }

  @Test(
    "Rate of a week at three days a week: successes beyond those due do not count",
    arguments: [
      ("xxxxxxx .", "3/3"), ("x...x.. .", "2/3"), ("....... .", "0/3"), ("sss.... .", "0/0"), ("ss..... .", "0/1"),
      ("ssssss. .", "0/0"), ("sssssss .", "0/0"),
      // The current week is due in proportion to its elapsed days.
      (".", "0/0"), ("..", "0/0"), ("...", "0/1"), ("x..", "1/1"), ("xx", "2/2"), ("......", "0/2"), (".......", "0/3"),
      ("....xx.", "2/3"),
    ])
  func byWeek(drawing: String, expected: String) {
    #expect(HabitTimeline(drawing, .perWeek(3)).rate(week).text == expected)
  }

  @Test("A year of successful weeks meets everything due, except in its partial first and last weeks", arguments: 0..<7)
  func year(firstWeekday: Int) {
    let timeline = HabitTimeline(
      String(repeating: "x.x.x..", count: 52) + ".", .perWeek(3), firstWeekday: firstWeekday)
    let rate = timeline.rate(monday...monday.advanced(by: 363))
    #expect(rate.expected >= 150 && (0...(firstWeekday == 0 ? 0 : 2)).contains(rate.expected - rate.done))
  }

  @Test("Percentages are truncated, and absent when nothing was due")
  func percent() {
    #expect(HabitRate(done: 2, expected: 3).percent == 66)
    #expect(HabitRate(done: 0, expected: 0).percent == nil)
    #expect(HabitRate(done: 1, expected: 4).change(from: HabitRate(done: 1, expected: 2)) == -25)
    #expect(HabitRate(done: 1, expected: 4).change(from: HabitRate(done: 0, expected: 0)) == nil)
  }

  @Test("Rates by weekday start with the user's first one")
  func weekdays() {
    let timeline = HabitTimeline("x...... xx..... .", firstWeekday: 6)
    let rates = timeline.weekdayRates(monday...monday.advanced(by: 20))
    #expect(rates.map(\.weekday) == [.sunday, .monday, .tuesday, .wednesday, .thursday, .friday, .saturday])
    #expect(rates.map(\.rate.text) == ["0/2", "2/2", "1/2", "0/2", "0/2", "0/2", "0/2"])
  }

  @Test("Random rates match a second implementation, and standings match those of single days", arguments: 0..<20)
  func byChance(batch: Int) {
    for number in 0..<SlowHabit.perBatch {
      let seed = UInt64(batch * 10_000 + number)
      let habit = SlowHabit(seed: seed)
      let timeline = habit.timeline
      let all = habit.plan.start...max(habit.plan.start, habit.today)
      let rate = timeline.rate(all)
      #expect(rate.text == habit.rate().text, "seed \(seed)")
      let part = all.lowerBound.advanced(by: number % 9)...max(all.upperBound, all.lowerBound.advanced(by: 9))
      timeline.visitStandings(part) { index, standing in
        let expected = timeline.standing(on: timeline.day(index))
        // A day that does not count is not met.
        #expect(standing.counts == expected.counts, "seed \(seed), \(timeline.day(index))")
        #expect(!standing.counts || standing.isMet == expected.isMet, "seed \(seed), \(timeline.day(index))")
      }
    }
  }
}

extension SlowHabit {
  /// The rate of all its days.
  func rate() -> HabitRate {
    switch plan.schedule {
    case .daily, .weekdays, .everyDays:
      let due = days.filter { isDue($0) && !isNeutral($0) && (isMet($0) || $0 < today) }
      return HabitRate(done: due.filter(isMet).count, expected: due.count)
    case .perDays:
      let steps = steps().filter { $0.isMet != nil }
      return HabitRate(done: steps.filter { $0.isMet == true }.count, expected: steps.count)
    case .perWeek(let times), .perMonth(let times):
      var (done, expected) = (0, 0)
      var seen: Set<CivilDay> = []
      for day in days {
        let period = period(of: day).filter { !isNeutral($0) }
        guard let first = period.first, seen.insert(first).inserted else { continue }
        let needed = min(times, period.count)
        let met = period.filter { $0 <= today && isMet($0) }.count
        // Today has elapsed once it is met or nothing more is needed.
        let gone = period.filter { $0 < today || $0 == today && (isMet($0) || met >= needed) }.count
        let whole = self.period(of: day)
        let neutral = whole.filter(isNeutral).count
        let isCut = neutral > 0 && whole.last.map { $0 < today } ?? false
        let asked = isCut ? min(needed, max(0, times - neutral)) : needed
        let due = Int((Double(asked * gone) / Double(period.count)).rounded(.toNearestOrAwayFromZero))
        done += min(met, needed)
        expected += max(due, min(met, needed))
      }
      return HabitRate(done: done, expected: expected)
    }
  }
}
