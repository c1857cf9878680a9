import DaybookProtocol

package enum SampleSubscriptions {
  /// Exact to the cent. (Reference part 2, §2.13.)
  private static let all: [(name: String, cents: Int64, cycle: BillingCycle, category: SubscriptionCategory)] = [
    ("Netflix", 1549, .monthly, .streaming),
    ("Spotify", 999, .monthly, .music),
    ("iCloud+", 299, .monthly, .cloud),
    ("ChatGPT Plus", 2000, .monthly, .productivity),
    ("YouTube Premium", 1399, .monthly, .streaming),
    ("Apple One", 1995, .monthly, .utilities),
    ("Nintendo Online", 1999, .yearly, .gaming),
  ]

  /// How many days ahead a sample is charged next.
  package static let leadDays = 1...28

  /// The seven samples, started today and charged next after as many days as `days` gives, clamped to 1…28.
  package static func make(
    today: CivilDay, now: Instant, currency: Currency, id: () -> EntityID, days: () -> Int
  ) -> [Subscription] {
    all.enumerated().map { place, sample in
      let lead = min(max(days(), leadDays.lowerBound), leadDays.upperBound)
      let amount = Decimal(significand: sample.cents, scale: 2) ?? .zero
      return Subscription(
        id: id(), name: sample.name, category: sample.category,
        prices: [SubscriptionPrice(amount: amount, currency: currency.code)], cycle: sample.cycle,
        anchor: today.advanced(by: lead), start: today, place: place > 0 ? place : nil, createdAt: now, updatedAt: now)
    }
  }
}
