import CivilTime
import Platform

/// A clock that advances by a millisecond at each reading.
package final class SteadyClock: Sendable {
  private let milliseconds = Guarded<Int64>(1_767_614_400_000)

  package init() {}

  package func next() -> Instant {
    milliseconds.withLock { milliseconds in
      milliseconds += 1
      return Instant(milliseconds: milliseconds)
    }
  }
}
