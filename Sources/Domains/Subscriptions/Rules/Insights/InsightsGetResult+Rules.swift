import DaybookProtocol

package enum TrendLength: Int, CaseIterable, Sendable {
  case sixMonths = 6, year = 12, twoYears = 24
}

extension InsightsGetResult {
  /// The insights of a day, independent of the order of the subscriptions: equal ones are ordered by start. Money is
  /// the user's own part, by currency; totals also in `currency` where rates are given. Linear in the charges since
  /// each start.
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
  /// Costs converted to one currency at the rates of the table, not of their time. A total with a missing rate, or one
  /// too large, is left out.
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
  /// The change from the last full month but one to the last full month, ascending by currency.
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

enum Percentage {
  /// The change in percent of the earlier amount, rounded half away from zero to one decimal; nil when that is zero.
  static func change(from old: ExactAmount, to new: ExactAmount) -> Decimal? {
    guard ExactAmount.zero < old else { return nil }
    // (new − old) × 1000 / old, in tenths of a percent.
    let change = (new - old).multiplied(by: Int128(old.denominator) * 1000, over: old.numerator)
    return Decimal(significand: Int64(clamping: change.units(of: 1)), scale: 1)
  }
}

package enum LargestRemainder {
  /// Whole percentages of non-negative amounts by the largest remainder (Hare quota), ties to the first. They add up to
  /// 100, or are all 0 when the amounts are.
  package static func percentages(of amounts: [ExactAmount]) -> [Int] {
    let total = amounts.reduce(.zero, +)
    guard ExactAmount.zero < total else { return amounts.map { _ in 0 } }
    // The total's denominator is a common multiple unless it grew too large; then amounts are rounded to it.
    let units = amounts.map { max($0.units(of: total.denominator), 0) }
    let whole = units.reduce(Int128(0)) { $0.addingReportingOverflow($1).partialValue }
    guard whole > 0 else { return amounts.map { _ in 0 } }
    var percentages: [Int] = []
    var remainders: [Int128] = []
    for unit in units {
      let (product, overflow) = unit.multipliedReportingOverflow(by: 100)
      let (quotient, rest) =
        overflow ? (unit / max(whole / 100, 1), 0) : product.quotientAndRemainder(dividingBy: whole)
      percentages.append(Int(clamping: quotient))
      remainders.append(rest)
    }
    let missing = min(max(100 - percentages.reduce(0, +), 0), percentages.count)
    let order = remainders.indices.sorted { left, right in
      remainders[left] != remainders[right] ? remainders[left] > remainders[right] : left < right
    }
    for index in order.prefix(missing) { percentages[index] += 1 }
    return percentages
  }
}
