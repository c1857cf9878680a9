#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The strength score of a habit, as in Loop Habit Tracker: exponential smoothing over its days, oldest first. With f
/// repetitions per day, each day keeps 0.5^(√f ÷ 13) of the score and adds the rest times the fraction met, so a daily
/// habit has a half-life of 13 days.
package enum HabitStrength {
  /// The strength on each day up to today, 0 to 1; empty before the start. Starts at 0, for a `bad` habit at 1. Neutral
  /// days leave it unchanged, and unlike in Loop so does today until it is met. O(days).
  package static func series(_ timeline: HabitTimeline) -> [Double] {
    let plan = timeline.plan
    let (times, days) = plan.frequency
    let repetitions = min(times, days)
    let keeps = pow(0.5, (Double(repetitions) / Double(days)).squareRoot() / 13)
    let isByDay = repetitions == days || plan.targetDays > 1 || plan.isBad && plan.timesPerPeriod == nil
    // Schedules that are not daily use a window of twice the interval, which smooths irregular days.
    var window = MarkWindow(length: 2 * days, isFull: plan.isBad)
    let past = timeline.past
    var strength = plan.isBad ? 1.0 : 0.0
    var series: [Double] = []
    series.reserveCapacity(past.count)
    for index in past {
      let facts = timeline.facts[index]
      if !isByDay, !facts.isNeutral { window.append(index, timeline.facts) }
      if !facts.isNeutral, facts.isScheduled || !plan.isBad,
        plan.isBad || facts.isMet || timeline.day(index) < timeline.today
      {
        let part = isByDay ? share(facts, plan) : min(1, Double(window.marks) / Double(2 * repetitions))
        strength = strength * keeps + part * (1 - keeps)
      }
      series.append(strength)
    }
    return series
  }

  /// Counts the days met among the last `length` days. Neutral days are left out, so days before a pause still count
  /// after it.
  private struct MarkWindow {
    let length: Int
    /// Whether days before the first count as met.
    let isFull: Bool
    private(set) var marks: Int
    private var count = 0
    private var oldest = 0

    init(length: Int, isFull: Bool) {
      (self.length, self.isFull) = (length, isFull)
      marks = isFull ? length : 0
    }

    mutating func append(_ index: Int, _ facts: [HabitTimeline.Facts]) {
      if facts[index].isMet { marks += 1 }
      count += 1
      guard count > length else {
        if isFull { marks -= 1 }
        return
      }
      while facts[oldest].isNeutral { oldest += 1 }
      if facts[oldest].isMet { marks -= 1 }
      oldest += 1
    }
  }

  /// The fraction met on a day, 0 to 1. A `bad` habit allows its limit; each amount beyond it reduces the fraction
  /// proportionally.
  private static func share(_ facts: HabitTimeline.Facts, _ plan: HabitPlan) -> Double {
    if facts.isMet { return 1 }
    guard plan.isBad else { return min(1, max(0, Double(facts.amount) / Double(plan.target))) }
    guard plan.limit > 0 else { return 0 }
    return min(1, max(0, 1 - Double(facts.amount - plan.limit) / Double(plan.limit)))
  }
}
