import DaybookProtocol

/// An active subscription with its exact yearly cost; those without a yearly cost are left out.
struct RunningCost {
  let subscription: Subscription
  let yearly: ExactAmount
  let currency: Currency

  /// In the order of the subscriptions.
  static func all(of subscriptions: [Subscription], today: CivilDay) -> [RunningCost] {
    subscriptions.compactMap { subscription in
      guard subscription.isCharged(on: today) else { return nil }
      let (yearly, currency) = subscription.yearlyCost(on: today)
      return yearly.isZero ? nil : RunningCost(subscription: subscription, yearly: yearly, currency: currency)
    }
  }
}

extension Money {
  /// A twelfth of a yearly amount, rounded.
  init(monthOf yearly: ExactAmount, _ currency: Currency) {
    self.init(rounding: yearly.multiplied(by: 1, over: 12), currency)
  }
}

private struct CategoryTotal {
  let category: SubscriptionCategory
  var own: String?
  var sums = CurrencyTotals()
  var counts: [Currency: Int] = [:]
}

extension CategoryCost {
  /// Categories of active subscriptions by currency code, then descending by cost; equal ones in category order, the
  /// user's own last. Categories without recurring costs are left out.
  package static func all(of subscriptions: [Subscription], today: CivilDay) -> [CategoryCost] {
    costs(of: subscriptions, today: today) { cost in (cost.yearly, cost.currency) }
  }

  /// The same in one currency; nil when a rate is missing.
  package static func converted(
    of subscriptions: [Subscription], today: CivilDay, rates: RateTable, currency target: Currency
  ) -> [CategoryCost]? {
    var isComplete = true
    let costs = costs(of: subscriptions, today: today) { cost in
      let converted = rates.convert(cost.yearly, from: cost.currency, to: target)
      isComplete = isComplete && converted != nil
      return (converted ?? .zero, target)
    }
    return isComplete ? costs : nil
  }

  private static func costs(
    of subscriptions: [Subscription], today: CivilDay,
    _ convert: (RunningCost) -> (amount: ExactAmount, currency: Currency)
  ) -> [CategoryCost] {
    var totals = SubscriptionCategory.known.map { CategoryTotal(category: $0) }
    // The user's own categories by folded name, in order of appearance.
    var own: [String: Int] = [:]
    for running in RunningCost.all(of: subscriptions, today: today) {
      let cost = convert(running)
      var place = running.subscription.category.place
      if let name = running.subscription.ownCategory, running.subscription.category.orOther == .other {
        let folded = NameFolding.fold(name)
        place = own[folded] ?? totals.count
        own[folded] = place
        if place == totals.count { totals.append(CategoryTotal(category: .other, own: name)) }
      }
      totals[place].sums.add(cost.amount, cost.currency)
      totals[place].counts[cost.currency, default: 0] += 1
    }
    return Set(totals.flatMap(\.sums.currencies)).sorted().flatMap { currency in
      let present = totals.filter { $0.counts[currency] != nil }
      // Yearly amounts have the same percentages as monthly ones, without another fraction.
      let percentages = LargestRemainder.percentages(of: present.map { $0.sums[currency] })
      // `sorted` is stable.
      return zip(present, percentages).sorted { $1.0.sums[currency] < $0.0.sums[currency] }.map { total, percentage in
        CategoryCost(
          category: total.category, ownCategory: total.own, monthly: Money(monthOf: total.sums[currency], currency),
          percentage: percentage,
          count: total.counts[currency] ?? 0)
      }
    }
  }
}

/// A household member's yearly cost, and the number of subscriptions.
private struct MemberTotal {
  private(set) var sums = CurrencyTotals()
  private(set) var count = 0

  mutating func add(_ yearly: ExactAmount, _ currency: Currency) {
    sums.add(yearly, currency)
    count += 1
  }
}

extension MemberCost {
  /// The monthly cost of active subscriptions for each member of the household: the user first, then others by name.
  /// Empty where no subscription names others. (Decisions, Subscriptions: a month is a twelfth of the year.)
  static func all(of subscriptions: [Subscription], today: CivilDay) -> [MemberCost] {
    var own = MemberTotal()
    var others: [String: MemberTotal] = [:]
    for subscription in subscriptions where subscription.isCharged(on: today) {
      let (yearly, currency) = subscription.yearlyCost(on: today)
      guard !yearly.isZero else { continue }
      own.add(yearly, currency)
      for part in subscription.household ?? [] {
        let share = PayerShare(numerator: part.numerator, denominator: part.denominator)
        others[part.name, default: MemberTotal()].add(subscription.yearlyCost(on: today, share).amount, currency)
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
  /// Ended subscriptions with a running replacement, in order. The old monthly cost is that of the last day.
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
