import CivilTime
import DaybookProtocol
import Values

extension PriceIncrease {
  /// The increases whose first day is in a range, of what is not over by then, latest first; of one day in the order given.
  /// Years are compared, so that 10 a month that becomes 100 a year is none. A change of the currency is none: two currencies
  /// cannot be compared. Another share is none: what is asked for stays. The end of a free trial is none either, nor is what is
  /// asked for again after it was paid once and for all.
  package static func all(of subscriptions: [Subscription], in days: ClosedRange<CivilDay>) -> [PriceIncrease] {
    var found: [PriceIncrease] = []
    for subscription in subscriptions {
      let borders = Set(subscription.prices.compactMap(\.from) + subscription.formerTermList.map(\.until))
      for day in borders where days.contains(day) && subscription.status(on: day) != .cancelled {
        if let increase = PriceIncrease(of: subscription, on: day) { found.append(increase) }
      }
    }
    return found.sorted { $1.from < $0.from }
  }

  private init?(of subscription: Subscription, on day: CivilDay) {
    let share = subscription.share(on: day)
    let (old, currency) = subscription.yearlyCost(on: day.advanced(by: -1), share)
    let (new, newCurrency) = subscription.yearlyCost(on: day, share)
    // What costs nothing a year is free, or was paid once.
    guard currency == newCurrency, ExactAmount.zero < old, old < new else { return nil }
    self.init(
      subscriptionId: subscription.id, name: subscription.name, from: day,
      before: Money(subscription.price(on: day.advanced(by: -1))), after: Money(subscription.price(on: day)),
      percentage: Percentage.change(from: old, to: new), yearly: Money(rounding: new - old, currency))
  }
}
