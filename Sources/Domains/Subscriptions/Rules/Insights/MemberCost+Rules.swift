import CivilTime
import DaybookProtocol
import Values

/// What one of a household pays a year so far, and for how many.
private struct CostOfOne {
  private(set) var sums = CurrencyTotals()
  private(set) var count = 0

  mutating func add(_ yearly: ExactAmount, _ currency: Currency) {
    sums.add(yearly, currency)
    count += 1
  }
}

extension MemberCost {
  /// What each of a household pays a month for what is active: first the user, then the others by name. Empty where no subscription
  /// names any. (Decisions, Subscriptions: a month is a twelfth of the year.)
  static func all(of subscriptions: [Subscription], today: CivilDay) -> [MemberCost] {
    var own = CostOfOne()
    var others: [String: CostOfOne] = [:]
    for subscription in subscriptions where subscription.isCharged(on: today) {
      let (yearly, currency) = subscription.yearlyCost(on: today)
      guard !yearly.isZero else { continue }
      own.add(yearly, currency)
      for part in subscription.household ?? [] {
        let share = PayerShare(numerator: part.numerator, denominator: part.denominator)
        others[part.name, default: CostOfOne()].add(subscription.yearlyCost(on: today, share).amount, currency)
      }
    }
    guard !others.isEmpty else { return [] }
    let all = [(String?.none, own)] + others.sorted { $0.key < $1.key }.map { (Optional($0.key), $0.value) }
    return all.map { name, cost in
      MemberCost(name: name, monthly: cost.sums.multiplied(by: 1, over: 12).rounded, count: cost.count)
    }
  }
}

extension Replacement {
  /// What was replaced by something that goes on on a day, in the order of the subscriptions. What a month of the old one cost
  /// is that of its last day.
  static func all(of subscriptions: [Subscription], today: CivilDay) -> [Replacement] {
    subscriptions.compactMap { old in
      guard let id = old.replacedById, let end = old.end, end <= today,
        let new = subscriptions.first(where: { $0.id == id }), new.status(on: today) != .cancelled
      else { return nil }
      let before = old.monthlyCost(on: max(end.advanced(by: -1), old.start))
      let after = new.monthlyCost(on: max(today, new.start))
      return Replacement(
        subscription: NamedSubscription(old), by: NamedSubscription(new),
        before: Money(rounding: before.amount, before.currency), after: Money(rounding: after.amount, after.currency),
        saved: before.currency == after.currency
          ? Money(rounding: before.amount - after.amount, before.currency) : nil)
    }
  }
}
