import CivilTime
import DaybookProtocol

/// Rates: how much of what was due was met.
extension HabitTimeline {
  /// The rate of a range of days, as far as they are past; today counts once it is met.
  package func rate(_ days: ClosedRange<CivilDay>) -> HabitRate {
    var (done, expected) = (0, 0)
    let range = indices(of: days).clamped(to: past)
    switch plan.schedule {
    case .daily, .weekdays, .everyDays, .perDays:
      for index in range { (done, expected) = add(index, to: (done, expected)) }
    case .perWeek(let times), .perMonth(let times):
      var index = range.lowerBound
      while index < range.upperBound, let period = plan.period(of: day(index), firstWeekday: firstWeekday) {
        let part = indices(of: period).clamped(to: range)
        let counts = periodRate(times, period, part)
        done += counts.done
        expected += counts.expected
        index = max(part.upperBound, index + 1)
      }
    }
    return HabitRate(done: done, expected: expected)
  }

  private func add(_ index: Int, to counts: (done: Int, expected: Int)) -> (done: Int, expected: Int) {
    let facts = facts[index]
    guard facts.isScheduled, !facts.isNeutral else { return counts }
    let isMet = facts.isMet || facts.isCovered
    guard isMet || day(index) < today else { return counts }
    return (counts.done + (isMet ? 1 : 0), counts.expected + 1)
  }

  /// A week or month, or the part of it that a range has: of a part as many days are due as its length says.
  private func periodRate(
    _ times: Int, _ period: ClosedRange<CivilDay>, _ part: Range<Int>
  ) -> (done: Int, expected: Int) {
    let active = part.count { !facts[$0].isNeutral }
    guard active > 0 else { return (0, 0) }
    let met = part.count { facts[$0].isMet && !facts[$0].isNeutral }
    let whole = max(self.active(in: period), active)
    let needed = min(times, whole)
    // The running day is no day to be due on before it is met.
    let isOpen = part.upperBound == past.upperBound && part.last.map(isRunning) == true && met < needed
    let days = active - (isOpen && part.last.map { !facts[$0].isNeutral } == true ? 1 : 0)
    let share = days >= whole ? needed : (needed * days + whole / 2) / whole
    let expected = max(min(share, active), min(met, needed))
    return (min(met, expected), expected)
  }

  /// Days of a range that count for a dashboard, and whether they were met: due ones, and those of a period that has enough.
  package func standing(on day: CivilDay) -> (counts: Bool, isMet: Bool) {
    switch state(of: day) {
    case .done: return (due(on: day).isDue || plan.timesPerPeriod != nil, true)
    case .open: return (true, self[day].map { plan.isBad && $0.isMet } ?? false)
    case .missed, .planned: return (true, false)
    case .satisfied: return (true, true)
    case .notDue, .skipped, .paused, .outside, .unknown: return (false, false)
    }
  }

  /// The rates by day of the week, seven, from `firstWeekday` on; for schedules by the period every day counts as one.
  package func weekdayRates(_ days: ClosedRange<CivilDay>) -> [WeekdayRate] {
    var counts = [(done: Int, expected: Int)](repeating: (0, 0), count: 7)
    for index in indices(of: days).clamped(to: past) {
      let weekday = day(index).weekdayIndex
      counts[weekday] = add(index, to: counts[weekday])
    }
    return (0..<7).map { offset in
      let weekday = (firstWeekday + offset) % 7
      return WeekdayRate(
        weekday: Weekday.known[weekday], rate: HabitRate(done: counts[weekday].done, expected: counts[weekday].expected))
    }
  }
}

extension HabitRate {
  /// A rate of whole days; the percentage is truncated.
  package init(done: Int, expected: Int) {
    self.init(done: done, expected: expected, percent: expected > 0 ? min(100, done * 100 / expected) : nil)
  }

  /// Both together.
  package static func + (left: HabitRate, right: HabitRate) -> HabitRate {
    HabitRate(done: left.done + right.done, expected: left.expected + right.expected)
  }

  /// Percentage points more than another; nil when one of them has nothing due.
  package func change(from previous: HabitRate) -> Int? {
    guard let percent, let before = previous.percent else { return nil }
    return percent - before
  }
}
