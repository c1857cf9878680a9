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
}

extension Subscription {
  /// What was spent up to today, each charge at the price of its day or as it was paid.
  package func lifetimeSpend(today: CivilDay) -> LifetimeSpend {
    var totals = CurrencyTotals()
    var count = 0
    // A charge may have been shifted to a day before the start.
    let first = marks.first.map { min($0.day ?? start, start) } ?? start
    if first <= today {
      visitCharges(in: first...today) { charge in
        totals.add(charge.cost, charge.price.currency)
        count += 1
      }
    }
    let last = end.map { min($0.advanced(by: -1), today) } ?? today
    return LifetimeSpend(
      subscription: id, totals: totals, charges: count, days: start <= last ? (start...last).dayCount : 0)
  }
}
