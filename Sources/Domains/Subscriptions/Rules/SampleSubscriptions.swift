import CivilTime
import DaybookProtocol
import Values

/// Subscriptions to try things out with.
package enum SampleSubscriptions {
  private struct Sample {
    let name: String
    let cents: Int64
    let cycle: BillingCycle
    let category: SubscriptionCategory
  }

  /// Exact to the cent. (Reference part 2, §2.13.)
  private static let all = [
    Sample(name: "Netflix", cents: 1549, cycle: .monthly, category: .streaming),
    Sample(name: "Spotify", cents: 999, cycle: .monthly, category: .music),
    Sample(name: "iCloud+", cents: 299, cycle: .monthly, category: .cloud),
    Sample(name: "ChatGPT Plus", cents: 2000, cycle: .monthly, category: .productivity),
    Sample(name: "YouTube Premium", cents: 1399, cycle: .monthly, category: .streaming),
    Sample(name: "Apple One", cents: 1995, cycle: .monthly, category: .utilities),
    Sample(name: "Nintendo Online", cents: 1999, cycle: .yearly, category: .gaming),
  ]

  /// How many days ahead a sample is charged next.
  package static let leadDays = 1...28

  /// The seven samples, charged next so many days from today as `days` says (kept to 1…28), since today.
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
