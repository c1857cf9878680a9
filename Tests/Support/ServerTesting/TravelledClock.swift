import CivilTime
import Platform
import ProcessTesting

/// A clock that tests can move forward by days.
package final class TravelledClock: Sendable {
  private let clock = SteadyClock()
  private let minutes = Guarded<Int64>(0)

  package init() {}

  package func travel(days more: Int) { travel(minutes: more * 1440) }

  package func travel(minutes more: Int) { minutes.withLock { $0 += Int64(more) } }

  package func next() -> Instant {
    let instant = clock.next()
    return Instant(milliseconds: instant.milliseconds + minutes.withLock { $0 } * 60_000)
  }
}
