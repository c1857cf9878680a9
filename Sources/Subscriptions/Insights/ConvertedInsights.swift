import CivilTime
import Values

/// Costs of several currencies told in one, by a table of rates.
package struct ConvertedInsights: Sendable, Equatable {
  /// The currency they are told in.
  package let currency: Currency
  /// The day the rates are of.
  package let date: CivilDay
  /// The currencies without a rate, ascending: a part is not the whole, so what has one of these is not told.
  package let missing: [Currency]
  /// What each category costs, among all; nil when a rate is missing, or it is too large to be told.
  package let categories: [CategoryShare]?
  /// What each month of the trend cost, by the rates of this table and not of its own time; nil where one is missing
  /// or it is too large to be told.
  package let trend: [Money?]

  init(_ subscriptions: [Subscription], today: CivilDay, trend: [MonthCosts], rates: RateTable, currency: Currency) {
    let months = trend.map { rates.total($0.totals, in: currency) }
    let costs = rates.total(
      RunRates(subscriptions, today: today).yearly.multiplied(by: 1, over: 12), in: currency)
    self.currency = currency
    date = rates.date
    missing = Set(months.flatMap(\.missing) + costs.missing).sorted()
    categories =
      costs.amount == nil
      ? nil : CategoryShare.converted(of: subscriptions, today: today, rates: rates, currency: currency)
    self.trend = months.map(\.amount)
  }
}
