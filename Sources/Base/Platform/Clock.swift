import CivilTime

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The system's clocks. Domain rules never read them; they are passed an instant.
package enum Clock {
  /// The current time of the wall clock.
  package static func now() -> Instant { Instant(milliseconds: milliseconds(CLOCK_REALTIME)) }

  /// Milliseconds of a monotonic clock that also advances while the machine sleeps; its zero is arbitrary.
  package static func continuousMilliseconds() -> Int64 {
    #if os(Linux)
      milliseconds(CLOCK_BOOTTIME)
    #else
      milliseconds(CLOCK_MONOTONIC)
    #endif
  }

  /// CPU time used by all threads of this process so far, in nanoseconds.
  package static func processorNanoseconds() -> UInt64 { nanoseconds(CLOCK_PROCESS_CPUTIME_ID) }

  /// Nanoseconds of a monotonic clock; its zero is arbitrary.
  package static func monotonicNanoseconds() -> UInt64 { nanoseconds(CLOCK_MONOTONIC) }

  private static func milliseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  private static func nanoseconds(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
