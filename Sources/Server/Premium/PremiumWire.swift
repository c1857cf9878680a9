import DaybookProtocol
import Premium

// Premium's rules as clients see them.

extension DaybookProtocol.PremiumStatus {
  /// The status of a state at an instant.
  init(_ state: Premium.PremiumState, _ storeOfRecord: StoreOfRecordKind, now: Instant) {
    let status = state.status(now)
    let entitlement = status.entitlement
    var reason: InactiveReason?
    var name = PremiumStateName.unknown
    switch status {
    case .unknown: break
    case .loading: name = .loading
    case .active: name = .active
    case .inactive(let why):
      name = .inactive
      reason = why
    }
    self.init(
      state: name, reason: reason, hasPremiumAccess: entitlement != nil, loading: state.isLoading,
      syncModeAtStart: state.syncModeAtStart, syncModeAtNextStart: state.record?.isPremium ?? false,
      plan: entitlement?.plan, productId: entitlement?.productID,
      trial: entitlement?.isTrial ?? false, expiresAt: entitlement?.expiresAt, graceEndsAt: entitlement?.graceEndsAt,
      billingIssueSince: entitlement?.billingIssueSince, checkedAt: state.record?.checkedAt,
      ageMs: state.age(now).map { Int(clamping: min($0, 1 << 53 - 1)) }, stale: state.isStale(now),
      storeOfRecord: storeOfRecord, fault: state.fault)
  }
}

typealias PremiumStateName = DaybookProtocol.PremiumState

extension Product {
  /// A product as clients see it; `savings` is the catalogue's percentage for yearly products.
  init(_ product: CatalogueProduct, savings: Int?) {
    self.init(
      id: product.id, plan: product.plan, price: product.price, currency: product.currency,
      periodUnit: product.period.unit, periodCount: product.period.count, trialDays: product.trialDays,
      savingsPercentage: product.plan == .yearly ? savings : nil)
  }
}

extension ProductCatalogue {
  /// The catalogue embedded in the program; a test checks that it can be read.
  package static let embedded = (try? ProductCatalogue(file: ProductsDocument.text)) ?? ProductCatalogue.empty
}
