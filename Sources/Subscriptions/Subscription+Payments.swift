import CivilTime

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

  /// The charges that were marked as paid, ascending by their days of the cycle.
  var paidCharges: [Charge] { marks.compactMap { $0.payment == nil ? nil : charge(of: $0.occurrence) } }

  /// The charges marked as paid that would come had it no end, and do not.
  var paymentsLeftOut: [Charge] {
    guard let end else { return [] }
    return cancelled(from: nil).paidCharges.filter { $0.day >= end }
  }

  /// The charges that were there before an edit and have to stay, and do not: those marked as paid, as long as they still are,
  /// in the currency that the amount of the payment has; and those that were shifted to a day before another cycle.
  func chargesLost(since old: Subscription) -> [Charge] {
    guard charging != old.charging else { return [] }
    let isOtherCycle = (cycle, anchor) != (old.cycle, old.anchor) || formerTerms != old.formerTerms
    let first = formerTerms.last?.until ?? start
    let payments = Set(marks.lazy.filter { $0.payment != nil }.map(\.occurrence))
    return old.marks.compactMap { mark in
      guard let charge = old.charge(of: mark.occurrence) else { return nil }
      let new = self.charge(of: mark.occurrence)
      if charge.isPaid, payments.contains(mark.occurrence) {
        let isSame = mark.payment?.amount == nil || new?.price.currency == charge.price.currency
        if new == nil || !isSame { return charge }
      }
      let isBefore = isOtherCycle && mark.occurrence >= first && charge.day < first
      return isBefore && new?.day != charge.day ? charge : nil
    }
  }

  /// The same with nothing else than what says when it is charged, and in which currency.
  private var charging: Subscription {
    Subscription(
      id: id, name: "", price: prices.first, cycle: cycle, anchor: anchor, start: start, trialEnd: trialEnd, end: end,
      pauses: pauses, formerTerms: formerTerms, priceChanges: prices.changes)
  }
}
