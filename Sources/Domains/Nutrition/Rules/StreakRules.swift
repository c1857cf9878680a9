import DaybookProtocol

/// Streaks of days that met the target, and engagement.
package enum StreakRules {
  /// The number of logged days that makes a habit.
  package static let engagementTarget = 60
  /// From this number of logged days on, the text no longer says “building”.
  static let engagedFrom = 5

  /// Streaks up to today. Today counts once its target is met, and cannot break a streak while it is running. A miss or a day
  /// without data ends a streak. Of equally long streaks, the latest is the longest. `facts` is ascending.
  package static func streaks(_ facts: [DayFacts], today: CivilDay, settings: Settings) -> StreakSummary {
    var run: ClosedRange<CivilDay>?
    var longest: ClosedRange<CivilDay>?
    var part = StreakToday.noData
    for facts in facts where facts.day <= today && facts.hasData {
      let isMet = DayRules.metTarget(facts, settings: settings)
      if facts.day == today { part = isMet ? .met : .notMet }
      guard isMet else { continue }
      let present = run.flatMap { $0.upperBound.advanced(by: 1) == facts.day ? $0.lowerBound : nil }
      let extended = (present ?? facts.day)...facts.day
      run = extended
      if extended.dayCount >= longest?.dayCount ?? 0 { longest = extended }
    }
    // A run up to yesterday is current: only today could have broken it.
    let current = run.flatMap { $0.upperBound >= today.advanced(by: -1) ? $0 : nil }
    return StreakSummary(current: streak(current), longest: streak(longest), today: part)
  }

  private static func streak(_ days: ClosedRange<CivilDay>?) -> Streak {
    Streak(length: days?.dayCount ?? 0, from: days?.lowerBound, to: days?.upperBound)
  }

  /// The number of logged days up to today.
  package static func engagement(_ facts: [DayFacts], today: CivilDay) -> Engagement {
    let count = facts.count { $0.hasData && $0.day <= today }
    return Engagement(
      daysLogged: count, target: engagementTarget, percentage: PeriodRules.percentage(count, of: engagementTarget),
      text: text(daysLogged: count))
  }

  /// The engagement in words; nil before the first day.
  package static func text(daysLogged count: Int) -> String? {
    guard count > 0 else { return nil }
    if count >= engagedFrom { return "Engagement: \(count) active days" }
    return count == 1 ? "1 day · building" : "\(count) days · building"
  }
}
