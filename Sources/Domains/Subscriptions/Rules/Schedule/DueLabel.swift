import CivilTime

/// How far off a day is, seen from today: `Today`, `Tomorrow`, `in 5 days`.
package struct DueLabel: Hashable, Sendable, CustomStringConvertible {
  /// How many days are left, 0 for today.
  package let days: Int

  /// Nil for a day that is past: such a date is never shown.
  package init?(_ day: CivilDay, today: CivilDay) {
    let days = Int(day.daysSinceEpoch) - Int(today.daysSinceEpoch)
    guard days >= 0 else { return nil }
    self.days = days
  }

  /// The words. (Reference part 2, §2.3.)
  package var description: String {
    switch days {
    case 0: "Today"
    case 1: "Tomorrow"
    default: "in \(days) days"
    }
  }
}
