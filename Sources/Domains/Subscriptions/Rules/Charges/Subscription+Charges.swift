import DaybookProtocol

extension Subscription {
  /// Calls `body` with every charge that comes in a range, ascending by day. Skips trials, pauses, skipped charges and
  /// those due before the start or from the end on, all by the day before a weekend rule moves it, so that one due on
  /// the start may come before it; a shifted charge counts on its new day. O(1) to the first charge, then O(1) each.
  @inline(__always)
  package func visitCharges(in days: ClosedRange<CivilDay>, _ body: (PlannedCharge) -> Void) {
    ChargePlan(self).visitCharges(in: days, body)
  }

  /// The charges in a range, ascending by day.
  package func charges(in days: ClosedRange<CivilDay>) -> [PlannedCharge] {
    var charges: [PlannedCharge] = []
    visitCharges(in: days) { charges.append($0) }
    return charges
  }

  /// The day of the last charge of a subscription that is charged once or a fixed number of times; nil for others.
  package var lastDay: CivilDay? {
    // Most subscriptions are open-ended: avoid making a schedule for them.
    let end = cycle.kind == .once ? anchor : cycle.times == nil ? nil : schedule.last
    guard let last = end else { return nil }
    return markList.mark(on: last)?.day ?? last
  }

  /// The first charge on or after a day, paid or not.
  package func firstCharge(onOrAfter day: CivilDay) -> PlannedCharge? {
    ChargePlan(self).firstCharge(onOrAfter: day) { _ in true }
  }

  /// The next unpaid charge as of today; never one in the past. A charge due today stays until the day is over or it is
  /// paid. Nil when there is none up to 2200.
  package func nextCharge(today: CivilDay) -> PlannedCharge? {
    ChargePlan(self).firstCharge(onOrAfter: today) { !$0.isPaid }
  }

  /// The charge of an occurrence; nil when there is none or it was skipped.
  package func charge(of occurrence: CivilDay) -> PlannedCharge? { ChargePlan(self).charge(of: occurrence) }

  /// Whether an occurrence can be marked: it has a charge, or a skipped one.
  package func hasCharge(of occurrence: CivilDay) -> Bool {
    charge(of: occurrence) != nil || unmarked.charge(of: occurrence) != nil
  }

  /// The occurrences around a day, for a message.
  package func nearestCharges(to day: CivilDay) -> String {
    let next = unmarked.firstCharge(onOrAfter: day)?.occurrence
    // Far enough back for usual cycles.
    let before = unmarked.charges(in: day.advanced(by: -800)...day).last?.occurrence
    let days = [before, next].compactMap { $0.map { "\($0)" } }
    return days.isEmpty ? "nothing: it has no charges" : "a day such as \(days.joined(separator: " or "))"
  }

  package var unmarked: Subscription {
    var plan = self
    plan.marks = nil
    return plan
  }
}

extension SubscriptionState {
  package init(_ subscription: Subscription, day: CivilDay) {
    let (monthly, currency) = subscription.monthlyCost(on: day)
    let deadline = subscription.end == nil ? subscription.contract?.deadline(onOrAfter: day) : nil
    self.init(
      day: day, status: subscription.status(on: day), cycle: subscription.term(on: day).cycle,
      price: Money(subscription.price(on: day)),
      priceRange: subscription.priceRange(on: day),
      share: subscription.share(on: day).unlessWhole,
      monthly: Money(rounding: monthly, currency),
      next: subscription.nextCharge(today: day).flatMap { NextCharge($0, of: subscription, today: day) },
      chargesLeft: subscription.cycle.times.map { _ in
        subscription.schedule.count(
          in: max(day, CivilDay.allowed.lowerBound)...CivilDay.allowed.upperBound,
          dueFrom: subscription.firstChargedDay)
      },
      notice: deadline.map {
        NoticeDeadline(day: $0.day, inDays: max(Int($0.day.daysSinceEpoch) - Int(day.daysSinceEpoch), 0), end: $0.end)
      })
  }
}

extension PayerShare {
  /// The share; nil for the whole.
  package var unlessWhole: PayerShare? { self == .whole ? nil : self }
}

extension SubscriptionSpend {
  /// What was spent up to today, each charge at the price of its day or as paid, and the cost per day from the start to
  /// the end or today, both included. A subscription with a last charge ends with it.
  init(_ subscription: Subscription, today: CivilDay, addingTo total: inout CurrencyTotals) {
    var totals = CurrencyTotals()
    var count = 0
    if CivilDay.allowed.lowerBound <= today {
      subscription.visitCharges(in: CivilDay.allowed.lowerBound...today) { charge in
        totals.add(charge.cost, charge.price.currency)
        count += 1
      }
    }
    total.add(totals)
    let last = min(today, subscription.end?.advanced(by: -1) ?? today, subscription.lastDay ?? today)
    let days = subscription.start <= last ? (subscription.start...last).dayCount : 0
    self.init(
      subscriptionId: subscription.id, name: subscription.name, start: subscription.start, days: days, charges: count,
      totals: totals.rounded, costPerDay: days > 0 ? totals.multiplied(by: 1, over: Int64(days)).rounded : [])
  }
}
