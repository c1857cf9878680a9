import CivilTime
import DaybookProtocol
import JSON
import Premium

// What the rules of premium say, as clients see it, and the other way round. Names that are the same on both sides carry over.

extension DaybookProtocol.PremiumStatus {
  /// The status of a state at an instant.
  init(_ state: Premium.PremiumState, _ storeOfRecord: StoreOfRecordKind, now: Instant) {
    let status = state.status(now)
    let entitlement = status.entitlement
    var reason: InactiveReason?
    var name = PremiumStateName.unknown
    switch status.state {
    case .unknown: break
    case .loading: name = .loading
    case .active: name = .active
    case .inactive(let why):
      name = .inactive
      reason = InactiveReason.known.first { $0.rawValue == why.rawValue }
    }
    self.init(
      state: name, reason: reason, hasPremiumAccess: status.hasPremiumAccess, loading: status.isLoading,
      syncModeAtStart: state.syncModeAtStart, syncModeAtNextStart: state.record?.isPremium ?? false,
      plan: entitlement.map { Plan($0.plan) }, productId: entitlement?.productID,
      trial: entitlement?.isTrial ?? false, expiresAt: entitlement?.expiresAt, graceEndsAt: entitlement?.graceEndsAt,
      billingIssueSince: entitlement?.billingIssueSince, checkedAt: status.checkedAt,
      ageMs: status.age.map { Int(clamping: min($0, 1 << 53 - 1)) }, stale: status.isStale,
      storeOfRecord: storeOfRecord)
  }
}

typealias PremiumStateName = DaybookProtocol.PremiumState

extension Plan {
  init(_ plan: PremiumPlan) { self = Plan.known.first { $0.rawValue == plan.rawValue } ?? .unknown(plan.rawValue) }
}

extension Premium.ShopTransaction {
  /// A purchase as the frontend tells of it.
  init(_ wire: DaybookProtocol.ShopTransaction) {
    self.init(
      id: wire.id, productID: wire.productId, purchasedAt: wire.purchasedAt, expiresAt: wire.expiresAt.value,
      isTrial: wire.trial ?? false, revokedAt: wire.revokedAt.value, isVerified: wire.verified,
      billing: wire.billing == .retry ? .retry : .ok, graceEndsAt: wire.graceEndsAt.value)
  }
}

extension DaybookProtocol.ShopTransaction {
  /// A purchase as clients see it.
  init(_ transaction: Premium.ShopTransaction) {
    self.init(
      id: transaction.id, productId: transaction.productID, purchasedAt: transaction.purchasedAt,
      expiresAt: Presence(transaction.expiresAt), trial: transaction.isTrial, verified: transaction.isVerified,
      revokedAt: Presence(transaction.revokedAt), billing: transaction.billing == .retry ? .retry : .ok,
      graceEndsAt: Presence(transaction.graceEndsAt))
  }
}

extension Presence {
  /// A value, or nothing at all.
  fileprivate init(_ value: Value?) { self = value.map { .value($0) } ?? .absent }
}

extension Product {
  /// A product as clients see it; `savings` is what its catalogue says of the yearly ones.
  init(_ product: StoreProduct, savings: Int?) {
    self.init(
      id: product.id, plan: Plan(product.plan), price: product.price, currency: product.currency,
      periodUnit: PeriodUnit.known.first { $0.rawValue == product.period.unit.rawValue }
        ?? .unknown(product.period.unit.rawValue), periodCount: product.period.count,
      trialDays: product.trialDays, savingsPercentage: product.plan == .yearly ? savings : nil)
  }
}

extension DaybookProtocol.Feature {
  init(_ feature: Premium.Feature) {
    self = DaybookProtocol.Feature.known.first { $0.rawValue == feature.rawValue } ?? .unknown(feature.rawValue)
  }
}

extension DaybookProtocol.UnknownReason {
  init(_ reason: Premium.UnknownReason) {
    self =
      DaybookProtocol.UnknownReason.known.first { $0.rawValue == reason.rawValue } ?? .unknown(reason.rawValue)
  }
}
