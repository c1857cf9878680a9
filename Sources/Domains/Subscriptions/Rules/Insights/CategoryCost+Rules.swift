import CivilTime
import DaybookProtocol
import Values

/// What is active and costs something a year: a subscription with its exact cost of a year. What was paid once is no part of it.
struct RunningCost {
  let subscription: Subscription
  let yearly: ExactAmount
  let currency: Currency

  /// Those of a day, in the order of the subscriptions.
  static func all(of subscriptions: [Subscription], today: CivilDay) -> [RunningCost] {
    subscriptions.compactMap { subscription in
      guard subscription.isCharged(on: today) else { return nil }
      let (yearly, currency) = subscription.yearlyCost(on: today)
      return yearly.isZero ? nil : RunningCost(subscription: subscription, yearly: yearly, currency: currency)
    }
  }
}

extension Money {
  /// A twelfth of a year, as it is shown.
  init(monthOf yearly: ExactAmount, _ currency: Currency) {
    self.init(rounding: yearly.multiplied(by: 1, over: 12), currency)
  }
}

/// What a category comes to so far.
private struct CategoryTotal {
  let category: SubscriptionCategory
  var own: String?
  var sums = CurrencyTotals()
  var counts: [Currency: Int] = [:]
}

extension CategoryCost {
  /// The categories of what is active, by currency in the order of the codes, then descending by what they cost; of equal ones
  /// by the order of categories, those of the user's own last. What was paid once costs nothing a month; a category with nothing
  /// else is absent.
  package static func all(of subscriptions: [Subscription], today: CivilDay) -> [CategoryCost] {
    costs(of: subscriptions, today: today) { cost in (cost.yearly, cost.currency) }
  }

  /// The same in one currency by a table of rates; nil when a rate is missing.
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
    // Those of the user's own, by their folded names, in the order in which they come first.
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
      // Percentages of years are those of months, without another fraction.
      let percentages = LargestRemainder.percentages(of: present.map { $0.sums[currency] })
      // The library's sort keeps the order of what is equal.
      return zip(present, percentages).sorted { $1.0.sums[currency] < $0.0.sums[currency] }.map { total, percentage in
        CategoryCost(
          category: total.category, ownCategory: total.own, monthly: Money(monthOf: total.sums[currency], currency),
          percentage: percentage,
          count: total.counts[currency] ?? 0)
      }
    }
  }
}
