import CivilTime
import Values

/// What was spent on a subscription so far.
package struct LifetimeSpend: Sendable, Equatable {
  /// The subscription.
  package let subscription: EntityID
  /// By currency: one changes now and then.
  package let totals: CurrencyTotals
  /// How many charges there were.
  package let charges: Int
  /// How many days it has lasted, from its start to the end or today, both counted; 0 before it starts.
  package let days: Int

  /// What each of these days cost, by currency; nothing before it starts.
  package var costPerDay: CurrencyTotals {
    days > 0 ? totals.multiplied(by: 1, over: Int64(days)) : CurrencyTotals()
  }
}

extension Subscription {
  /// What was spent up to today, each charge at the price of its day or as it was paid.
  package func lifetimeSpend(today: CivilDay) -> LifetimeSpend {
    var totals = CurrencyTotals()
    var count = 0
    if start <= today {
      visitCharges(in: start...today) { charge in
        totals.add(charge.cost, charge.price.currency)
        count += 1
      }
    }
    let last = end.map { min($0.advanced(by: -1), today) } ?? today
    return LifetimeSpend(
      subscription: id, totals: totals, charges: count, days: start <= last ? (start...last).dayCount : 0)
  }
}
