/// What a POSIX TZ string says (POSIX.1-2017 §8.3, with the times of RFC 9636 §3.3.1): a standard offset and, for some
/// zones, a daylight saving time that begins and ends by a yearly rule.
struct PosixRules: Hashable, Sendable {
  /// Standard time in seconds east of UTC, −89,999…89,999.
  let standardOffset: Int32
  /// Daylight saving time; nil for a zone without.
  let daylight: Daylight?

  /// The daylight saving time of a zone. It may lie west of standard time (Europe/Dublin) and may begin late in a year.
  struct Daylight: Hashable, Sendable {
    /// Seconds east of UTC, −89,999…93,599.
    let offset: Int32
    /// When it begins, in standard time.
    let start: YearlyChange
    /// When it ends, in daylight saving time.
    let end: YearlyChange
  }

  /// Coordinated universal time.
  static let utc = PosixRules(standardOffset: 0, daylight: nil)

  /// Seconds of 400 Gregorian years, a whole number of weeks: after that every rule repeats.
  private static let cycle: Int64 = 146_097 * 86_400
  /// Seconds on either side of the epoch that are told apart; times beyond are taken as the limit (29 billion years).
  private static let limit: Int64 = 1 << 60

  /// The span of one offset around `second` (since the epoch).
  func span(at second: Int64) -> OffsetSpan {
    guard let daylight else { return OffsetSpan(start: .min, end: .max, offset: standardOffset) }
    let second = min(max(second, -PosixRules.limit), PosixRules.limit)
    var phase = second % PosixRules.cycle
    if phase < 0 { phase += PosixRules.cycle }
    let shift = second - phase
    let year = CivilDay(daysSinceEpoch: Int32(truncatingIfNeeded: phase / 86_400)).components.year
    var start = -PosixRules.cycle
    var end = 2 * PosixRules.cycle
    var isDaylight = false
    // A change may be a week away from its year, and a daylight saving time may reach into the next one.
    for candidate in (year - 2)...(year + 2) {
      let begins = daylight.start.second(inYear: candidate) - Int64(standardOffset)
      var ends = daylight.end.second(inYear: candidate) - Int64(daylight.offset)
      if begins <= phase { start = max(start, begins) } else { end = min(end, begins) }
      if ends <= phase { start = max(start, ends) } else { end = min(end, ends) }
      if ends < begins { ends = daylight.end.second(inYear: candidate + 1) - Int64(daylight.offset) }
      if begins <= phase && phase < ends { isDaylight = true }
    }
    return OffsetSpan(
      start: start + shift, end: end + shift, offset: isDaylight ? daylight.offset : standardOffset)
  }
}
