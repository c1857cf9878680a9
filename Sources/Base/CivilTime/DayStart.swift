/// When a person's day begins: a time after midnight, so that what is done late at night still belongs to the day before.
///
/// Days follow each other as instants do: a clock that is set back never brings an earlier day back, and a day that the zone
/// left out never comes. Holds for days from 1900 to 2200.
package struct DayStart: Hashable, Sendable {
  /// Minutes after midnight, 0…360.
  package let minutes: Int

  /// The minutes a day may start at.
  package static let allowed = 0...360
  /// Midnight.
  package static let midnight = DayStart(checked: 0)

  /// Minutes that are known to be allowed.
  private init(checked minutes: Int) { self.minutes = minutes }

  /// Nil when the minutes are not in 0…360.
  package init?(minutes: Int) {
    guard DayStart.allowed.contains(minutes) else { return nil }
    self.init(checked: minutes)
  }

  /// The instant at which a day begins: the first at which the clock shows its start or a later time of that day. A day that
  /// the zone left out begins when the next one does.
  package func start(of day: CivilDay, in rules: TimeZoneRules) -> Instant {
    var day = day
    while true {
      switch rules.reading(day, secondOfDay: minutes * 60) {
      case .once(let instant), .repeated(let instant, _): return instant
      case .skipped(let change, _):
        // Behind the gap it is a later day already, but maybe still the night before that one starts.
        guard rules.day(at: change) > day, day < CivilDay.allowed.upperBound else { return change }
        day = day.advanced(by: 1)
      }
    }
  }

  /// The day it is at an instant: the latest that has begun.
  package func day(at instant: Instant, in rules: TimeZoneRules) -> CivilDay {
    let shown = rules.day(at: instant)
    // The clock may have been set back over the start of the day after the one it shows.
    for days in [1, 0, -1] {
      let day = shown.advanced(by: days)
      if start(of: day, in: rules) <= instant { return day }
    }
    return shown.advanced(by: -2)
  }

  /// The next instant at which the day changes; later than `instant`.
  package func nextRoll(after instant: Instant, in rules: TimeZoneRules) -> Instant {
    start(of: day(at: instant, in: rules).advanced(by: 1), in: rules)
  }
}
