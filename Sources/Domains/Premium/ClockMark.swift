import CivilTime

/// The latest instant that is known to have passed, so that a clock set back extends nothing.
///
/// It runs ahead in memory and is written down rarely: at most once an hour, and once more when the entitlement ends.
package struct ClockMark: Hashable, Sendable {
  /// The latest instant seen.
  package private(set) var latest: Instant
  /// What is written down, nil for nothing.
  package private(set) var stored: Instant?

  /// The least time between two writes, milliseconds (one hour).
  package static let interval: Int64 = 3_600_000

  /// What is known at a start: the mark that was stored, the record's own instant, and the clock.
  package init(stored: Instant?, checkedAt: Instant?, now: Instant) {
    self.stored = stored
    latest = max(now, stored ?? now, checkedAt ?? now)
  }

  /// Records the clock. `elapsed` is the time since the last call by a clock that is never set, milliseconds, 0 when
  /// there is none: with it, time goes on although the clock was set back.
  package mutating func saw(_ now: Instant, elapsed: Int64 = 0) {
    latest = max(now, latest.advanced(by: max(0, elapsed)))
  }

  /// Begins again at an authoritative answer, which the record's own `checkedAt` dates: nothing needs to be stored.
  package mutating func reset(to now: Instant) {
    latest = now
    stored = nil
  }

  /// The instant to write down now, nil for none; counts as stored from then on.
  ///
  /// Only an entitlement that ends is worth a write: one hour after what is known already, or when its end has passed since.
  package mutating func instantToStore(for record: PremiumRecord?) -> Instant? {
    guard let record, let end = record.entitlement?.endsAt else { return nil }
    let known = max(record.checkedAt, stored ?? record.checkedAt)
    guard known < end, latest >= end || latest >= known.advanced(by: ClockMark.interval) else { return nil }
    stored = latest
    return latest
  }
}
