import CivilTime
import DaybookProtocol
import Values

extension RankedSubscription {
  /// The most expensive of what is active, at most so many of each currency, by currency in the order of the codes, then
  /// descending by what they cost; of equal ones in the order given.
  package static func mostExpensive(
    of subscriptions: [Subscription], today: CivilDay, limit: Int = 5
  ) -> [RankedSubscription] {
    let costs = Dictionary(grouping: RunningCost.all(of: subscriptions, today: today), by: \.currency)
    return costs.sorted { $0.key < $1.key }.flatMap { currency, items in
      items.sorted { $1.yearly < $0.yearly }.prefix(max(limit, 0)).map { item in
        RankedSubscription(
          subscriptionId: item.subscription.id, name: item.subscription.name,
          category: item.subscription.category.orOther, monthly: Money(monthOf: item.yearly, currency),
          yearly: Money(rounding: item.yearly, currency))
      }
    }
  }
}

extension CurrencyExposure {
  /// How much of what is active is paid in which currency, ascending by code; what was paid once is no part of it. Percentages
  /// add up to 100; there are none without rates for all: currencies cannot be compared by themselves.
  package static func all(
    of subscriptions: [Subscription], today: CivilDay, rates: RateTable? = nil
  ) -> [CurrencyExposure] {
    var totals = CurrencyTotals()
    var counts: [Currency: Int] = [:]
    for cost in RunningCost.all(of: subscriptions, today: today) {
      totals.add(cost.yearly, cost.currency)
      counts[cost.currency, default: 0] += 1
    }
    let converted = rates.map { rates in
      totals.entries.compactMap { rates.convert($0.amount, from: $0.currency, to: rates.base) }
    }
    let percentages = converted.flatMap { amounts in
      amounts.count == totals.entries.count ? LargestRemainder.percentages(of: amounts) : nil
    }
    return totals.entries.enumerated().map { index, entry in
      CurrencyExposure(
        currency: entry.currency.code, monthly: Money(monthOf: entry.amount, entry.currency),
        count: counts[entry.currency] ?? 0, percentage: percentages?[index])
    }
  }
}
