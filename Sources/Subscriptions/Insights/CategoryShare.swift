import CivilTime
import Values

/// What a category costs, among all of one currency.
package struct CategoryShare: Sendable, Equatable {
  /// The category.
  package let category: SubscriptionCategory
  /// What it costs a month.
  package let monthly: Money
  /// Its part in whole percent; those of one currency add up to 100.
  package let percentage: Int
  /// How many subscriptions of it cost something in this currency.
  package let count: Int
}

extension CategoryShare {
  /// The categories of what is active, by currency in the order of the codes, then descending by what they cost; of equal ones
  /// by the order of categories. What was paid once costs nothing a month; a category with nothing else is absent.
  package static func all(of subscriptions: [Subscription], today: CivilDay) -> [CategoryShare] {
    shares(of: subscriptions, today: today) { amount, currency in (amount, currency) }
  }

  /// The same in one currency by a table of rates; nil when a rate is missing.
  package static func converted(
    of subscriptions: [Subscription], today: CivilDay, rates: RateTable, currency target: Currency
  ) -> [CategoryShare]? {
    var isComplete = true
    let shares = shares(of: subscriptions, today: today) { amount, currency in
      let converted = rates.convert(amount, from: currency, to: target)
      isComplete = isComplete && converted != nil
      return (converted ?? .zero, target)
    }
    return isComplete ? shares : nil
  }

  private static func shares(
    of subscriptions: [Subscription], today: CivilDay,
    _ convert: (ExactAmount, Currency) -> (amount: ExactAmount, currency: Currency)
  ) -> [CategoryShare] {
    var totals = SubscriptionCategory.allCases.map { (category: $0, sums: CurrencyTotals(), counts: [Currency: Int]()) }
    for subscription in subscriptions where subscription.isCharged(on: today) {
      let (yearly, currency) = subscription.yearlyCost(on: today)
      guard !yearly.isZero else { continue }
      let cost = convert(yearly, currency)
      totals[subscription.category.place].sums.add(cost.amount, cost.currency)
      totals[subscription.category.place].counts[cost.currency, default: 0] += 1
    }
    let currencies = Set(totals.flatMap(\.sums.currencies)).sorted()
    return currencies.flatMap { currency in
      let present = totals.filter { $0.counts[currency] != nil }
      // Percentages of years are those of months, without another fraction.
      let percentages = LargestRemainder.percentages(of: present.map { $0.sums[currency] })
      let rows = zip(present, percentages).map { total, percentage in
        (
          yearly: total.sums[currency],
          share: CategoryShare(
            category: total.category,
            monthly: Money(rounding: total.sums[currency].multiplied(by: 1, over: 12), currency),
            percentage: percentage, count: total.counts[currency] ?? 0)
        )
      }
      // The library's sort keeps the order of what is equal.
      return rows.sorted { $1.yearly < $0.yearly }.map(\.share)
    }
  }
}
