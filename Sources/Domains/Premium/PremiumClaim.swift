/// What somebody who is no store of record says about premium. It grants nothing and takes nothing: it is judged by the next
/// verification that begins after it.
package struct PremiumClaim: Hashable, Sendable {
  /// Who says so.
  package enum Source: String, CaseIterable, Sendable {
    /// A paywall that reports how it went.
    case paywall
    /// A paywall vendor's own idea of the status.
    case vendor
  }

  /// Who says so.
  package let source: Source
  /// Whether it says that premium is active.
  package let isActive: Bool

  package init(source: Source, isActive: Bool) {
    self.source = source
    self.isActive = isActive
  }
}

/// A claim that an authoritative answer proved wrong.
package struct PremiumCorrection: Hashable, Sendable {
  /// The claim.
  package let claim: PremiumClaim
  /// Whether premium is active in truth.
  package let isActive: Bool

  package init(claim: PremiumClaim, isActive: Bool) {
    self.claim = claim
    self.isActive = isActive
  }
}

/// The claims that wait for an answer, the latest of each source.
struct PremiumClaims: Hashable, Sendable {
  /// Those made since the last verification began.
  private var fresh: [PremiumClaim] = []
  /// Those that a verification began after.
  private var onTrial: [PremiumClaim] = []

  /// Whether somebody says that premium is active, and it was not judged yet.
  var saysActive: Bool { (fresh + onTrial).contains { $0.isActive } }

  mutating func add(_ claim: PremiumClaim) {
    fresh.removeAll { $0.source == claim.source }
    onTrial.removeAll { $0.source == claim.source }
    fresh.append(claim)
  }

  mutating func verificationBegan() {
    onTrial += fresh
    fresh = []
  }

  /// The claims on trial that are wrong; they are settled with that.
  mutating func judge(isActive: Bool) -> [PremiumCorrection] {
    let wrong = onTrial.filter { $0.isActive != isActive }
    onTrial = []
    return wrong.map { PremiumCorrection(claim: $0, isActive: isActive) }
  }
}
