import CivilTime
import DaybookProtocol
import JSON

extension LockAttempts {
  /// None failed.
  package static let none = LockAttempts(failedAttempts: 0)

  /// What is assumed when the kept ones cannot be read: the free attempts are used up, just now.
  package static func assumed(now: Instant) -> LockAttempts {
    LockAttempts(failedAttempts: LockRules.freeAttempts, lastFailureAt: now)
  }

  /// With one more that failed at `now`.
  package func failed(at now: Instant) -> LockAttempts {
    let (sum, overflow) = failedAttempts.addingReportingOverflow(1)
    return LockAttempts(failedAttempts: overflow ? .max : sum, lastFailureAt: now)
  }

  /// What to keep when the clock stands before the last failure: that it happened now, so that the wait begins again instead
  /// of lasting as long as the clock was set back.
  package func settled(_ now: Instant) -> LockAttempts {
    guard let lastFailureAt, now < lastFailureAt else { return self }
    return LockAttempts(failedAttempts: failedAttempts, lastFailureAt: now)
  }

  /// Reads the members that were kept; those it does not know are passed over. Throws for anything else, such as failures
  /// that never happened at any time; the caller then takes `assumed`.
  package init(_ object: JSONObject) throws(PremiumError) {
    try self.init(document: JSONValue.object(object).json)
    guard (failedAttempts == 0) == (lastFailureAt == nil) else {
      throw PremiumError(.contradiction, "failures go with the instant of the last one", at: "/lastFailureAt")
    }
  }
}
