import DaybookProtocol

/// Completion rates: the share of due days that were met.
extension HabitTimeline {
  /// The rate of a range up to today. Today counts only if met.
  package func rate(_ days: ClosedRange<CivilDay>) -> HabitRate {
    var (done, expected) = (0, 0)
    let range = indices(of: days).clamped(to: past)
    switch plan.schedule {
    case .daily, .weekdays, .everyDays, .perDays:
      for index in range { (done, expected) = add(index, to: (done, expected)) }
    case .perWeek(let times), .perMonth(let times):
      var index = range.lowerBound
      while index < range.upperBound, let period = plan.period(of: day(index), firstWeekday: firstWeekday) {
        let whole = indices(of: period)
        let counts = periodRate(times, isOver: isOver(period), whole, whole.clamped(to: range))
        done += counts.done
        expected += counts.expected
        index = max(whole.upperBound, index + 1)
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

  /// The rate of a week or month, or of a part of it; a part is due on a proportional number of days.
  private func periodRate(
    _ times: Int, isOver: Bool, _ period: Range<Int>, _ part: Range<Int>
  ) -> (done: Int, expected: Int) {
    var (active, met, whole) = (0, 0, 0)
    for index in period where !facts[index].isNeutral {
      whole += 1
      guard part.contains(index) else { continue }
      active += 1
      if facts[index].isMet { met += 1 }
    }
    guard active > 0 else { return (0, 0) }
    let most = min(times, whole)
    let needed = isOver ? requiredDays(times, period) : most
    // An unmet current day does not count.
    let last = part.upperBound - 1
    let isOpen = isRunning(last) && !facts[last].isNeutral
    let days = active - (isOpen ? 1 : 0)
    let share = days >= whole ? needed : (needed * days + whole / 2) / whole
    let expected = max(min(share, active), min(met, most))
    return (min(met, expected), expected)
  }

  /// The rate by weekday, from `firstWeekday` on. With schedules per period every day counts as due.
  package func weekdayRates(_ days: ClosedRange<CivilDay>) -> [WeekdayRate] {
    var counts = [(done: Int, expected: Int)](repeating: (0, 0), count: 7)
    for index in indices(of: days).clamped(to: past) {
      let weekday = day(index).weekdayIndex
      counts[weekday] = add(index, to: counts[weekday])
    }
    return (0..<7).map { offset in
      let weekday = (firstWeekday + offset) % 7
      return WeekdayRate(
        weekday: Weekday.known[weekday], rate: HabitRate(done: counts[weekday].done, expected: counts[weekday].expected)
      )
    }
  }
}

extension HabitRate {
  package init(done: Int, expected: Int) {
    self.init(done: done, expected: expected, percent: expected > 0 ? min(100, done * 100 / expected) : nil)
  }

  package static func + (left: HabitRate, right: HabitRate) -> HabitRate {
    HabitRate(done: left.done + right.done, expected: left.expected + right.expected)
  }

  /// The difference in percentage points; nil unless both have due days.
  package func change(from previous: HabitRate) -> Int? {
    guard let percent, let before = previous.percent else { return nil }
    return percent - before
  }
}
