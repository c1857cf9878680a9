import DaybookProtocol

extension Budget {
  /// What the rules refuse about it; nil when nothing.
  package var ruleProblem: Refusal? {
    guard Currency(currency) != nil else {
      return Refusal(
        "/currency", .form, "this is not a currency code", allowed: "three capital letters of ISO 4217, such as EUR")
    }
    var problems = RefusalList()
    problems.check(SubscriptionRules.refusal(ofAmount: amount, mayBeZero: false, pointer: "/amount", exception: ""))
    problems.day(anchor, "/anchor")
    return problems.found.first
  }

  /// The amount that may be spent in a period.
  package var limit: Price { Price(amount, Currency(currency) ?? .undefined) }

  /// The first days of its periods, counted from the anchor. Nil for a period of a later version or an invalid
  /// currency: such a budget is skipped.
  private var schedule: Schedule? {
    guard Currency(currency) != nil else { return nil }
    switch period {
    case .weekly: return Schedule(anchor: anchor, cycle: .weekly)
    case .fortnightly: return Schedule(anchor: anchor, cycle: .every(2, .week))
    case .monthly: return Schedule(anchor: anchor, cycle: .monthly)
    case .unknown: return nil
    }
  }

  /// The period that contains a day; nil when the period is not understood.
  package func days(around day: CivilDay) -> ClosedRange<CivilDay>? {
    guard let schedule else { return nil }
    let first = schedule.last(onOrBefore: day) ?? min(day, CivilDay.allowed.lowerBound)
    let next = schedule.first(onOrAfter: max(day, first).advanced(by: 1))
    let last = next.map { $0.advanced(by: -1) } ?? max(day, CivilDay.allowed.upperBound)
    return first...max(first, last)
  }
}

/// A budget's sums over one period.
package struct BudgetSum {
  package let days: ClosedRange<CivilDay>
  /// Charges up to today, and later ones that are already paid.
  package private(set) var spent = ExactAmount.zero
  /// Charges still to be paid.
  package private(set) var committed = ExactAmount.zero
  /// The charge that exceeds the limit.
  package private(set) var crossing: PlannedCharge?
  /// Currencies of charges that could not be converted, which no sum includes.
  package private(set) var uncounted: Set<Currency> = []

  /// Sums a period. Charges in other currencies are converted by `rates`, if any.
  package init(
    _ limit: Price, _ subscriptions: [Subscription], days: ClosedRange<CivilDay>, today: CivilDay, rates: RateTable?
  ) {
    self.init(
      limit, ChargeCalendar.charges(of: subscriptions, in: days)[...], days: days, today: today, rates: rates)
  }

  /// Sums the charges of a period, ascending by day.
  init(
    _ limit: Price, _ charges: ArraySlice<PlannedCharge>, days: ClosedRange<CivilDay>, today: CivilDay,
    rates: RateTable?
  ) {
    self.days = days
    let most = ExactAmount(limit.amount)
    for charge in charges {
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

  var total: ExactAmount { spent + committed }
}

extension BudgetStatus {
  /// A budget in the period around a day (today by default) and in those after it, `periods` in all.
  package static func outlook(
    _ budget: Budget, _ book: SubscriptionBook, around day: CivilDay? = nil, today: CivilDay, periods: Int = 1,
    rates: RateTable? = nil
  ) -> [BudgetStatus] {
    var statuses: [BudgetStatus] = []
    var day = day ?? today
    for _ in 0..<periods where day <= CivilDay.allowed.upperBound {
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
    // At least four fifths, compared without a fraction.
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

  /// A part in percent of the whole, rounded down; at least 101 when over the limit.
  private static func percentage(_ part: ExactAmount, of whole: ExactAmount, isOver: Bool) -> Int {
    guard ExactAmount.zero < whole else { return isOver ? 101 : 0 }
    let hundreds = part.multiplied(by: Int128(whole.denominator) * 100, over: whole.numerator)
    var percentage = Int(clamping: hundreds.units(of: 1))
    // `units(of:)` rounded up.
    if hundreds < ExactAmount(numerator: Int128(percentage), denominator: 1) { percentage -= 1 }
    return isOver ? max(percentage, 101) : percentage
  }
}
