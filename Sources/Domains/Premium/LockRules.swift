import CivilTime
import DaybookProtocol

/// Whether the lock is shut, and when it may be tried again. It fails closed.
package enum LockRules {
  /// What is known about the right to a lock.
  package enum Standing: String, CaseIterable, Sendable {
    /// The last authoritative answer was entitled. It may have ended by the clock since; a clock set ahead opens no lock.
    case entitled
    /// The last authoritative answer was not entitled.
    case notEntitled
    /// There was no answer, or its record is missing or damaged.
    case unknown
  }

  /// Attempts that may fail before there is a wait.
  package static let freeAttempts = 5
  /// The waits after the fifth failure in a row, the sixth and so on, milliseconds; the last one stays.
  package static let waits: [Int64] = [60_000, 300_000, 900_000, 3_600_000]

  /// The wait after that many failures in a row, milliseconds.
  package static func wait(afterFailures failures: Int) -> Int64 {
    guard failures >= freeAttempts else { return 0 }
    return waits[min(failures - freeAttempts, waits.count - 1)]
  }

  /// From when another attempt is allowed; nil when it is now.
  ///
  /// With the clock before the last failure it is the full wait from now on; keep `LockAttempts.settled` then.
  package static func retryAt(_ attempts: LockAttempts, now: Instant) -> Instant? {
    guard let last = attempts.settled(now).lastFailureAt else { return nil }
    let retry = last.advanced(by: wait(afterFailures: attempts.failedAttempts))
    return now < retry ? retry : nil
  }

  /// Whether data is out of reach. Enabled and not authenticated, only an authoritative "not entitled" keeps it open.
  package static func isLocked(isEnabled: Bool, standing: Standing, isAuthenticated: Bool) -> Bool {
    isEnabled && !isAuthenticated && standing != .notEntitled
  }

  /// Whether an authentication still holds on return from the background: not after `lockAfter` or longer.
  ///
  /// All in milliseconds, by a clock that is never set and goes on in sleep. One that ran backwards is another clock, and
  /// ends it too.
  package static func staysAuthenticated(wentAwayAt: Int64, cameBackAt: Int64, lockAfter: Int64) -> Bool {
    let (away, overflow) = cameBackAt.subtractingReportingOverflow(wentAwayAt)
    return !overflow && away >= 0 && away < lockAfter
  }
}
