import CivilTime
import Values

/// A subscription among others of its currency.
package struct RankedSubscription: Sendable, Equatable {
  /// The subscription.
  package let subscription: EntityID
  /// What it costs a month.
  package let monthly: Money
  /// What it costs a year.
  package let yearly: Money
}

extension RankedSubscription {
  /// The most expensive of what is active, at most so many of each currency, by currency in the order of the codes, then
  /// descending by what they cost; of equal ones in the order given.
  package static func mostExpensive(
    of subscriptions: [Subscription], today: CivilDay, limit: Int = 5
  ) -> [RankedSubscription] {
    var costs: [Currency: [(id: EntityID, yearly: ExactAmount)]] = [:]
    for subscription in subscriptions where subscription.isCharged(on: today) {
      let (amount, currency) = subscription.yearlyCost(on: today)
      if !amount.isZero { costs[currency, default: []].append((subscription.id, amount)) }
    }
    return costs.sorted { $0.key < $1.key }.flatMap { currency, items in
      items.sorted { $1.yearly < $0.yearly }.prefix(max(limit, 0)).map { item in
        RankedSubscription(
          subscription: item.id, monthly: Money(rounding: item.yearly.multiplied(by: 1, over: 12), currency),
          yearly: Money(rounding: item.yearly, currency))
      }
    }
  }
}

/// How much of what one pays is in which currency.
package struct CurrencyExposure: Sendable, Equatable {
  /// The currency.
  package let currency: Currency
  /// What is paid in it a month.
  package let monthly: Money
  /// How many subscriptions that cost something a month are in it.
  package let count: Int
  /// Its part in whole percent, which add up to 100; nil without rates for all: currencies cannot be compared by themselves.
  package let percentage: Int?
}

extension CurrencyExposure {
  /// The currencies of what is active, ascending by code; what was paid once is no part of it.
  package static func all(
    of subscriptions: [Subscription], today: CivilDay, rates: RateTable? = nil
  ) -> [CurrencyExposure] {
    var totals = CurrencyTotals()
    var counts: [Currency: Int] = [:]
    for subscription in subscriptions where subscription.isCharged(on: today) {
      let (amount, currency) = subscription.yearlyCost(on: today)
      guard !amount.isZero else { continue }
      totals.add(amount, currency)
      counts[currency, default: 0] += 1
    }
    let converted = rates.map { rates in
      totals.entries.compactMap { rates.convert($0.amount, from: $0.currency, to: rates.base) }
    }
    let percentages = converted.flatMap { amounts in
      amounts.count == totals.entries.count ? LargestRemainder.percentages(of: amounts) : nil
    }
    return totals.entries.enumerated().map { index, entry in
      CurrencyExposure(
        currency: entry.currency, monthly: Money(rounding: entry.amount.multiplied(by: 1, over: 12), entry.currency),
        count: counts[entry.currency] ?? 0, percentage: percentages?[index])
    }
  }
}
