import Foundation

/// Reading clocks, in nanoseconds.
package enum Clocks {
  /// Time that goes on evenly.
  package static func now() -> UInt64 { read(CLOCK_MONOTONIC) }

  /// Processor time this process has used.
  static func ownCPU() -> UInt64 { read(CLOCK_PROCESS_CPUTIME_ID) }

  /// The clock of the processor time that another process uses, all its threads; nil where there is none.
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
