import CivilTime
import DaybookProtocol
import Values

/// What subscriptions cost a year as they are today, by status. What costs nothing a year names no currency: without a rate it
/// would keep the rest from being converted.
package struct RunRates: Sendable {
  /// Of those that are active.
  package private(set) var yearly = CurrencyTotals()
  /// What those in a trial will cost, at the price of its end.
  package private(set) var trials = CurrencyTotals()
  /// Of those that are over, at the price of their last day.
  package private(set) var cancelled = CurrencyTotals()
  /// How many there are.
  package private(set) var counts = StatusCounts(trial: 0, active: 0, paused: 0, cancelled: 0)

  /// A twelfth of the year of those that are active.
  var monthly: CurrencyTotals { yearly.multiplied(by: 1, over: 12) }

  package init(_ subscriptions: [Subscription], today: CivilDay) {
    for subscription in subscriptions {
      switch subscription.status(on: today) {
      case .trial:
        counts.trial += 1
        guard let trialEnd = subscription.trialEnd, subscription.status(on: trialEnd) == .active else { continue }
        RunRates.add(subscription, on: trialEnd, to: &trials)
      case .paused: counts.paused += 1
      case .cancelled:
        counts.cancelled += 1
        if let end = subscription.end { RunRates.add(subscription, on: end.advanced(by: -1), to: &cancelled) }
      default:
        counts.active += 1
        if subscription.start <= today { RunRates.add(subscription, on: today, to: &yearly) }
      }
    }
  }

  private static func add(_ subscription: Subscription, on day: CivilDay, to totals: inout CurrencyTotals) {
    let (amount, currency) = subscription.yearlyCost(on: day)
    if !amount.isZero { totals.add(amount, currency) }
  }
}
