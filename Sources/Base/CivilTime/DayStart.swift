/// The time after midnight at which a person's day begins, so that late-night entries belong to the day before.
///
/// Days are monotonic in time: setting a clock back never returns to an earlier day, and a day that the zone skips
/// never occurs. Valid for days from 1900 to 2200.
package struct DayStart: Hashable, Sendable {
  /// Minutes after midnight, 0…360.
  package let minutes: Int

  /// The allowed minutes.
  package static let allowed = 0...360
  /// Midnight.
  package static let midnight = DayStart(checked: 0)

  /// Takes minutes without checking them.
  private init(checked minutes: Int) { self.minutes = minutes }

  /// Nil when the minutes are not in 0…360.
  package init?(minutes: Int) {
    guard DayStart.allowed.contains(minutes) else { return nil }
    self.init(checked: minutes)
  }

  /// The first instant at which the clock shows the day's start or a later time of that day. A skipped day begins when
  /// the next one does.
  package func start(of day: CivilDay, in rules: TimeZoneRules) -> Instant {
    var day = day
    while true {
      switch rules.reading(day, secondOfDay: minutes * 60) {
      case .once(let instant), .repeated(let instant, _): return instant
      case .skipped(let change, _):
        // After the gap the date is later, but possibly still before that day's start.
        guard rules.day(at: change) > day, day < CivilDay.allowed.upperBound else { return change }
        day = day.advanced(by: 1)
      }
    }
  }

  /// The day of the calendar on which a time of a person's day comes: the next one for a time before the day's start.
  package func calendarDay(of day: CivilDay, minuteOfDay: Int) -> CivilDay {
    minuteOfDay < minutes ? day.advanced(by: 1) : day
  }

  /// The latest day that has begun at an instant.
  package func day(at instant: Instant, in rules: TimeZoneRules) -> CivilDay {
    let shown = rules.day(at: instant)
    // The clock may have been set back across the start of the next day.
    for days in [1, 0, -1] {
      let day = shown.advanced(by: days)
      if start(of: day, in: rules) <= instant { return day }
    }
    return shown.advanced(by: -2)
  }

  /// The next instant after `instant` at which the day changes.
  package func nextChange(after instant: Instant, in rules: TimeZoneRules) -> Instant {
    start(of: day(at: instant, in: rules).advanced(by: 1), in: rules)
  }
}
