/// The rules of a POSIX TZ string (POSIX.1-2017 §8.3, with the times of RFC 9636 §3.3.1): a standard offset, and for
/// some zones a yearly daylight saving time.
struct PosixRules: Hashable, Sendable {
  /// Standard time in seconds east of UTC, −89,999…89,999.
  let standardOffset: Int32
  /// Daylight saving time; nil for a zone without.
  let daylight: Daylight?

  /// A daylight saving time. It may lie west of standard time (Europe/Dublin) and may span the new year.
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

  /// Seconds in 400 Gregorian years, a whole number of weeks, after which every rule repeats.
  private static let cycle: Int64 = 146_097 * 86_400
  /// Times are clamped to this many seconds around the epoch (29 billion years).
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
    // A change may be up to a week outside its year, and daylight saving time may span the new year.
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
