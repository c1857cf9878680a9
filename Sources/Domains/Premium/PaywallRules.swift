import DaybookProtocol

/// Whether to show a paywall, and why.
package enum PaywallRules {
  package enum Placement: Hashable, Sendable {
    /// The last step of onboarding.
    case onboarding
    case upgrade
    case feature(Feature)
  }

  package struct Decision: Equatable, Sendable {
    package let shows: Bool
    package let reason: PaywallReason
    /// The products to offer: yearly first, then in the order of the catalogue. Empty when the paywall is not shown.
    package let products: [CatalogueProduct]
  }

  /// Decides whether to show the paywall. The user can always decline it.
  package static func decision(
    _ placement: Placement, _ premium: PremiumState, hasCompletedOnboarding: Bool, catalogue: ProductCatalogue,
    now: Instant
  ) -> Decision {
    if let reason = reasonAgainst(placement, premium, hasCompletedOnboarding: hasCompletedOnboarding, now) {
      return Decision(shows: false, reason: reason, products: [])
    }
    let reason: PaywallReason =
      switch placement {
      case .onboarding: .onboarding
      case .upgrade: .upgradeRequested
      case .feature: .premiumRequired
      }
    let yearly = catalogue.products.filter { $0.plan == .yearly }
    return Decision(
      shows: true, reason: reason, products: yearly + catalogue.products.filter { $0.plan != .yearly })
  }

  private static func reasonAgainst(
    _ placement: Placement, _ premium: PremiumState, hasCompletedOnboarding: Bool, _ now: Instant
  ) -> PaywallReason? {
    if case .feature(let feature) = placement, feature.isFree { return .featureIsFree }
    if premium.hasPremiumAccess(now) { return .alreadyPremium }
    if placement == .onboarding, hasCompletedOnboarding { return .onboardingCompleted }
    if placement != .onboarding, !hasCompletedOnboarding { return .onboardingFirst }
    if premium.isPurchaseBeingVerified { return .purchaseBeingVerified }
    if premium.status(now) == .loading { return .verifying }
    if placement == .onboarding, premium.hasEverHadPremium { return .hadPremium }
    return nil
  }
}
