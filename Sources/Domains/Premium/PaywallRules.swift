import DaybookProtocol

/// Whether to show a paywall, and why.
package enum PaywallRules {
  /// Where somebody thinks of showing one.
  package enum Placement: Hashable, Sendable {
    /// The last step of onboarding; nobody asked for it.
    case onboarding
    /// The user asked for premium.
    case upgrade
    /// The user asked for something.
    case feature(Feature)
  }

  /// What the decision depends on.
  package struct Situation: Hashable, Sendable {
    /// What is known about premium.
    package let status: PremiumStatus
    /// Whether a purchase was reported that no verification has judged yet.
    package let isPurchaseBeingVerified: Bool
    /// Whether onboarding is over.
    package let hasCompletedOnboarding: Bool
    /// Whether premium was ever had.
    package let hasEverHadPremium: Bool

    package init(
      status: PremiumStatus, isPurchaseBeingVerified: Bool, hasCompletedOnboarding: Bool, hasEverHadPremium: Bool
    ) {
      self.status = status
      self.isPurchaseBeingVerified = isPurchaseBeingVerified
      self.hasCompletedOnboarding = hasCompletedOnboarding
      self.hasEverHadPremium = hasEverHadPremium
    }
  }

  /// What was decided.
  package struct Decision: Equatable, Sendable {
    /// Whether to show it.
    package let shows: Bool
    /// Why.
    package let reason: PaywallReason
    /// What to offer: yearly first, else in the order of the catalogue. Empty when it is not shown.
    package let products: [CatalogueProduct]
  }

  /// Decides. It can always be declined: a paywall holds nobody.
  package static func decision(
    _ placement: Placement, _ situation: Situation, catalogue: ProductCatalogue
  ) -> Decision {
    if let reason = reasonAgainst(placement, situation) { return Decision(shows: false, reason: reason, products: []) }
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

  private static func reasonAgainst(_ placement: Placement, _ situation: Situation) -> PaywallReason? {
    if case .feature(let feature) = placement, !feature.isPremium { return .featureIsFree }
    if situation.status.hasPremiumAccess { return .alreadyPremium }
    if placement == .onboarding, situation.hasCompletedOnboarding { return .onboardingCompleted }
    if placement != .onboarding, !situation.hasCompletedOnboarding { return .onboardingFirst }
    if situation.isPurchaseBeingVerified { return .purchaseBeingVerified }
    if situation.status.state == .loading { return .verifying }
    if placement == .onboarding, situation.hasEverHadPremium { return .hadPremium }
    return nil
  }
}
