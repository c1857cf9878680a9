import DaybookProtocol
import FileStoreTesting
import Pacing
import Testing

@testable import Habits

@Suite("Skipped days are paused days")
struct NeutralDaysTests {
  /// A habit with some days skipped, and the same with these days paused.
  private struct Pair {
    let skipped: HabitTimeline
    let paused: HabitTimeline
    let history: HabitHistory
    let plans: (skipped: HabitPlan, paused: HabitPlan)

    init(seed: UInt64) {
      var source = SeededGenerator(seed: 34, number: Int(seed))
      let habit = SlowHabit(seed: seed)
      var (skips, pauses) = (habit.plan, habit.plan)
      // Skips of the habit itself stay in both.
      var history = habit.history
      let last = habit.timeline.span?.upperBound ?? habit.plan.start
      skips.pauses = []
      pauses.pauses = []
      for day in (habit.plan.start...max(habit.plan.start, last)).days where source.once(in: 5) {
        let value = habit.history[day]?.value
        history[day] = HabitRecord(day, value, isSkipped: true)
        pauses.pauses.append(day...day)
      }
      plans = (skips, pauses)
      self.history = history
      skipped = HabitTimeline(skips, history, today: habit.today, firstWeekday: habit.firstWeekday)
      paused = HabitTimeline(pauses, habit.history, today: habit.today, firstWeekday: habit.firstWeekday)
    }
  }

  @Test("Every figure is the same, for every schedule", arguments: 0..<10)
  func same(batch: Int) throws {
    for number in 0..<SlowHabit.perBatch {
      let seed = UInt64(batch * 10_000 + number)
      let pair = Pair(seed: seed)
      let (skipped, paused) = (pair.skipped, pair.paused)
      let comment = "seed \(seed): \(pair.plans.paused)"
      let (streaks, others) = (skipped.streaks(), paused.streaks())
      try #require(streaks == others, "\(comment)")
      let strength = HabitStrength.series(skipped)
      try #require(strength == HabitStrength.series(paused), "\(comment)")
      guard let span = skipped.span else { continue }
      for length in [1, 3, 7, 30, 400] {
        let days = skipped.today.advanced(by: 1 - length)...skipped.today
        try #require(skipped.rate(days) == paused.rate(days), "\(comment), \(length) days")
        try #require(skipped.weekdayRates(days) == paused.weekdayRates(days), "\(comment), \(length) days")
        var (stats, otherStats) = (
          skipped.stats(EntityID(high: 1, low: 1), days, strength: strength),
          paused.stats(EntityID(high: 1, low: 1), days, strength: strength)
        )
        (stats.skippedDays, otherStats.skippedDays) = (0, 0)
        try #require(stats == otherStats, "\(comment), \(length) days")
        for step in [SeriesBucket.day, .week, .month] {
          try #require(
            skipped.points(step, days, strength: strength) == paused.points(step, days, strength: strength),
            "\(comment), \(length) days")
        }
      }
      for day in span.days {
        try #require(skipped.standing(on: day) == paused.standing(on: day), "\(comment), \(day)")
        try #require(skipped.due(on: day).isDue == paused.due(on: day).isDue, "\(comment), \(day)")
      }
      let days = max(span.lowerBound, skipped.today.advanced(by: -40))...max(span.lowerBound, skipped.today)
      try #require("\(overview(skipped, days))" == "\(overview(paused, days))", "\(comment)")
      try #require(cards(pair.plans.skipped, skipped, pair.history) == cards(pair.plans.paused, paused, pair.history))
    }
  }

  private func overview(_ timeline: HabitTimeline, _ days: ClosedRange<CivilDay>) -> HabitsOverviewResult {
    OverviewRules.overview(
      [(Habit(number: 1), timeline)], days, categories: [], today: max(timeline.today, days.upperBound),
      firstWeekday: timeline.firstWeekday, revision: 1)
  }

  /// The periods of a card, and its cells without what they say about skips and pauses.
  private func cards(_ plan: HabitPlan, _ timeline: HabitTimeline, _ history: HabitHistory) -> [String] {
    let window = CardWindow(lastDay: timeline.today) { history[$0] }
    let rules = CardRules(plan, window, timeline)
    let cells = (rules.week + rules.grid(firstWeekday: timeline.firstWeekday, fits: true)).map { cell in
      var cell = cell
      // A day outside the habit can be skipped, and not paused.
      (cell.skipped, cell.paused) = (nil, nil)
      return "\(cell)"
    }
    return [1, 7, 30].map { "\(rules.period($0))" } + cells
  }
}
