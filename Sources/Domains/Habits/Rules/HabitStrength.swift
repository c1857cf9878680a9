import CivilTime

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The strength of a habit: an exponential smoothing over its days, oldest first (Loop Habit Tracker's score). With f repetitions a
/// day, each day leaves 0.5^(√f ÷ 13) of the strength before and adds the rest times how far the day was met, so that a daily
/// habit has a half-life of 13 days.
package enum HabitStrength {
  /// The strength on each day up to today, 0 to 1; empty before the start. Neutral days, and today until it is met, leave it unchanged.
  package static func series(_ timeline: HabitTimeline) -> [Double] {
    let plan = timeline.plan
    var (repetitions, days) = plan.frequency
    let keeps = pow(0.5, (Double(repetitions) / Double(days)).squareRoot() / 13)
    let isDaily = repetitions >= days
    // Of what is not daily twice the interval is looked at, which smooths irregular days.
    if !isDaily { (repetitions, days) = (2 * repetitions, 2 * days) }
    var strength = plan.isBad ? 1.0 : 0.0
    var marks = 0
    var series: [Double] = []
    series.reserveCapacity(timeline.past.count)
    for index in timeline.past {
      let facts = timeline.facts[index]
      if isMark(facts) { marks += 1 }
      if !isDaily, index >= days, isMark(timeline.facts[index - days]) { marks -= 1 }
      if !facts.isNeutral, plan.isBad || facts.isMet || timeline.day(index) < timeline.today {
        let part = isDaily || plan.isBad ? share(facts, plan) : min(1, Double(marks) / Double(repetitions))
        strength = strength * keeps + part * (1 - keeps)
      }
      series.append(strength)
    }
    return series
  }

  private static func isMark(_ facts: HabitTimeline.Facts) -> Bool { facts.isMet && !facts.isNeutral }

  /// How far a day was met, 0 to 1. The most that a `bad` habit allows is one whole unit below its target; beyond it, the part of
  /// that by which it was passed is taken away.
  private static func share(_ facts: HabitTimeline.Facts, _ plan: HabitPlan) -> Double {
    guard plan.isBad else { return facts.isMet ? 1 : min(1, max(0, Double(facts.value) / Double(plan.target))) }
    if facts.isMet { return 1 }
    let most = plan.target - Thousandths.one
    guard most > 0 else { return 0 }
    return min(1, max(0, 1 - Double(facts.value - most) / Double(most)))
  }
}
