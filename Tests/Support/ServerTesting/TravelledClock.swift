import CivilTime
import Platform
import ProcessTesting

/// A clock by which days can go by.
package final class TravelledClock: Sendable {
  private let clock = SteadyClock()
  private let days = Guarded<Int64>(0)

  package init() {}

  package func travel(days more: Int) { days.withLock { $0 += Int64(more) } }

  package func next() -> Instant {
    let instant = clock.next()
    return Instant(milliseconds: instant.milliseconds + days.withLock { $0 } * 86_400_000)
  }
}
