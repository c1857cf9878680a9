import CivilTime
import Synchronization

/// What the clock was set to for a test; normally nothing.
final class ClockOverride: Sendable {
  private static let none = Int64.min
  private let milliseconds = Atomic<Int64>(ClockOverride.none)

  /// The instant it stands at, if it was set.
  var instant: Instant? {
    let value = milliseconds.load(ordering: .acquiring)
    return value == ClockOverride.none ? nil : Instant(milliseconds: value)
  }

  func set(_ instant: Instant) { milliseconds.store(instant.milliseconds, ordering: .releasing) }
}
