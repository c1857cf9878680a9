import CivilTime
import DaybookProtocol
import Values

/// How many months a trend has.
package enum TrendLength: Int, CaseIterable, Sendable {
  case sixMonths = 6
  case year = 12
  case twoYears = 24
}

extension InsightsGetResult {
  /// The insights of a day. They do not depend on the order of the subscriptions: of equal ones, those that started first come first.
  /// Money is one's own part, and currencies stay apart; totals are told in `currency` too, where rates are given.
  /// Linear in the charges since each start.
  package init(
    _ book: SubscriptionBook, today: CivilDay, trend length: TrendLength = .sixMonths, rates: RateTable? = nil,
    currency: Currency? = nil
  ) {
    let subscriptions = book.subscriptions.sorted { $0.start != $1.start ? $0.start < $1.start : $0.id < $1.id }
    let trend = ChargeCalendar.months(length.rawValue, endingWith: today, of: subscriptions, upTo: today)
    let full = trend.dropLast().suffix(2)
    var total = CurrencyTotals()
    let lifetime = subscriptions.map { SubscriptionSpend($0, today: today, addingTo: &total) }
    let lastYear = today.advanced(back: CalendarSpan(1, .year)).advanced(by: 1)
    self.init(
      day: today, categories: CategoryCost.all(of: subscriptions, today: today),
      mostExpensive: RankedSubscription.mostExpensive(of: subscriptions, today: today),
      trend: trend.map { MonthCosts($0) }, monthOverMonth: MonthComparison(full, today: today),
      priceIncreases: PriceIncrease.all(
        of: subscriptions, in: lastYear...max(lastYear, CivilDay.allowed.upperBound)),
      suggestions: Suggestion.all(for: subscriptions, today: today), lifetime: lifetime, lifetimeTotal: total.rounded,
      members: MemberCost.all(of: subscriptions, today: today),
      replaced: Replacement.all(of: subscriptions, today: today),
      exposure: CurrencyExposure.all(of: subscriptions, today: today, rates: rates),
      converted: rates.flatMap { rates in
        currency.map { ConvertedInsights(subscriptions, today: today, trend: trend, rates: rates, currency: $0) }
      }, revision: book.revision)
  }
}

extension ConvertedInsights {
  /// Costs of several currencies told in one, by a table of rates and not those of the time. A part is not the whole: what has
  /// a currency without a rate is not told, nor what is too large to be told.
  init(_ subscriptions: [Subscription], today: CivilDay, trend: [ChargeSum], rates: RateTable, currency: Currency) {
    let months = trend.map { rates.total($0.totals, in: currency) }
    let costs = rates.total(RunRates(subscriptions, today: today).monthly, in: currency)
    self.init(
      currency: currency.code, date: rates.date, missing: Set(months.flatMap(\.missing) + costs.missing).sorted(),
      categories: costs.amount == nil
        ? nil : CategoryCost.converted(of: subscriptions, today: today, rates: rates, currency: currency),
      trend: zip(trend, months).map { ConvertedMonth(month: $0.day, total: $1.amount) })
  }
}

extension MonthComparison {
  /// From the month before the last full one to the last full one, ascending by currency.
  init(_ full: ArraySlice<ChargeSum>, today: CivilDay) {
    guard full.count == 2, let before = full.first, let after = full.last else {
      self.init(before: full.first?.day ?? today, after: full.last?.day ?? today, changes: [])
      return
    }
    let changes = Set(before.totals.currencies + after.totals.currencies).sorted().map { currency in
      let (old, new) = (before.totals[currency], after.totals[currency])
      return MonthChange(
        before: Money(rounding: old, currency), after: Money(rounding: new, currency),
        difference: Money(rounding: new - old, currency), percentage: Percentage.change(from: old, to: new))
    }
    self.init(before: before.day, after: after.day, changes: changes)
  }
}

/// Changes in percent.
enum Percentage {
  /// How much more the later is in percent of the earlier, rounded half away from zero to one digit after the point; nil when
  /// the earlier is nothing.
  static func change(from old: ExactAmount, to new: ExactAmount) -> Decimal? {
    guard ExactAmount.zero < old else { return nil }
    // (new − old) × 1000 / old, in tenths of a percent.
    let change = (new - old).multiplied(by: Int128(old.denominator) * 1000, over: old.numerator)
    return Decimal(significand: Int64(clamping: change.units(of: 1)), scale: 1)
  }
}
