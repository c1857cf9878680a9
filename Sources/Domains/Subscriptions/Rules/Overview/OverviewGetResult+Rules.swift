import DaybookProtocol

extension OverviewGetResult {
  /// Totals of the user's own part by currency, rounded once.
  ///
  /// O(n) in the subscriptions and in the charges of a year. `conversion` converts totals; at most `limit` charges of
  /// the next `window` days are listed.
  package init(
    _ book: SubscriptionBook, today: CivilDay, hasAccess: Bool,
    conversion: (rates: RateTable, currency: Currency)? = nil, window: Int = ChargeCalendar.defaultWindow,
    limit: Int = .max
  ) {
    let rates = RunRates(book.subscriptions, today: today)
    let upcoming = ChargeCalendar.upcoming(of: book.subscriptions, today: today, days: window)
    let convert = { (totals: CurrencyTotals) in
      conversion.map { $0.rates.total(totals, in: $0.currency) }
    }
    self.init(
      day: today, counts: rates.counts, monthly: rates.monthly.rounded, monthlyConverted: convert(rates.monthly),
      monthlyAfterTrials: rates.trials.multiplied(by: 1, over: 12).rounded,
      upcoming: book.charges(upcoming.prefix(limit), today: today), upcomingCount: upcoming.count,
      upcomingTotals: ChargeCalendar.totals(of: upcoming).rounded,
      showsUnlockHint: SubscriptionGates.showsUnlockHint(
        count: rates.counts.active + rates.counts.trial, hasAccess: hasAccess),
      gatedFields: hasAccess ? [] : SubscriptionGates.overviewFields, revision: book.revision)
    guard hasAccess else { return }
    // A calendar year from today: a weekly charge comes 52 or 53 times in it.
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
  /// The most expensive month by currency, ascending by code; the first of equal ones.
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

/// Yearly costs as of today, by status. Currencies without a yearly cost are left out, as a missing rate would block
/// the conversion of the others.
package struct RunRates: Sendable {
  /// Active subscriptions.
  package private(set) var yearly = CurrencyTotals()
  /// Trials, at the price after their end.
  package private(set) var trials = CurrencyTotals()
  /// Ended subscriptions, at the price of their last day.
  package private(set) var cancelled = CurrencyTotals()
  package private(set) var counts = StatusCounts(trial: 0, active: 0, paused: 0, cancelled: 0)

  var monthly: CurrencyTotals { yearly.multiplied(by: 1, over: 12) }

  package init(_ subscriptions: [Subscription], today: CivilDay) {
    for subscription in subscriptions {
      switch subscription.status(on: today) {
      case .trial:
        counts.trial += 1
        guard let trialEnd = subscription.trialEnd, subscription.status(on: trialEnd) == .active else { continue }
        RunRates.add(subscription, on: trialEnd, to: &trials)
      case .paused: counts.paused += 1
      case .cancelled:
        counts.cancelled += 1
        if let end = subscription.end { RunRates.add(subscription, on: end.advanced(by: -1), to: &cancelled) }
      default:
        counts.active += 1
        if subscription.start <= today { RunRates.add(subscription, on: today, to: &yearly) }
      }
    }
  }

  private static func add(_ subscription: Subscription, on day: CivilDay, to totals: inout CurrencyTotals) {
    let (amount, currency) = subscription.yearlyCost(on: day)
    if !amount.isZero { totals.add(amount, currency) }
  }
}
