/// A point in time: milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
package struct Instant: Hashable, Sendable, Comparable {
  /// Milliseconds since the epoch, negative before it.
  package let milliseconds: Int64

  package init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  package static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }

  /// The instant that many milliseconds later; stops at the ends of `Int64`.
  package func advanced(by milliseconds: Int64) -> Instant {
    let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
    return Instant(milliseconds: overflow ? (milliseconds < 0 ? .min : .max) : sum)
  }

  /// The same instant as that of a change: later than the change before, if there was one, also where the clock was set back since.
  package func following(_ last: Instant?) -> Instant { last.map { max(self, $0.advanced(by: 1)) } ?? self }

  /// The day it falls on in UTC, and the milliseconds since that day began (0…86,399,999).
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
