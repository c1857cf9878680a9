import CivilTime
import Values

extension BudgetStatus {
  /// A budget in the present period: what was charged, and what will be. Charges of another currency count by the rates, if there
  /// are any.
  package static func make(
    _ budget: Budget, _ subscriptions: [Subscription], today: CivilDay, rates: RateTable? = nil
  ) -> BudgetStatus {
    make(budget, subscriptions, days: budget.days(around: today), today: today, rates: rates)
  }

  /// How many periods are looked at at once.
  package static let allowedPeriods = 1...60

  /// The same for the period that a day is in (the present one) and those after it, so many altogether: the warnings of a year
  /// ahead are those that are `near` or `over`.
  package static func outlook(
    _ budget: Budget, _ subscriptions: [Subscription], around day: CivilDay? = nil, today: CivilDay, periods: Int,
    rates: RateTable? = nil
  ) -> [BudgetStatus] {
    var statuses: [BudgetStatus] = []
    var day = day ?? today
    let count = min(max(periods, allowedPeriods.lowerBound), allowedPeriods.upperBound)
    for _ in 0..<count where day <= CivilDay.allowed.upperBound {
      let days = budget.days(around: day)
      statuses.append(make(budget, subscriptions, days: days, today: today, rates: rates))
      day = days.upperBound.advanced(by: 1)
    }
    return statuses
  }

  private static func make(
    _ budget: Budget, _ subscriptions: [Subscription], days: ClosedRange<CivilDay>, today: CivilDay, rates: RateTable?
  ) -> BudgetStatus {
    let limit = ExactAmount(budget.limit.amount)
    let currency = budget.limit.currency
    var (spent, committed) = (ExactAmount.zero, ExactAmount.zero)
    var crossing: Charge?
    var uncounted: Set<Currency> = []
    for charge in ChargeCalendar.charges(of: subscriptions, in: days) {
      let own = charge.price.currency
      guard let cost = own == currency ? charge.cost : rates?.convert(charge.cost, from: own, to: currency) else {
        uncounted.insert(own)
        continue
      }
      if charge.day <= today || charge.isPaid { spent += cost } else { committed += cost }
      if crossing == nil, limit < spent + committed { crossing = charge }
    }
    let total = spent + committed
    // Four fifths, compared without a fraction.
    let isNear = !(total.multiplied(by: 5) < limit.multiplied(by: 4))
    let standing: BudgetStanding = limit < total ? .over : isNear ? .near : .within
    return BudgetStatus(
      budget: budget.id, days: days, spent: Money(rounding: spent, currency),
      committed: Money(rounding: committed, currency), remaining: Money(rounding: limit - total, currency),
      percentage: percentage(total, of: limit, isOver: standing == .over), standing: standing, crossing: crossing,
      uncounted: uncounted.sorted())
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
