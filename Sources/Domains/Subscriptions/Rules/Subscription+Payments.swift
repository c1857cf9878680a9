import DaybookProtocol

extension Subscription {
  /// The first day from `day` on that is after every paid charge, or after every one before `limit`.
  package func dayKeepingPayments(_ day: CivilDay, before limit: CivilDay? = nil) -> CivilDay {
    let plan = ChargePlan(self)
    let paid = paidCharges.map(plan.decidingDay).filter { day in limit.map { day < $0 } ?? true }
    return paid.max().map { max(day, $0.advanced(by: 1)) } ?? day
  }

  /// The default first day of another cycle: the day on which the next unpaid occurrence from today on and after all
  /// paid ones is due, or the day to which its charge was moved forward, so that it is the first of the new cycle.
  /// Without one, the first such day.
  package func nextCycleDay(today: CivilDay) -> CivilDay {
    let plan = ChargePlan(self)
    let paid = paidCharges.map { max($0.occurrence, plan.dueDay(of: $0)).advanced(by: 1) }.max()
    let first = paid.map { max(today, $0) } ?? today
    let next = plan.firstCharge(onOrAfter: first) { charge, _ in !charge.isPaid && plan.dueDay(of: charge) >= first }
    return next.map { min(plan.dueDay(of: $0), plan.decidingDay(of: $0)) } ?? first
  }

  /// The subscription with the paid amount in every payment mark, for comparison.
  package var withPaidAmounts: Subscription {
    let plan = ChargePlan(self)
    var paying = self
    paying.marks = marks?.map { mark in
      mark.paidOn == nil ? mark : plan.charge(of: mark.occurrence).map { mark.paying($0.price) } ?? mark
    }
    return paying
  }

  /// The price of an occurrence as if it were unpaid.
  package func unpaidPrice(of occurrence: CivilDay) -> Price? {
    guard var mark = markList.mark(on: occurrence) else { return charge(of: occurrence)?.price }
    (mark.paidOn, mark.paidAmount, mark.paidCurrency) = (nil, nil, nil)
    return marking(mark).charge(of: occurrence)?.price
  }

  /// Charges marked as paid, ascending by occurrence.
  var paidCharges: [PlannedCharge] {
    let plan = ChargePlan(self)
    return markList.compactMap { $0.paidOn == nil ? nil : plan.charge(of: $0.occurrence) }
  }

  /// Paid charges that the end removes.
  var paymentsPastEnd: [PlannedCharge] {
    guard let end else { return [] }
    let (going, plan) = (cancelled(from: nil), ChargePlan(self))
    return going.paidCharges.filter { plan.decidingDay(of: $0) >= end }
  }

  /// Fixes the paid amounts that an edit would change: a payment whose price or currency would change keeps the old
  /// one, unless the edit states what was paid.
  package func keepingPayments(since old: Subscription) -> Subscription {
    guard let marks, let oldMarks = old.marks else { return self }
    let (plan, oldPlan) = (ChargePlan(self), ChargePlan(old))
    var kept = self
    kept.marks = marks.map { mark in
      guard mark.paidOn != nil, mark.paidAmount == nil || mark.paidCurrency == nil,
        let before = oldMarks.mark(on: mark.occurrence), before.paidOn != nil,
        mark.paidAmount != nil || before.paidAmount == nil,
        let price = oldPlan.charge(of: mark.occurrence)?.price
      else { return mark }
      let paid = mark.paying(price)
      guard let new = plan.charge(of: mark.occurrence)?.price else { return paid }
      return new.amount == paid.paidAmount && new.currency.code == paid.paidCurrency ? mark : paid
    }
    return kept
  }

  /// Restores paid amounts of `old` where a mark has none: a client that does not know them sends marks without.
  package func restoringPaidAmounts(of old: Subscription) -> Subscription {
    var whole = self
    whole.marks = marks?.map { mark in
      guard mark.paidOn != nil, mark.paidAmount == nil, let before = old.marks?.mark(on: mark.occurrence),
        before.paidOn != nil
      else { return mark }
      var mark = mark
      (mark.paidAmount, mark.paidCurrency) = (before.paidAmount, before.paidCurrency)
      return mark
    }
    return whole
  }

  /// Charges that an edit removes and that have to stay: those still marked as paid, and those shifted to before a new
  /// cycle.
  func chargesLost(since old: Subscription) -> [PlannedCharge] {
    guard !isCharged(as: old) else { return [] }
    let isOtherCycle = cycle != old.cycle || anchor != old.anchor || formerTerms != old.formerTerms
    let first = formerTermList.last?.until ?? start
    let (plan, oldPlan) = (ChargePlan(self), ChargePlan(old))
    let payments = Set(markList.lazy.filter { $0.paidOn != nil }.map(\.occurrence))
    return old.markList.compactMap { mark in
      guard let charge = oldPlan.charge(of: mark.occurrence) else { return nil }
      let new = plan.charge(of: mark.occurrence)
      if new == nil, charge.isPaid, payments.contains(mark.occurrence) { return charge }
      let isBefore = isOtherCycle && mark.occurrence >= first && charge.day < first
      return isBefore && new?.day != charge.day ? charge : nil
    }
  }

  /// Whether both have the same charges and currencies, marks aside.
  private func isCharged(as other: Subscription) -> Bool {
    prices == other.prices && cycle == other.cycle && anchor == other.anchor && start == other.start
      && trialEnd == other.trialEnd && end == other.end && pauses == other.pauses && formerTerms == other.formerTerms
  }
}
