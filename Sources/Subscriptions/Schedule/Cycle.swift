/// What a cycle counts.
package enum CycleUnit: String, CaseIterable, Sendable {
  case day, week, month, year
}

/// How often a subscription is charged.
package enum Cycle: Hashable, Sendable {
  /// Every so many days, weeks, months or years, 1…1,000; what is outside counts as the nearest of these.
  case every(Int, CycleUnit)
  /// Once, and over from the day after.
  case once
  /// Once, and never over by itself: a lifetime licence.
  case lifetime

  /// How many units a cycle may have.
  package static let allowedCounts = 1...1000

  /// Every week.
  package static let weekly = Cycle.every(1, .week)
  /// Every month.
  package static let monthly = Cycle.every(1, .month)
  /// Every third month.
  package static let quarterly = Cycle.every(3, .month)
  /// Every year.
  package static let yearly = Cycle.every(1, .year)

  /// The number of units, within what is allowed; nil for what is charged once.
  package var count: Int? {
    guard case .every(let count, _) = self else { return nil }
    return min(max(count, Cycle.allowedCounts.lowerBound), Cycle.allowedCounts.upperBound)
  }

  /// Whether it is charged again and again.
  package var isRecurring: Bool { count != nil }

  /// How often a year, as a fraction: 365, 52, 12 or 1 over the number of units; nothing for what is
  /// charged once. (Decisions, Subscriptions: yearly = amount × (365, 52, 12, 1)/N, so that a monthly price is exactly a
  /// twelfth of its year.)
  var timesAYear: (numerator: Int64, denominator: Int64) {
    guard case .every(_, let unit) = self, let count else { return (0, 1) }
    let units: Int64 =
      switch unit {
      case .day: 365
      case .week: 52
      case .month: 12
      case .year: 1
      }
    return (units, Int64(count))
  }
}

/// A length of calendar time, such as a notice period of three months.
package struct CalendarSpan: Hashable, Sendable {
  /// How many, 0…1,000; what is outside counts as the nearest of these.
  package let count: Int
  /// Of what.
  package let unit: CycleUnit

  /// How many units a span may have.
  package static let allowedCounts = 0...1000

  package init(_ count: Int, _ unit: CycleUnit) {
    self.count = min(max(count, CalendarSpan.allowedCounts.lowerBound), CalendarSpan.allowedCounts.upperBound)
    self.unit = unit
  }
}
