import CivilTime
import Synchronization

/// The instant that tests have set the clock to; normally none.
final class ClockOverride: Sendable {
  private static let none = Int64.min
  private let milliseconds = Atomic<Int64>(ClockOverride.none)

  var instant: Instant? {
    let value = milliseconds.load(ordering: .acquiring)
    return value == ClockOverride.none ? nil : Instant(milliseconds: value)
  }

  func set(_ instant: Instant) { milliseconds.store(instant.milliseconds, ordering: .releasing) }
}
