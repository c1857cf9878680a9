import DaybookProtocol

/// Statistics of all habits over a range of days.
package struct OverviewRules {
  /// How many habits count on a day, and how many were met.
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
  /// Indexed by day of the range.
  private var counts: [Counts]
  /// Totals of all habits by weekday from Monday, without undecided days.
  private var weekdays = [(done: Int, expected: Int)](repeating: (0, 0), count: 7)
  /// The number of habits with a day that counts.
  private var countingHabits = 0

  /// The overview of a range that ends no later than today.
  ///
  /// - Parameters:
  ///   - habits: In output order.
  ///   - categories: In output order. Habits of other categories count as uncategorized.
  ///   - firstWeekday: The first day of the week, 0…6 from Monday.
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

  /// Perfect days and their streaks. Ignores days on which nothing counts, and today unless it is perfect.
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

  /// The weekdays with more and fewer successes, or the reason why there is no pattern.
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
    // Ties go to the earlier weekday.
    guard let best = ranked.max(by: isLess), let worst = ranked.min(by: isLess) else {
      return WeeklyPattern(gate: .tooEven)
    }
    let ((done, expected), other) = (weekdays[best], weekdays[worst])
    // The difference of the rates is gap / whole.
    let (gap, whole) = (done * other.expected - other.done * expected, expected * other.expected)
    guard gap * 100 > whole * 10 else { return WeeklyPattern(gate: .tooEven) }
    return WeeklyPattern(
      weekdays: order.map {
        WeekdayRate(
          weekday: Weekday.known[$0], rate: HabitRate(done: weekdays[$0].done, expected: weekdays[$0].expected))
      }, best: Weekday.known[best], worst: Weekday.known[worst],
      meaningful: gap * 100 >= whole * 15 && done * 100 < expected * 95)
  }

  private func isLess(_ left: Int, _ right: Int) -> Bool {
    weekdays[left].done * weekdays[right].expected < weekdays[right].done * weekdays[left].expected
  }
}
