import CivilTime
import DaybookProtocol
import Subscriptions
import Values

extension InsightsGetResult {
  /// What was learned, to a client: names travel beside ids.
  init(_ insights: Insights, _ book: SubscriptionBook, today: CivilDay) {
    let months = insights.trend.map(\.month).dropLast().suffix(2)
    self.init(
      day: today, categories: insights.categories.map { CategoryCost($0) },
      mostExpensive: insights.mostExpensive.compactMap { ranked in
        book.plan(ranked.subscription).map { DaybookProtocol.RankedSubscription(ranked, of: $0) }
      }, trend: insights.trend.map { DaybookProtocol.MonthCosts($0) },
      monthOverMonth: MonthComparison(
        before: months.first ?? today, after: months.last ?? today,
        changes: insights.monthOverMonth.map { DaybookProtocol.MonthChange($0) }),
      priceIncreases: insights.priceIncreases.compactMap { increase in
        book.plan(increase.subscription).map { DaybookProtocol.PriceIncrease(increase, of: $0) }
      }, suggestions: insights.suggestions.map { DaybookProtocol.Suggestion($0, book) },
      lifetime: insights.lifetime.compactMap { spend in
        book.plan(spend.subscription).map { SubscriptionSpend(spend, of: $0) }
      }, lifetimeTotal: insights.lifetimeTotal.map { DaybookProtocol.Money($0) },
      exposure: insights.exposure.map { DaybookProtocol.CurrencyExposure($0) },
      converted: insights.converted.map { DaybookProtocol.ConvertedInsights($0, months: insights.trend.map(\.month)) },
      revision: book.revision)
  }
}

extension SubscriptionBook {
  /// The subscription of an id, as the rules take it.
  func plan(_ id: EntityID) -> Subscriptions.Subscription? { place(of: id).map { plans[$0] } }

  fileprivate func named(_ id: EntityID) -> NamedSubscription? {
    plan(id).map { NamedSubscription(subscription: id, name: $0.name) }
  }
}

extension CategoryCost {
  fileprivate init(_ share: CategoryShare) {
    self.init(
      category: DaybookProtocol.SubscriptionCategory(share.category), monthly: DaybookProtocol.Money(share.monthly),
      percentage: share.percentage, count: share.count)
  }
}

extension DaybookProtocol.RankedSubscription {
  fileprivate init(_ ranked: Subscriptions.RankedSubscription, of subscription: Subscriptions.Subscription) {
    self.init(
      subscription: ranked.subscription, name: subscription.name,
      category: DaybookProtocol.SubscriptionCategory(subscription.category),
      monthly: DaybookProtocol.Money(ranked.monthly), yearly: DaybookProtocol.Money(ranked.yearly))
  }
}

extension DaybookProtocol.MonthChange {
  fileprivate init(_ change: Subscriptions.MonthChange) {
    self.init(
      before: DaybookProtocol.Money(change.before), after: DaybookProtocol.Money(change.after),
      difference: DaybookProtocol.Money(change.difference), percentage: change.percentage)
  }
}

extension DaybookProtocol.PriceIncrease {
  fileprivate init(_ increase: Subscriptions.PriceIncrease, of subscription: Subscriptions.Subscription) {
    self.init(
      subscription: increase.subscription, name: subscription.name, from: increase.from,
      before: DaybookProtocol.Money(increase.before), after: DaybookProtocol.Money(increase.after),
      percentage: increase.percentage, yearly: DaybookProtocol.Money(increase.yearly))
  }
}

extension DaybookProtocol.Suggestion {
  fileprivate init(_ suggestion: Subscriptions.Suggestion, _ book: SubscriptionBook) {
    switch suggestion {
    case .unused(let id, let yearly):
      self.init(
        kind: .unused, subscriptions: [id].compactMap { book.named($0) },
        usage: book.place(of: id).flatMap { book.stored[$0].usage }, yearly: DaybookProtocol.Money(yearly))
    case .duplicates(let ids, _):
      self.init(kind: .duplicates, subscriptions: ids.compactMap { book.named($0) })
    }
  }
}

extension SubscriptionSpend {
  fileprivate init(_ spend: LifetimeSpend, of subscription: Subscriptions.Subscription) {
    self.init(
      subscription: spend.subscription, name: subscription.name, start: subscription.start, days: spend.days,
      charges: spend.charges, totals: spend.totals.wire, costPerDay: spend.costPerDay.wire)
  }
}

extension DaybookProtocol.CurrencyExposure {
  fileprivate init(_ exposure: Subscriptions.CurrencyExposure) {
    self.init(
      currency: exposure.currency.code, monthly: DaybookProtocol.Money(exposure.monthly), count: exposure.count,
      percentage: exposure.percentage)
  }
}

extension DaybookProtocol.ConvertedInsights {
  fileprivate init(_ converted: Subscriptions.ConvertedInsights, months: [CivilDay]) {
    self.init(
      currency: converted.currency.code, date: converted.date, missing: converted.missing.map(\.code),
      categories: converted.categories?.map { CategoryCost($0) },
      trend: zip(months, converted.trend).map { month, total in
        ConvertedMonth(month: month, total: total.map { DaybookProtocol.Money($0) })
      })
  }
}
