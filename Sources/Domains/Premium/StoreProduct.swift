import Values

/// What is sold: how often premium is paid for.
package enum PremiumPlan: String, CaseIterable, Sendable {
  case monthly
  case yearly

  /// Its place when several are owned; a higher one comes first.
  var rank: Int { self == .yearly ? 1 : 0 }
}

/// How long a payment lasts: `count` times the unit.
package struct ProductPeriod: Hashable, Sendable {
  /// The units a store counts in.
  package enum Unit: String, CaseIterable, Sendable {
    case day
    case week
    case month
    case year
  }

  /// Days, weeks, months or years.
  package let unit: Unit
  /// How many of them, 1…366.
  package let count: Int

  package init(unit: Unit, count: Int) {
    self.unit = unit
    self.count = count
  }
}

/// One product of the catalogue.
package struct StoreProduct: Hashable, Sendable {
  /// The id the store knows it by.
  package let id: String
  /// The plan that owning it gives.
  package let plan: PremiumPlan
  /// The price of one period, above zero, with the digits as written.
  package let price: Decimal
  /// The currency of the price, an ISO 4217 code.
  package let currency: String
  /// What one payment lasts.
  package let period: ProductPeriod
  /// The days of the free trial, 0 for none.
  package let trialDays: Int

  package init(
    id: String, plan: PremiumPlan, price: Decimal, currency: String, period: ProductPeriod, trialDays: Int
  ) {
    self.id = id
    self.plan = plan
    self.price = price
    self.currency = currency
    self.period = period
    self.trialDays = trialDays
  }
}
