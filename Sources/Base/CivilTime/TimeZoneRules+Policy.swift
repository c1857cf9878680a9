/// What becomes of a reading of the wall clock that the clock was set forward over.
package enum GapPolicy: Hashable, Sendable {
  /// The first instant after the gap: 02:30 in a gap from 02:00 to 03:00 becomes 03:00.
  case firstAfter
  /// As far behind the gap as it was inside: 02:30 becomes 03:30.
  case carriedOver
}

/// Which instant is meant by a reading of the wall clock that was shown twice.
package enum OverlapPolicy: Hashable, Sendable {
  /// The first of the two.
  case first
  /// The second of the two.
  case second
}

extension TimeZoneRules {
  /// Minutes of a day, 0…1,439.
  package static let minutesOfDay = 0...1439

  /// The instant of that minute of that day (clamped to 0…1,439), by the policies where the clock never showed it, or twice.
  ///
  /// With the policies as they stand it is the first instant at which the clock shows that time or a later one.
  package func instant(
    _ day: CivilDay, minuteOfDay: Int, gap: GapPolicy = .firstAfter, overlap: OverlapPolicy = .first
  ) -> Instant {
    let minute = min(max(minuteOfDay, 0), TimeZoneRules.minutesOfDay.upperBound)
    return switch reading(day, secondOfDay: minute * 60) {
    case .once(let instant): instant
    case .repeated(let first, let second): overlap == .first ? first : second
    case .skipped(let change, let moved): gap == .firstAfter ? change : moved
    }
  }
}
