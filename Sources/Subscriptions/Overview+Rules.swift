import CivilTime
import Values

extension Overview {
  /// The overview of some subscriptions. O(n) in them, and in the charges of a year.
  package static func make(_ subscriptions: [Subscription], _ request: OverviewRequest) -> Overview {
    let rates = RunRates(subscriptions, today: request.today)
    let monthly = rates.yearly.multiplied(by: 1, over: 12)
    let convert = { (totals: CurrencyTotals) in
      request.conversion.map { $0.rates.total(totals, in: $0.currency) }
    }
    return Overview(
      today: request.today, counts: rates.counts, monthly: monthly.rounded, monthlyConverted: convert(monthly),
      monthlyAfterTrials: rates.trials.multiplied(by: 1, over: 12).rounded,
      upcoming: ChargeCalendar.upcoming(of: subscriptions, today: request.today, days: request.window),
      showUnlockHint: SubscriptionGates.showsUnlockHint(
        count: rates.counts.active + rates.counts.trial, hasAccess: request.hasAccess),
      premium: request.hasAccess
        ? PremiumOverview.make(subscriptions, rates: rates, today: request.today, convert: convert) : nil,
      gatedFields: request.hasAccess ? [] : SubscriptionGates.overviewFields)
  }
}

extension PremiumOverview {
  static func make(
    _ subscriptions: [Subscription], rates: RunRates, today: CivilDay, convert: (CurrencyTotals) -> ConvertedTotal?
  ) -> PremiumOverview {
    let (months, projection) = ChargeCalendar.months(
      12, from: today, of: subscriptions, beside: year(from: today))
    return PremiumOverview(
      yearly: rates.yearly.rounded, yearlyConverted: convert(rates.yearly),
      projection: projection.rounded, months: months, heaviest: heaviest(of: months),
      savings: rates.cancelled.rounded, costPerDay: rates.yearly.multiplied(by: 1, over: 365).rounded)
  }

  /// The year that begins today.
  private static func year(from today: CivilDay) -> ClosedRange<CivilDay> {
    today...max(today, today.advanced(by: CalendarSpan(1, .year)).advanced(by: -1))
  }

  /// What is charged in the year that begins today, by the calendar: a weekly charge comes 52 or 53 times.
  package static func projection(of subscriptions: [Subscription], today: CivilDay) -> CurrencyTotals {
    ChargeCalendar.months(12, from: today, of: subscriptions, beside: year(from: today)).total
  }

  /// The month that costs most of each currency, ascending by code; the first of equal ones.
  package static func heaviest(of months: [MonthCosts]) -> [MonthPeak] {
    var peaks: [(currency: Currency, month: CivilDay, amount: ExactAmount)] = []
    for month in months {
      for entry in month.totals.entries where !entry.amount.isZero {
        if let index = peaks.firstIndex(where: { $0.currency == entry.currency }) {
          guard peaks[index].amount < entry.amount else { continue }
          peaks[index] = (entry.currency, month.month, entry.amount)
        } else {
          peaks.append((entry.currency, month.month, entry.amount))
        }
      }
    }
    return peaks.sorted { $0.currency < $1.currency }
      .map { MonthPeak(month: $0.month, total: Money(rounding: $0.amount, $0.currency)) }
  }
}

/// What subscriptions cost a year as they are today, by status. What costs nothing a year names no currency: without a rate it
/// would keep the rest from being converted.
package struct RunRates: Sendable {
  /// Of those that are active.
  package private(set) var yearly = CurrencyTotals()
  /// What those in a trial will cost, at the price of its end.
  package private(set) var trials = CurrencyTotals()
  /// Of those that are over, at the price of their last day.
  package private(set) var cancelled = CurrencyTotals()
  /// How many there are.
  package private(set) var counts = StatusCounts()

  package init(_ subscriptions: [Subscription], today: CivilDay) {
    for subscription in subscriptions {
      let status = subscription.status(on: today)
      counts.count(status)
      switch status {
      case .active where subscription.start <= today:
        let (amount, currency) = subscription.yearlyCost(on: today)
        if !amount.isZero { yearly.add(amount, currency) }
      case .trial:
        guard let trialEnd = subscription.trialEnd, subscription.status(on: trialEnd) == .active else { continue }
        let (amount, currency) = subscription.yearlyCost(on: trialEnd)
        if !amount.isZero { trials.add(amount, currency) }
      case .cancelled:
        guard let end = subscription.end else { continue }
        let (amount, currency) = subscription.yearlyCost(on: end.advanced(by: -1))
        if !amount.isZero { cancelled.add(amount, currency) }
      case .active, .paused: continue
      }
    }
  }
}
