import CivilTime
import DaybookProtocol

/// What is known about premium at an instant.
package struct PremiumStatus: Hashable, Sendable {
  /// Where it stands. The plan is a part of being active, so that the two cannot disagree.
  package enum State: Hashable, Sendable {
    /// Nothing is known, and nobody is being asked; with the reason of the last try.
    case unknown(UnknownReason?)
    /// Nothing is known yet, and an answer is awaited.
    case loading
    case active(Entitlement)
    case inactive(InactiveReason)

    /// The name of the case, as it goes into events and logs.
    package var name: String {
      switch self {
      case .unknown: "unknown"
      case .loading: "loading"
      case .active: "active"
      case .inactive: "inactive"
      }
    }
  }

  /// Where it stands.
  package let state: State
  /// Whether a verification is under way, in any state.
  package let isLoading: Bool
  /// Whether the state comes from an answer given to this process, not from the cache.
  package let isVerified: Bool
  /// Why the last verification found out nothing; nil when it did, or when there was none.
  package let lastUnknown: UnknownReason?
  /// When the answer in force was given.
  package let checkedAt: Instant?
  /// How long ago that is, milliseconds, never negative.
  package let age: Int64?
  /// Whether it is older than seven days or future-dated; false when there is none.
  package let isStale: Bool
  /// Whether it is dated later than the clock by more than five minutes.
  package let isFutureDated: Bool
  /// Whether it is in the billing grace now.
  package let isInGrace: Bool

  /// The one value every gate reads.
  package var hasPremiumAccess: Bool { entitlement != nil }

  /// The entitlement in force.
  package var entitlement: Entitlement? {
    guard case .active(let entitlement) = state else { return nil }
    return entitlement
  }

  /// The plan in force.
  package var plan: Plan? { entitlement?.plan }
}
