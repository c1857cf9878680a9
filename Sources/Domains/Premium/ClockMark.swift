import CivilTime

/// The latest instant known to have passed, so that setting the clock back does not extend an entitlement.
///
/// It is stored rarely: at most once an hour, and once more when the entitlement ends.
package struct ClockMark: Hashable, Sendable {
  /// The latest instant observed.
  package private(set) var latest: Instant
  /// The stored mark, if any.
  package private(set) var stored: Instant?

  /// The minimum time between two writes, milliseconds (one hour).
  package static let interval: Int64 = 3_600_000

  /// The mark at a start, from the stored mark, the record's instant and the clock.
  package init(stored: Instant?, checkedAt: Instant?, now: Instant) {
    self.stored = stored
    latest = max(now, stored ?? now, checkedAt ?? now)
  }

  /// Observes the clock. `elapsed` is the time since the last call by a monotonic clock, milliseconds, 0 without one:
  /// time passes by it although the clock was set back.
  package mutating func saw(_ now: Instant, elapsed: Int64 = 0) {
    latest = max(now, latest.advanced(by: max(0, elapsed)))
  }

  /// Restarts at an authoritative answer, which the record's own `checkedAt` dates.
  package mutating func reset(to now: Instant) {
    latest = now
    stored = nil
  }

  /// Returns the instant to store now, if any, and counts it as stored.
  ///
  /// Only an entitlement that ends is worth a write: an hour after the last known instant, or once its end has passed.
  package mutating func instantToStore(for record: PremiumRecord?) -> Instant? {
    guard let record, let end = record.entitlement?.endsAt else { return nil }
    let known = max(record.checkedAt, stored ?? record.checkedAt)
    guard known < end, latest >= end || latest >= known.advanced(by: ClockMark.interval) else { return nil }
    stored = latest
    return latest
  }
}
