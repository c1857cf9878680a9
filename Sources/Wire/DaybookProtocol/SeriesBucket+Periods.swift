import CivilTime

/// The periods of civil days that the points of a series cover. An unknown bucket counts as a day.
extension SeriesBucket {
  /// The period that contains a day; a week is cut at the ends of the calendar.
  ///
  /// - Parameter firstWeekday: The day on which weeks begin, 0…6 from Monday.
  package func period(of day: CivilDay, firstWeekday: Int) -> ClosedRange<CivilDay> {
    switch self {
    case .day, .unknown: day...day
    case .week: day.week(from: firstWeekday).clamped(to: CivilDay.allowed)
    case .month: day.month
    case .year: day.year
    }
  }

  /// The periods that a range touches, oldest first, each whole.
  package func periods(in days: ClosedRange<CivilDay>, firstWeekday: Int) -> [ClosedRange<CivilDay>] {
    var periods: [ClosedRange<CivilDay>] = []
    var next = days.lowerBound
    while next <= days.upperBound {
      let period = period(of: next, firstWeekday: firstWeekday)
      periods.append(period)
      next = period.upperBound.advanced(by: 1)
    }
    return periods
  }

  /// The days of the periods that a range touches.
  package func whole(_ days: ClosedRange<CivilDay>, firstWeekday: Int) -> ClosedRange<CivilDay> {
    let last = period(of: days.upperBound, firstWeekday: firstWeekday)
    return period(of: days.lowerBound, firstWeekday: firstWeekday).lowerBound...last.upperBound
  }

  /// The number of days of its shortest whole period.
  package var leastDays: Int {
    switch self {
    case .day, .unknown: 1
    case .week: 7
    case .month: 28
    case .year: 365
    }
  }
}
