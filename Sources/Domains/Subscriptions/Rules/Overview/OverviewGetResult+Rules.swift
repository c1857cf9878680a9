import CivilTime
import DaybookProtocol
import Values

/// How an overview is asked for.
package struct OverviewRequest: Sendable {
  /// The day it is seen from.
  package var today: CivilDay
  /// How many days ahead charges are listed, 1…3,653, today counted.
  package var window = ChargeCalendar.usualWindow
  /// How many of these charges are told.
  package var limit = Int.max
  /// Rates, and the currency to tell totals in.
  package var conversion: (rates: RateTable, currency: Currency)?
  /// Whether what takes premium is computed.
  package var hasAccess: Bool

  package init(today: CivilDay, hasAccess: Bool) {
    self.today = today
    self.hasAccess = hasAccess
  }
}

extension OverviewGetResult {
  /// What subscriptions come to. Money is one's own part, by currency, and rounded here and nowhere before.
  /// O(n) in the subscriptions, and in the charges of a year.
  package init(_ book: SubscriptionBook, _ request: OverviewRequest) {
    let today = request.today
    let rates = RunRates(book.subscriptions, today: today)
    let upcoming = ChargeCalendar.upcoming(of: book.subscriptions, today: today, days: request.window)
    let convert = { (totals: CurrencyTotals) in
      request.conversion.map { $0.rates.total(totals, in: $0.currency) }
    }
    self.init(
      day: today, counts: rates.counts, monthly: rates.monthly.rounded, monthlyConverted: convert(rates.monthly),
      monthlyAfterTrials: rates.trials.multiplied(by: 1, over: 12).rounded,
      upcoming: book.charges(upcoming.prefix(request.limit), today: today), upcomingCount: upcoming.count,
      upcomingTotals: ChargeCalendar.totals(of: upcoming).rounded,
      showsUnlockHint: SubscriptionGates.showsUnlockHint(
        count: rates.counts.active + rates.counts.trial, hasAccess: request.hasAccess),
      gatedFields: request.hasAccess ? [] : SubscriptionGates.overviewFields, revision: book.revision)
    guard request.hasAccess else { return }
    // The charges of the year that begins today, by the calendar: a weekly one comes 52 or 53 times.
    let year = today...max(today, today.advanced(by: CalendarSpan(1, .year)).advanced(by: -1))
    let (months, projection) = ChargeCalendar.months(12, from: today, of: book.subscriptions, beside: year)
    yearly = rates.yearly.rounded
    yearlyConverted = convert(rates.yearly)
    self.projection = projection.rounded
    self.months = months.map { MonthCosts($0) }
    heaviest = MonthPeak.heaviest(of: months)
    savings = rates.cancelled.rounded
    costPerDay = rates.yearly.multiplied(by: 1, over: 365).rounded
  }
}

extension MonthPeak {
  /// The month that costs most of each currency, ascending by code; the first of equal ones.
  static func heaviest(of months: [ChargeSum]) -> [MonthPeak] {
    var peaks: [Currency: (month: CivilDay, amount: ExactAmount)] = [:]
    for month in months {
      for entry in month.totals.entries where peaks[entry.currency]?.amount ?? .zero < entry.amount {
        peaks[entry.currency] = (month.day, entry.amount)
      }
    }
    return peaks.sorted { $0.key < $1.key }
      .map { MonthPeak(month: $1.month, total: Money(rounding: $1.amount, $0)) }
  }
}
