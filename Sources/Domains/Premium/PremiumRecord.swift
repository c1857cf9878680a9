import CivilTime
import DaybookProtocol

/// The last authoritative answer, as it is cached for the next start: status and plan in one, so that they cannot disagree.
package struct PremiumRecord: Hashable, Sendable {
  /// What the answer was.
  package enum Outcome: Hashable, Sendable {
    case entitled(Entitlement)
    case notEntitled(InactiveReason)
  }

  /// What the answer was.
  package let outcome: Outcome
  /// When it was given.
  package let checkedAt: Instant

  package init(outcome: Outcome, checkedAt: Instant) {
    self.outcome = outcome
    self.checkedAt = checkedAt
  }

  /// The record of a verification; nil for one that found out nothing, which is never cached.
  package init?(_ verification: Verification, checkedAt: Instant) {
    switch verification {
    case .entitled(let entitlement): self.init(outcome: .entitled(entitlement), checkedAt: checkedAt)
    case .notEntitled(let reason): self.init(outcome: .notEntitled(reason), checkedAt: checkedAt)
    case .unknown: return nil
    }
  }

  /// The age past which a record is reported stale, milliseconds (7 days); it is still used.
  package static let staleAge: Int64 = 7 * 86_400_000
  /// How far ahead of the clock `checkedAt` may lie, milliseconds (5 minutes), before it is called future-dated.
  package static let clockTolerance: Int64 = 5 * 60_000

  /// The status flag exactly as stored; age and expiry play no part.
  package var isPremium: Bool { entitlement != nil }

  /// The entitlement, when it is one.
  package var entitlement: Entitlement? {
    guard case .entitled(let entitlement) = outcome else { return nil }
    return entitlement
  }

  /// Why there was none, when there was none.
  package var reason: InactiveReason? {
    guard case .notEntitled(let reason) = outcome else { return nil }
    return reason
  }

  /// How long ago it was checked, milliseconds; negative when `now` is earlier.
  package func age(_ now: Instant) -> Int64 {
    now.milliseconds.subtractingReportingOverflow(checkedAt.milliseconds).overflow
      ? (now > checkedAt ? .max : .min) : now.milliseconds - checkedAt.milliseconds
  }

  /// Whether it claims to have been checked later than now, by more than the tolerance.
  package func isFutureDated(_ now: Instant) -> Bool {
    checkedAt > now.advanced(by: PremiumRecord.clockTolerance)
  }

  /// Whether it is older than seven days (exactly seven is not), or future-dated.
  package func isStale(_ now: Instant) -> Bool { age(now) > PremiumRecord.staleAge || isFutureDated(now) }
}

/// The cached record as it was found at start.
package enum CachedPremium: Hashable, Sendable {
  /// There was none.
  case missing
  /// There was one that cannot be believed.
  case damaged
  case record(PremiumRecord)

  /// The record, when there is one that can be believed.
  package var record: PremiumRecord? {
    guard case .record(let record) = self else { return nil }
    return record
  }
}
