import DaybookProtocol
import Premium
import Testing

struct PaywallRulesTests {
  private func decide(
    _ placement: PaywallRules.Placement, _ premium: PremiumState, hasCompletedOnboarding: Bool = true
  ) throws -> PaywallRules.Decision {
    let decision = PaywallRules.decision(
      placement, premium, hasCompletedOnboarding: hasCompletedOnboarding, catalogue: try theCatalogue(), now: start)
    #expect(decision.products.isEmpty == !decision.shows)
    return decision
  }

  @Test("The paywall is shown on request, with the yearly product first")
  func shows() throws {
    let decision = try decide(.upgrade, state(cachedFalse))
    #expect(decision.shows && decision.reason == .upgradeRequested)
    #expect(decision.products.map(\.id) == [yearly, monthly])
    #expect(try decide(.feature(.insights), state(.missing)).reason == .premiumRequired)
    #expect(try decide(.onboarding, state(cachedFalse), hasCompletedOnboarding: false).reason == .onboarding)
  }

  @Test(
    "The paywall is not shown with premium",
    arguments: [PaywallRules.Placement.onboarding, .upgrade, .feature(.insights)])
  func premium(_ placement: PaywallRules.Placement) throws {
    let decision = try decide(placement, state(cached(entitlement(endingIn: day, isTrial: true))))
    #expect(!decision.shows && decision.reason == .alreadyPremium)
  }

  @Test("A free feature has no paywall")
  func free() throws {
    #expect(try decide(.feature(.jsonExport), state(cachedFalse)).reason == .featureIsFree)
  }

  @Test("Onboarding shows its own paywall, once, and no other")
  func onboarding() throws {
    #expect(try decide(.onboarding, state(cachedFalse)).reason == .onboardingCompleted)
    #expect(try decide(.upgrade, state(cachedFalse), hasCompletedOnboarding: false).reason == .onboardingFirst)
  }

  @Test("The paywall waits for the first answer, and for the verification of a purchase")
  func waits() throws {
    var premium = state(.missing)
    let id = premium.beginVerification()
    #expect(try decide(.onboarding, premium, hasCompletedOnboarding: false).reason == .verifying)
    _ = premium.timedOut(id, now: start)
    #expect(try decide(.onboarding, premium, hasCompletedOnboarding: false).shows)
    premium.claimed(PremiumClaim(source: .paywall, isActive: true))
    #expect(try decide(.upgrade, premium).reason == .purchaseBeingVerified)
    _ = verify(&premium, .notEntitled(.neverPurchased))
    #expect(try decide(.upgrade, premium).shows)
  }

  @Test("After earlier premium, the paywall is shown only on request")
  func hadPremium() throws {
    let premium = state(.record(PremiumRecord(outcome: .notEntitled(.expired), checkedAt: start)))
    #expect(try decide(.onboarding, premium, hasCompletedOnboarding: false).reason == .hadPremium)
    #expect(try decide(.upgrade, premium).shows)
  }
}
