import CivilTime
import Values

/// What costs more a year from a day on than on the day before, or will: by its price, its cycle, or both.
package struct PriceIncrease: Sendable, Equatable {
  /// The subscription.
  package let subscription: EntityID
  /// The first day of the new price or cycle.
  package let from: CivilDay
  /// The price of a cycle before.
  package let before: Money
  /// The price of a cycle since; with another cycle it may be less than before.
  package let after: Money
  /// How much more a year is in percent, with one digit after the point; nil when it cannot be told.
  package let percentage: Decimal?
  /// How much more a year costs by it, one's own part as it is on the first day.
  package let yearly: Money
}

extension PriceIncrease {
  /// The increases whose first day is in a range, of what is not over by then, latest first; of one day in the order given.
  /// Years are compared, so that 10 a month that becomes 100 a year is none. A change of the currency is none: two currencies
  /// cannot be compared. Another share is none: what is asked for stays. The end of a free trial is none either, nor is what is
  /// asked for again after it was paid once and for all.
  package static func all(of subscriptions: [Subscription], in days: ClosedRange<CivilDay>) -> [PriceIncrease] {
    var found: [PriceIncrease] = []
    for subscription in subscriptions {
      let borders = Set(subscription.prices.changes.map(\.from) + subscription.formerTerms.map(\.until))
      for day in borders where days.contains(day) && subscription.status(on: day) != .cancelled {
        if let increase = PriceIncrease(of: subscription, on: day) { found.append(increase) }
      }
    }
    return found.sorted { $1.from < $0.from }
  }

  private init?(of subscription: Subscription, on day: CivilDay) {
    let share = subscription.shares.share(on: day)
    let (old, currency) = subscription.yearlyCost(on: day.advanced(by: -1), share)
    let (new, newCurrency) = subscription.yearlyCost(on: day, share)
    // What costs nothing a year is free, or was paid once.
    guard currency == newCurrency, ExactAmount.zero < old, old < new else { return nil }
    self.init(
      subscription: subscription.id, from: day, before: subscription.prices.price(on: day.advanced(by: -1)),
      after: subscription.prices.price(on: day), percentage: Percentage.change(from: old, to: new),
      yearly: Money(rounding: new - old, currency))
  }
}
