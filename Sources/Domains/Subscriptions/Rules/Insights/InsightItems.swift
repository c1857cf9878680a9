import DaybookProtocol

extension PriceIncrease {
  /// Price increases in a range, latest first, of subscriptions that are not over by then. Compares yearly costs at one
  /// share, so that 10 a month becoming 100 a year is no increase. A change of currency, the end of a free trial and a
  /// return from a lifetime price are no increases.
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
    // No yearly cost: free, or paid once.
    guard currency == newCurrency, ExactAmount.zero < old, old < new else { return nil }
    self.init(
      subscriptionId: subscription.id, name: subscription.name, from: day,
      before: Money(subscription.price(on: day.advanced(by: -1))), after: Money(subscription.price(on: day)),
      percentage: Percentage.change(from: old, to: new), yearly: Money(rounding: new - old, currency))
  }
}

extension RankedSubscription {
  /// The most expensive active subscriptions, at most `limit` for each currency, by currency code, then descending by
  /// cost; equal ones in the order given.
  package static func mostExpensive(
    of subscriptions: [Subscription], today: CivilDay, limit: Int = 5
  ) -> [RankedSubscription] {
    let costs = Dictionary(grouping: RunningCost.all(of: subscriptions, today: today), by: \.currency)
    return costs.sorted { $0.key < $1.key }.flatMap { currency, items in
      items.sorted { $1.yearly < $0.yearly }.prefix(max(limit, 0)).map { item in
        RankedSubscription(
          subscriptionId: item.subscription.id, name: item.subscription.name,
          category: item.subscription.category.orOther, monthly: Money(monthOf: item.yearly, currency),
          yearly: Money(rounding: item.yearly, currency))
      }
    }
  }
}

extension CurrencyExposure {
  /// The currencies of active subscriptions, ascending by code. Percentages add up to 100, and need rates for all
  /// currencies.
  package static func all(
    of subscriptions: [Subscription], today: CivilDay, rates: RateTable? = nil
  ) -> [CurrencyExposure] {
    var totals = CurrencyTotals()
    var counts: [Currency: Int] = [:]
    for cost in RunningCost.all(of: subscriptions, today: today) {
      totals.add(cost.yearly, cost.currency)
      counts[cost.currency, default: 0] += 1
    }
    let converted = rates.map { rates in
      totals.entries.compactMap { rates.convert($0.amount, from: $0.currency, to: rates.base) }
    }
    let percentages = converted.flatMap { amounts in
      amounts.count == totals.entries.count ? LargestRemainder.percentages(of: amounts) : nil
    }
    return totals.entries.enumerated().map { index, entry in
      CurrencyExposure(
        currency: entry.currency.code, monthly: Money(monthOf: entry.amount, entry.currency),
        count: counts[entry.currency] ?? 0, percentage: percentages?[index])
    }
  }
}

extension Suggestion {
  /// Suggestions for running subscriptions: those rated `none`, then `low`, most expensive first within a currency;
  /// then possible duplicates by folded service name, in the order given.
  package static func all(for subscriptions: [Subscription], today: CivilDay) -> [Suggestion] {
    unused(among: subscriptions, today: today) + duplicates(among: subscriptions, today: today)
  }

  private static func unused(among subscriptions: [Subscription], today: CivilDay) -> [Suggestion] {
    [UsageRating.none, .low].flatMap { rating in
      RunningCost.all(of: subscriptions.filter { $0.usage == rating }, today: today)
        .sorted { $0.currency != $1.currency ? $0.currency < $1.currency : $1.yearly < $0.yearly }
        .map { cost in
          Suggestion(
            kind: .unused, subscriptions: [NamedSubscription(cost.subscription)], usage: rating,
            yearly: Money(rounding: cost.yearly, cost.currency))
        }
    }
  }

  private static func duplicates(among subscriptions: [Subscription], today: CivilDay) -> [Suggestion] {
    var names: [String: [Subscription]] = [:]
    var order: [String] = []
    for subscription in subscriptions
    where subscription.cycle.isRecurring && subscription.status(on: today) != .cancelled {
      let name = NameFolding.foldService(subscription.name)
      if names[name] == nil { order.append(name) }
      names[name, default: []].append(subscription)
    }
    return order.compactMap { name in
      guard let same = names[name], same.count > 1 else { return nil }
      return Suggestion(kind: .duplicates, subscriptions: same.map { NamedSubscription($0) })
    }
  }
}

extension NamedSubscription {
  init(_ subscription: Subscription) { self.init(subscriptionId: subscription.id, name: subscription.name) }
}
