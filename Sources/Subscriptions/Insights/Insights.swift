import CivilTime
import Values

/// What can be learned from subscriptions: all of it takes premium. Money is one's own part, and currencies stay apart.
package struct Insights: Sendable, Equatable {
  /// What each category costs.
  package let categories: [CategoryShare]
  /// Costs told in one currency; nil unless that was asked for, and there are rates.
  package let converted: ConvertedInsights?
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
  /// What was spent so far, by subscription, those that started first coming first.
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
  /// How many of the most expensive there are in each currency.
  package static let rankedCount = 5

  /// The insights of a day, whatever order the subscriptions come in: of equal ones, those come first that started first.
  /// Totals are told in `currency` too, where rates are given. Linear in the charges since each start.
  package static func make(
    _ unordered: [Subscription], today: CivilDay, trend length: TrendLength = .sixMonths, rates: RateTable? = nil,
    currency: Currency? = nil
  ) -> Insights {
    let subscriptions = unordered.sorted { $0.start != $1.start ? $0.start < $1.start : $0.id < $1.id }
    let trend = ChargeCalendar.months(length.rawValue, endingWith: today, of: subscriptions, upTo: today)
    let full = trend.dropLast().suffix(2)
    let lifetime = subscriptions.map { $0.lifetimeSpend(today: today) }
    var total = CurrencyTotals()
    for spend in lifetime { total.add(spend.totals) }
    let lastYear = today.advanced(back: CalendarSpan(1, .year)).advanced(by: 1)
    return Insights(
      categories: CategoryShare.all(of: subscriptions, today: today),
      converted: rates.flatMap { rates in
        currency.map { ConvertedInsights(subscriptions, today: today, trend: trend, rates: rates, currency: $0) }
      },
      mostExpensive: RankedSubscription.mostExpensive(of: subscriptions, today: today, limit: rankedCount),
      trend: trend,
      monthOverMonth: full.count == 2 ? MonthChange.between(full[full.startIndex], full[full.startIndex + 1]) : [],
      priceIncreases: PriceIncrease.all(
        of: subscriptions, in: lastYear...max(lastYear, CivilDay.allowed.upperBound)),
      suggestions: Suggestion.all(for: subscriptions, today: today), lifetime: lifetime, lifetimeTotal: total.rounded,
      exposure: CurrencyExposure.all(of: subscriptions, today: today, rates: rates))
  }
}
