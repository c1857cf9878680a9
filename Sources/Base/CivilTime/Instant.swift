/// A point in time: milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
package struct Instant: Hashable, Sendable, Comparable {
  /// Milliseconds since the epoch, negative before it.
  package let milliseconds: Int64

  package init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  package static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }

  /// The instant `milliseconds` later; clamps at the ends of `Int64`.
  package func advanced(by milliseconds: Int64) -> Instant {
    let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
    return Instant(milliseconds: overflow ? (milliseconds < 0 ? .min : .max) : sum)
  }

  /// This instant, or one millisecond after `last` if that is later: keeps change times ascending when the clock is set
  /// back.
  package func following(_ last: Instant?) -> Instant { last.map { max(self, $0.advanced(by: 1)) } ?? self }

  /// The day in UTC, and the milliseconds since its start, 0…86,399,999.
  package var utc: (day: CivilDay, millisecondOfDay: Int) {
    let length: Int64 = 86_400_000
    var days = milliseconds / length
    var rest = milliseconds % length
    if rest < 0 {
      days -= 1
      rest += length
    }
    return (CivilDay(daysSinceEpoch: Int32(clamping: days)), Int(rest))
  }
}
