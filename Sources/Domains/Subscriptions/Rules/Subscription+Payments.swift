import CivilTime
import DaybookProtocol

extension Subscription {
  /// The first day from `day` on that lies behind every charge that was marked as paid, of those before `limit` where there is
  /// one: from it on nothing that was paid is taken away.
  package func dayKeepingPayments(_ day: CivilDay, before limit: CivilDay? = nil) -> CivilDay {
    let paid = paidCharges.map(\.day).filter { day in limit.map { day < $0 } ?? true }
    return paid.max().map { max(day, $0.advanced(by: 1)) } ?? day
  }

  /// The day from which another cycle holds when none is named: the next day of the cycle that brings a charge still to be paid,
  /// or the day that one comes on where it was shifted forward, so that it is the first of the new cycle; today at the earliest
  /// and behind every day of the cycle whose charge was marked as paid. When there is none the first day of which that is true.
  package func nextCycleDay(today: CivilDay) -> CivilDay {
    let first = paidCharges.map { $0.occurrence.advanced(by: 1) }.max().map { max(today, $0) } ?? today
    let next = ChargePlan(self).firstCharge(onOrAfter: first) { !$0.isPaid && $0.occurrence >= first }
    return next.map { min($0.occurrence, $0.day) } ?? first
  }

  /// The same with what was paid in every mark of a payment, to be compared.
  package var payingPrices: Subscription {
    let plan = ChargePlan(self)
    var paying = self
    paying.marks = marks?.map { mark in
      mark.paidOn == nil ? mark : plan.charge(of: mark.occurrence).map { mark.paying($0.price) } ?? mark
    }
    return paying
  }

  /// The price of the charge of a day of the cycle, with nothing paid for it.
  package func unpaid(_ occurrence: CivilDay) -> Price? {
    guard var mark = markList.mark(on: occurrence) else { return charge(of: occurrence)?.price }
    (mark.paidOn, mark.paidAmount, mark.paidCurrency) = (nil, nil, nil)
    return marking(mark).charge(of: occurrence)?.price
  }

  /// The charges that were marked as paid, ascending by their days of the cycle.
  var paidCharges: [PlannedCharge] {
    let plan = ChargePlan(self)
    return markList.compactMap { $0.paidOn == nil ? nil : plan.charge(of: $0.occurrence) }
  }

  /// The charges marked as paid that would come had it no end, and do not.
  var paymentsLeftOut: [PlannedCharge] {
    guard let end else { return [] }
    return cancelled(from: nil).paidCharges.filter { $0.day >= end }
  }

  /// The same with what was paid before an edit as it was: a payment that would have another price or currency by it keeps the
  /// one it had, unless the edit says what was paid.
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

  /// The same with the amounts kept of payments that `old` has too, where it says none: a client that does not know of them sends
  /// marks without.
  package func rememberingPayments(of old: Subscription) -> Subscription {
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

  /// The charges that were there before an edit and have to stay, and do not: those marked as paid, as long as they still are;
  /// and those that were shifted to a day before another cycle.
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

  /// Whether both are charged on the same days and in the same currency, but for what was said of single charges.
  private func isCharged(as other: Subscription) -> Bool {
    prices == other.prices && cycle == other.cycle && anchor == other.anchor && start == other.start
      && trialEnd == other.trialEnd && end == other.end && pauses == other.pauses && formerTerms == other.formerTerms
  }
}
