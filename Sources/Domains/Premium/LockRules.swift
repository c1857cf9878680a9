import DaybookProtocol

/// Whether the lock is closed, and when it may be tried again. The lock fails closed.
package enum LockRules {
  /// What is known about the right to the lock.
  package enum Standing: String, CaseIterable, Sendable {
    /// The last authoritative answer was entitled. It may have expired since: setting the clock ahead opens no lock.
    case entitled
    /// The last authoritative answer was not entitled.
    case notEntitled
    /// There is no answer, or its record is missing or damaged.
    case unknown
  }

  /// Failed attempts without a wait.
  package static let freeAttempts = 5
  /// The waits after the fifth failure in a row, the sixth and so on, milliseconds; the last one repeats.
  package static let waits: [Int64] = [60_000, 300_000, 900_000, 3_600_000]

  /// The wait after that many failures in a row, milliseconds.
  package static func wait(afterFailures failures: Int) -> Int64 {
    guard failures >= freeAttempts else { return 0 }
    return waits[min(failures - freeAttempts, waits.count - 1)]
  }

  /// When the next attempt is allowed; nil for now.
  ///
  /// With the clock before the last failure, the full wait from now on; store `LockAttempts.settled` then.
  package static func retryAt(_ attempts: LockAttempts, now: Instant) -> Instant? {
    guard let last = attempts.settled(now).lastFailureAt else { return nil }
    let retry = last.advanced(by: wait(afterFailures: attempts.failedAttempts))
    return now < retry ? retry : nil
  }

  /// Whether data is inaccessible. An enabled lock without authentication is open only after an authoritative "not
  /// entitled".
  package static func isLocked(isEnabled: Bool, standing: Standing, isAuthenticated: Bool) -> Bool {
    isEnabled && !isAuthenticated && standing != .notEntitled
  }

  /// Whether an authentication still holds on return from the background, which is before `lockAfter`.
  ///
  /// Milliseconds of a monotonic clock that runs during sleep. A clock that went backwards was restarted, and ends the
  /// authentication.
  package static func staysAuthenticated(wentAwayAt: Int64, cameBackAt: Int64, lockAfter: Int64) -> Bool {
    let (away, overflow) = cameBackAt.subtractingReportingOverflow(wentAwayAt)
    return !overflow && away >= 0 && away < lockAfter
  }
}

extension LockAttempts {
  /// No failed attempts.
  package static let none = LockAttempts(failedAttempts: 0)

  /// The assumption when the stored attempts cannot be read: the free attempts have just been used up.
  package static func assumed(now: Instant) -> LockAttempts {
    LockAttempts(failedAttempts: LockRules.freeAttempts, lastFailureAt: now)
  }

  /// The attempts after another failure at `now`.
  package func failed(at now: Instant) -> LockAttempts {
    let (sum, overflow) = failedAttempts.addingReportingOverflow(1)
    return LockAttempts(failedAttempts: overflow ? .max : sum, lastFailureAt: now)
  }

  /// The attempts to store when the clock is before the last failure: as if it had happened now, so that the wait
  /// restarts instead of being extended by the correction.
  package func settled(_ now: Instant) -> LockAttempts {
    guard let lastFailureAt, now < lastFailureAt else { return self }
    return LockAttempts(failedAttempts: failedAttempts, lastFailureAt: now)
  }

  /// Reads stored attempts and ignores unknown members. Throws for anything invalid; the caller then uses `assumed`.
  package init(_ object: JSONObject) throws(PremiumError) {
    try self.init(document: JSONValue.object(object).json)
    guard (failedAttempts == 0) == (lastFailureAt == nil) else {
      throw PremiumError(.contradiction, "failures go with the instant of the last one", at: "/lastFailureAt")
    }
  }
}
