import CivilTime

/// What the session has to do after a verification.
package struct PremiumEffects: Hashable, Sendable {
  /// A cached flag that differs from the actual state.
  package struct Mismatch: Hashable, Sendable {
    /// The cached flag; nil without one.
    package let cached: Bool?
    package let actual: Bool
  }

  /// Whether the answer belongs to no running verification: late, repeated or superseded. There are no other effects
  /// then.
  package var isIgnored = false
  /// The record to write, if any. It replaces the stored clock mark too.
  package var record: PremiumRecord?
  /// Whether to tell the user to restart for sync.
  package var showsRestartToast = false
  /// The new value of `hasShownPremiumRestartToast`; nil for no change.
  package var toastFlag: Bool?
  /// Whether the status differs from the one last announced.
  package var statusChanged = false
  /// A warning to log.
  package var mismatch: Mismatch?
  /// Claims that turned out wrong.
  package var wrongClaims: [PremiumClaim] = []

  package init() {}
}

/// A claim about premium by anyone but the store of record. It changes no access; the next verification that begins
/// after it settles it.
package struct PremiumClaim: Hashable, Sendable {
  package enum Source: String, CaseIterable, Sendable {
    /// A paywall reports its outcome.
    case paywall
    /// A paywall vendor reports a status.
    case vendor
  }

  package let source: Source
  /// Whether it claims that premium is active.
  package let isActive: Bool

  package init(source: Source, isActive: Bool) {
    self.source = source
    self.isActive = isActive
  }
}

/// The unsettled claims, the latest of each source.
struct PremiumClaims: Hashable, Sendable {
  /// Made since the last verification began.
  private var fresh: [PremiumClaim] = []
  /// Made before the verification under way.
  private var pending: [PremiumClaim] = []

  /// Whether some claim says that premium is active.
  var saysActive: Bool { (fresh + pending).contains { $0.isActive } }

  mutating func add(_ claim: PremiumClaim) {
    fresh.removeAll { $0.source == claim.source }
    pending.removeAll { $0.source == claim.source }
    fresh.append(claim)
  }

  mutating func verificationBegan() {
    pending += fresh
    fresh = []
  }

  /// Settles the pending claims and returns the wrong ones.
  mutating func judge(isActive: Bool) -> [PremiumClaim] {
    defer { pending = [] }
    return pending.filter { $0.isActive != isActive }
  }
}
