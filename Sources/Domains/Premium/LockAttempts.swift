import CivilTime
import JSON

/// The authentications that failed in a row, as they are kept across restarts.
package struct LockAttempts: Hashable, Sendable {
  /// How many, 0 or more.
  package let failedAttempts: Int
  /// When the last one was, nil when there was none.
  package let lastFailureAt: Instant?

  /// None failed.
  package static let none = LockAttempts(0, nil)

  private init(_ failedAttempts: Int, _ lastFailureAt: Instant?) {
    self.failedAttempts = failedAttempts
    self.lastFailureAt = lastFailureAt
  }

  /// What is assumed when the kept ones cannot be read: the free attempts are used up, just now.
  package static func assumed(now: Instant) -> LockAttempts { LockAttempts(LockRules.freeAttempts, now) }

  /// With one more that failed at `now`.
  package func failed(at now: Instant) -> LockAttempts {
    let (sum, overflow) = failedAttempts.addingReportingOverflow(1)
    return LockAttempts(overflow ? .max : sum, now)
  }

  /// What to keep when the clock stands before the last failure: that it happened now, so that the wait begins again instead
  /// of lasting as long as the clock was set back.
  package func settled(_ now: Instant) -> LockAttempts {
    guard let lastFailureAt, now < lastFailureAt else { return self }
    return LockAttempts(failedAttempts, now)
  }

  /// The members `failedAttempts` and `lastFailureAt`.
  package var jsonObject: JSONObject {
    var object = JSONObject([("failedAttempts", .number(JSONNumber(failedAttempts)))])
    object["lastFailureAt"] = lastFailureAt.map { .string($0.description) }
    return object
  }

  /// Reads what `jsonObject` makes; members it does not know are passed over. Throws for anything else, such as failures that
  /// never happened at any time; the caller then takes `assumed`.
  package init(_ object: JSONObject) throws(PremiumError) {
    let document = DocumentObject(object)
    let failed = try document.required("failedAttempts", document.optionalInteger("failedAttempts", in: 0...Int.max))
    let last = try document.optionalInstant("lastFailureAt")
    guard (failed == 0) == (last == nil) else {
      throw PremiumError(.contradiction, "failures go with the instant of the last one", at: "/lastFailureAt")
    }
    self.init(failed, last)
  }
}
