import CivilTime
import DaybookProtocol
import Values

/// How a budget stands in one of its periods.
package struct BudgetSum {
  /// The period.
  package let days: ClosedRange<CivilDay>
  /// What was charged up to today, and what was paid ahead of its day.
  package private(set) var spent = ExactAmount.zero
  /// What is still to be paid in the period.
  package private(set) var committed = ExactAmount.zero
  /// The charge that brings it over the limit; nil when none does.
  package private(set) var crossing: PlannedCharge?
  /// Currencies of charges that could not be converted, and so are not counted.
  package private(set) var uncounted: Set<Currency> = []

  /// Adds up a period. Charges of another currency count by the rates, if there are any.
  package init(
    _ limit: Price, _ subscriptions: [Subscription], days: ClosedRange<CivilDay>, today: CivilDay, rates: RateTable?
  ) {
    self.days = days
    let most = ExactAmount(limit.amount)
    for charge in ChargeCalendar.charges(of: subscriptions, in: days) {
      let own = charge.price.currency
      guard
        let cost = own == limit.currency ? charge.cost : rates?.convert(charge.cost, from: own, to: limit.currency)
      else {
        uncounted.insert(own)
        continue
      }
      if charge.day <= today || charge.isPaid { spent += cost } else { committed += cost }
      if crossing == nil, most < total { crossing = charge }
    }
  }

  /// What is spoken for.
  package var total: ExactAmount { spent + committed }
}

extension BudgetStatus {
  /// How many periods are looked at at once.
  package static let allowedPeriods = 1...60

  /// A budget in the period that a day is in (today without one) and those after it, so many altogether: what was charged, and
  /// what will be. The warnings of a year ahead are those that are `near` or `over`.
  package static func outlook(
    _ budget: Budget, _ book: SubscriptionBook, around day: CivilDay? = nil, today: CivilDay, periods: Int = 1,
    rates: RateTable? = nil
  ) -> [BudgetStatus] {
    var statuses: [BudgetStatus] = []
    var day = day ?? today
    let count = min(max(periods, allowedPeriods.lowerBound), allowedPeriods.upperBound)
    for _ in 0..<count where day <= CivilDay.allowed.upperBound {
      guard let days = budget.days(around: day) else { break }
      let sum = BudgetSum(budget.limit, book.subscriptions, days: days, today: today, rates: rates)
      statuses.append(BudgetStatus(budget, sum, book, today: today))
      day = days.upperBound.advanced(by: 1)
    }
    return statuses
  }

  private init(_ budget: Budget, _ sum: BudgetSum, _ book: SubscriptionBook, today: CivilDay) {
    let limit = ExactAmount(budget.amount)
    let currency = budget.limit.currency
    // Four fifths, compared without a fraction.
    let isNear = !(sum.total.multiplied(by: 5) < limit.multiplied(by: 4))
    let standing: BudgetStanding = limit < sum.total ? .over : isNear ? .near : .within
    let (first, last) = (sum.days.lowerBound, sum.days.upperBound)
    let isFirst = first <= CivilDay.allowed.lowerBound
    self.init(
      budgetId: budget.id, name: budget.name, limit: Money(budget.limit), period: budget.period, from: first, to: last,
      spent: Money(rounding: sum.spent, currency), committed: Money(rounding: sum.committed, currency),
      remaining: Money(rounding: limit - sum.total, currency),
      percentage: BudgetStatus.percentage(sum.total, of: limit, isOver: standing == .over), standing: standing,
      crossing: sum.crossing.flatMap { book.charges([$0], today: today).first },
      uncounted: sum.uncounted.sorted().map(\.code),
      previous: isFirst ? nil : budget.days(around: first.advanced(by: -1))?.lowerBound,
      next: last < CivilDay.allowed.upperBound ? last.advanced(by: 1) : nil)
  }

  /// A part in whole percent, rounded down; above 100 when it is more than the whole.
  private static func percentage(_ part: ExactAmount, of whole: ExactAmount, isOver: Bool) -> Int {
    guard ExactAmount.zero < whole else { return isOver ? 101 : 0 }
    let hundreds = part.multiplied(by: Int128(whole.denominator) * 100, over: whole.numerator)
    var percentage = Int(clamping: hundreds.units(of: 1))
    // Rounded up: one too many.
    if hundreds < ExactAmount(numerator: Int128(percentage), denominator: 1) { percentage -= 1 }
    return isOver ? max(percentage, 101) : percentage
  }
}
