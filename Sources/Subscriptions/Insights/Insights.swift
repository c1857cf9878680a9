import CivilTime
import Values

/// What can be learned from subscriptions: all of it takes premium. Money is one's own part, and currencies stay apart.
package struct Insights: Sendable, Equatable {
  /// What each category costs.
  package let categories: [CategoryShare]
  /// The same in one currency; nil without rates for all.
  package let categoriesConverted: [CategoryShare]?
  /// The most expensive.
  package let mostExpensive: [RankedSubscription]
  /// What the last months cost, oldest first, the present one up to today. Each charge has the price of its own day.
  package let trend: [MonthCosts]
  /// From the month before the last full one to the last full one.
  package let monthOverMonth: [MonthChange]
  /// Prices that went up within the last twelve months, or will.
  package let priceIncreases: [PriceIncrease]
  /// What is worth a look.
  package let suggestions: [Suggestion]
  /// What was spent so far, by subscription in the order given.
  package let lifetime: [LifetimeSpend]
  /// The same altogether.
  package let lifetimeTotal: [Money]
  /// How much is paid in which currency.
  package let exposure: [CurrencyExposure]
}

/// How many months a trend has.
package enum TrendLength: Int, CaseIterable, Sendable {
  case sixMonths = 6
  case year = 12
  case twoYears = 24
}

extension Insights {
  /// The insights of a day. Linear in the charges since each start.
  package static func make(
    _ subscriptions: [Subscription], today: CivilDay, trend length: TrendLength = .sixMonths,
    conversion: (rates: RateTable, currency: Currency)? = nil
  ) -> Insights {
    let trend = ChargeCalendar.months(length.rawValue, endingWith: today, of: subscriptions, upTo: today)
    let full = trend.dropLast().suffix(2)
    let lifetime = subscriptions.map { $0.lifetimeSpend(today: today) }
    var total = CurrencyTotals()
    for spend in lifetime { total.add(spend.totals) }
    let lastYear = today.advanced(back: CalendarSpan(1, .year)).advanced(by: 1)
    return Insights(
      categories: CategoryShare.all(of: subscriptions, today: today),
      categoriesConverted: conversion.flatMap {
        CategoryShare.converted(of: subscriptions, today: today, rates: $0.rates, currency: $0.currency)
      },
      mostExpensive: RankedSubscription.mostExpensive(of: subscriptions, today: today), trend: trend,
      monthOverMonth: full.count == 2 ? MonthChange.between(full[full.startIndex], full[full.startIndex + 1]) : [],
      priceIncreases: PriceIncrease.all(
        of: subscriptions, in: lastYear...max(lastYear, CivilDay.allowed.upperBound)),
      suggestions: Suggestion.all(for: subscriptions, today: today), lifetime: lifetime, lifetimeTotal: total.rounded,
      exposure: CurrencyExposure.all(of: subscriptions, today: today, rates: conversion?.rates))
  }
}
