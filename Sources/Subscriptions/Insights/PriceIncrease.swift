import CivilTime
import Values

/// A price that went up, or will.
package struct PriceIncrease: Sendable, Equatable {
  /// The subscription.
  package let subscription: EntityID
  /// The first day of the new price.
  package let from: CivilDay
  /// The price before.
  package let before: Money
  /// The price since.
  package let after: Money
  /// How much more it is in percent, with one digit after the point; nil when it was free before.
  package let percentage: Decimal?
  /// How much more a year costs by it, one's own part.
  package let yearly: Money
}

extension PriceIncrease {
  /// The increases whose first day is in a range, of what is not over by then, latest first; of one day in the order given. A
  /// change of the currency is none: two currencies cannot be compared. The end of a free trial is none either.
  package static func all(of subscriptions: [Subscription], in days: ClosedRange<CivilDay>) -> [PriceIncrease] {
    var found: [PriceIncrease] = []
    for subscription in subscriptions {
      var before = subscription.prices.first
      for change in subscription.prices.changes {
        defer { before = change.price }
        guard days.contains(change.from), change.price.currency == before.currency, before.amount > .zero,
          before.amount < change.price.amount, subscription.status(on: change.from) != .cancelled
        else { continue }
        found.append(PriceIncrease(subscription, change, before: before))
      }
    }
    return found.sorted { $1.from < $0.from }
  }

  private init(_ subscription: Subscription, _ change: PriceChange, before: Money) {
    let (old, new) = (ExactAmount(before.amount), ExactAmount(change.price.amount))
    let factor = subscription.term(on: change.from).cycle.timesAYear
    let share = subscription.share
    let yearly = (new - old).multiplied(
      by: Int128(factor.numerator) * Int128(share.numerator),
      over: Int128(factor.denominator) * Int128(share.denominator))
    self.init(
      subscription: subscription.id, from: change.from, before: before, after: change.price,
      percentage: Percentage.change(from: old, to: new), yearly: Money(rounding: yearly, before.currency))
  }
}
