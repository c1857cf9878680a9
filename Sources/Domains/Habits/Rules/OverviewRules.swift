import CivilTime
import DaybookProtocol
import Values

/// All habits over a range of days.
package struct OverviewRules {
  /// How many habits met a day, of how many that count.
  private struct Counts {
    var done = 0
    var expected = 0
    /// Whether any of them has a value.
    var hasData = false

    var rate: HabitRate { HabitRate(done: done, expected: expected) }
    var isPerfect: Bool { expected > 0 && done == expected }
  }

  private let habits: [(habit: Habit, timeline: HabitTimeline)]
  private let days: ClosedRange<CivilDay>
  private let today: CivilDay
  private let firstWeekday: Int
  /// By day of the range.
  private var counts: [Counts]
  /// Days that count of all habits together, by day of the week from Monday; what is open today is not among them.
  private var weekdays = [(done: Int, expected: Int)](repeating: (0, 0), count: 7)
  /// Of how many habits any day counts.
  private var countingHabits = 0

  /// The overview of habits in order, of days up to today, with the store's revision.
  ///
  /// - Parameters:
  ///   - habits: In the order in which they are told.
  ///   - categories: Likewise. Habits of others count as having none.
  ///   - firstWeekday: On which day of the week weeks begin, 0…6 from Monday.
  package static func overview(
    _ habits: [(habit: Habit, timeline: HabitTimeline)], _ days: ClosedRange<CivilDay>, categories: [HabitCategory],
    today: CivilDay, firstWeekday: Int, revision: Int
  ) -> HabitsOverviewResult {
    OverviewRules(habits, days, today: today, firstWeekday: firstWeekday).result(categories, revision)
  }

  private init(
    _ habits: [(habit: Habit, timeline: HabitTimeline)], _ days: ClosedRange<CivilDay>, today: CivilDay,
    firstWeekday: Int
  ) {
    (self.habits, self.days, self.today, self.firstWeekday) = (habits, days, today, firstWeekday)
    var counts = [Counts](repeating: Counts(), count: days.dayCount)
    var weekdays = weekdays
    let first = Int(days.lowerBound.daysSinceEpoch)
    for (_, timeline) in habits {
      var doesCount = false
      let offset = timeline.day(0)
      timeline.visitStandings(days) { index, standing in
        guard standing.counts else { return }
        doesCount = true
        let number = Int(offset.daysSinceEpoch) + index
        let place = number - first
        counts[place].expected += 1
        if standing.isMet { counts[place].done += 1 }
        if timeline.facts[index].hasValue { counts[place].hasData = true }
        guard standing.isMet || number < Int(today.daysSinceEpoch) else { return }
        let weekday = CivilDay(daysSinceEpoch: Int32(truncatingIfNeeded: number)).weekdayIndex
        weekdays[weekday].expected += 1
        if standing.isMet { weekdays[weekday].done += 1 }
      }
      if doesCount { countingHabits += 1 }
    }
    self.counts = counts
    self.weekdays = weekdays
  }

  private func result(_ categories: [HabitCategory], _ revision: Int) -> HabitsOverviewResult {
    let rates = habits.map { $0.timeline.rate(days) }
    let previous = habits.reduce(HabitRate(done: 0, expected: 0)) { $0 + $1.timeline.rate(days.before) }
    let rate = rates.reduce(HabitRate(done: 0, expected: 0), +)
    let perfect = perfect()
    return HabitsOverviewResult(
      from: days.lowerBound, to: days.upperBound, rate: rate,
      comparison: RateComparison(previous: previous, change: rate.change(from: previous)), days: dayRates(),
      perfectDays: perfect.days, consistency: perfect.of > 0 ? perfect.days * 100 / perfect.of : nil,
      perfectStreak: perfect.current, longestPerfectStreak: perfect.longest,
      trend: HabitTrend(current: perfect.current, longest: perfect.longest),
      habits: zip(habits, rates).filter { $0.1.expected > 0 }.map { habit, rate in
        HabitShare(habitId: habit.habit.id, rate: rate, doingWell: rate.done * 2 > rate.expected)
      }, categories: shares(rates, categories), pattern: pattern(), revision: revision)
  }

  private func dayRates() -> [DayRate] {
    zip(days.days, counts).filter { $0.1.expected > 0 }.map { day, counts in
      DayRate(day: day, rate: counts.rate, perfect: counts.isPerfect)
    }
  }

  /// Perfect days and their streaks; days on which nothing counts, and today until it is perfect, are passed over.
  private func perfect() -> (days: Int, of: Int, current: Int, longest: Int) {
    var (perfect, all, current, longest) = (0, 0, 0, 0)
    for (day, counts) in zip(days.days, counts) where counts.expected > 0 && (counts.isPerfect || day < today) {
      all += 1
      current = counts.isPerfect ? current + 1 : 0
      perfect += counts.isPerfect ? 1 : 0
      longest = max(longest, current)
    }
    return (perfect, all, current, longest)
  }

  private func shares(_ rates: [HabitRate], _ categories: [HabitCategory]) -> [CategoryShare] {
    let known = Set(categories.map(\.id))
    var sums: [EntityID?: HabitRate] = [:]
    for ((habit, _), rate) in zip(habits, rates) where rate.expected > 0 {
      let category = habit.categoryId.flatMap { known.contains($0) ? $0 : nil }
      sums[category] = sums[category].map { $0 + rate } ?? rate
    }
    return (categories.map { Optional($0.id) } + [nil]).compactMap { id in
      sums[id].map { CategoryShare(categoryId: id, rate: $0) }
    }
  }

  /// On which days of the week more is met, or what keeps that from being told.
  private func pattern() -> WeeklyPattern {
    let withData = counts.count { $0.expected > 0 && $0.hasData }
    let elapsed = days.dayCount
    guard elapsed <= 31 ? withData >= 3 && withData * 10 >= elapsed * 7 : withData >= 30 else {
      return WeeklyPattern(gate: .tooFewDays)
    }
    let all = weekdays.reduce((done: 0, expected: 0)) { ($0.done + $1.done, $0.expected + $1.expected) }
    guard all.done * 10 >= all.expected * 3 else { return WeeklyPattern(gate: .lowRate) }
    guard countingHabits >= 2 else { return WeeklyPattern(gate: .tooFewHabits) }
    let order = (0..<7).map { (firstWeekday + $0) % 7 }
    let ranked = order.filter { weekdays[$0].expected > 0 }
    // Of equals the first of the week is the best, and the worst.
    guard let best = ranked.max(by: { isLess($0, $1) }), let worst = ranked.min(by: { isLess($0, $1) }),
      isApart(best, worst, moreThan: 10)
    else { return WeeklyPattern(gate: .tooEven) }
    let (done, expected) = weekdays[best]
    return WeeklyPattern(
      weekdays: order.map {
        WeekdayRate(
          weekday: Weekday.known[$0], rate: HabitRate(done: weekdays[$0].done, expected: weekdays[$0].expected))
      }, best: Weekday.known[best], worst: Weekday.known[worst],
      meaningful: !isApart(best, worst, lessThan: 15) && done * 100 < expected * 95)
  }

  private func isLess(_ left: Int, _ right: Int) -> Bool {
    weekdays[left].done * weekdays[right].expected < weekdays[right].done * weekdays[left].expected
  }

  /// How far two days of the week are apart: a fraction, over what they have in common.
  private func gap(_ best: Int, _ worst: Int) -> (part: Int, whole: Int) {
    let (best, worst) = (weekdays[best], weekdays[worst])
    return (best.done * worst.expected - worst.done * best.expected, best.expected * worst.expected)
  }

  private func isApart(_ best: Int, _ worst: Int, moreThan percent: Int) -> Bool {
    let gap = gap(best, worst)
    return gap.part * 100 > gap.whole * percent
  }

  private func isApart(_ best: Int, _ worst: Int, lessThan percent: Int) -> Bool {
    let gap = gap(best, worst)
    return gap.part * 100 < gap.whole * percent
  }
}
