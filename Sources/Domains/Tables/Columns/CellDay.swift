import CivilTime

/// The day that a cell names, on the user's calendar, and the time behind it.
package struct CellDay: Sendable, Equatable {
  /// In the user's zone.
  package let day: CivilDay
  /// The second of the day on the user's clock; nil without a time.
  package let second: Int?
  /// The instant, if the cell states an offset from UTC.
  package let instant: Instant?
  /// The day from which ids are derived. That of an instant is in UTC, so that no journey of the user changes an id.
  package let keyDay: CivilDay
  /// The second of `keyDay`; nil without a time.
  package let keySecond: Int?

  package var time: WallTime? { second.flatMap { WallTime(minutesOfDay: $0 / 60) } }
  var keyTime: WallTime? { keySecond.flatMap { WallTime(minutesOfDay: $0 / 60) } }

  /// - Returns: Nil for a day beyond those that the protocol allows.
  init?(_ moment: DateTime, in zone: TimeZoneRules) {
    guard let second = moment.second, let offset = moment.offset else {
      (day, self.second, instant) = (moment.day, moment.second, nil)
      (keyDay, keySecond) = (day, self.second)
      return
    }
    let instant = Instant(
      milliseconds: (Int64(moment.day.daysSinceEpoch) * 86_400 + Int64(second) - Int64(offset)) * 1000)
    let (local, universal) = (zone.wallClock(at: instant), TimeZoneRules.utc.wallClock(at: instant))
    guard CivilDay.allowed.contains(local.day) else { return nil }
    (day, self.second, self.instant) = (local.day, local.secondOfDay, instant)
    (keyDay, keySecond) = (universal.day, universal.secondOfDay)
  }
}
