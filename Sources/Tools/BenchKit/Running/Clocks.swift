import Foundation

/// Clocks, in nanoseconds.
package enum Clocks {
  /// Monotonic time.
  package static func now() -> UInt64 { read(CLOCK_MONOTONIC) }

  /// CPU time of this process.
  static func ownCPU() -> UInt64 { read(CLOCK_PROCESS_CPUTIME_ID) }

  /// The CPU-time clock of another process; nil when there is none.
  static func cpuClock(of process: pid_t) -> clockid_t? {
    var clock = clockid_t()
    return clock_getcpuclockid(process, &clock) == 0 ? clock : nil
  }

  static func read(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
