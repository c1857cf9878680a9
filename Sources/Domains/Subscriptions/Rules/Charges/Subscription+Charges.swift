import CivilTime
import DaybookProtocol
import Values

extension Subscription {
  /// Calls `body` with every charge whose day is in a range, ascending by day. What falls into a trial or a pause, before the
  /// start, on or after the end, or was skipped, is none; what was shifted falls on the day it comes on. O(1) to find the
  /// first, then for each.
  @inline(__always)
  package func visitCharges(in days: ClosedRange<CivilDay>, _ body: (PlannedCharge) -> Void) {
    ChargePlan(self).visitCharges(in: days, body)
  }

  /// The charges whose day is in a range, ascending by day.
  package func charges(in days: ClosedRange<CivilDay>) -> [PlannedCharge] {
    var charges: [PlannedCharge] = []
    visitCharges(in: days) { charges.append($0) }
    return charges
  }

  /// The day of the last charge of something that is over with it: what is charged once, or so many times; nil for the rest.
  package var lastDay: CivilDay? {
    // Most are never over with a charge: no schedule is made to learn that.
    let end = cycle.kind == .once ? anchor : cycle.times == nil ? nil : schedule.last
    guard let last = end else { return nil }
    return markList.mark(on: last)?.day ?? last
  }

  /// The first charge at or after a day, paid, skipped or neither.
  package func firstCharge(onOrAfter day: CivilDay) -> PlannedCharge? {
    ChargePlan(self).firstCharge(onOrAfter: day) { _ in true }
  }

  /// The next charge that is still to be paid, seen from today: never one of a day that is past. What is due today stays until
  /// the day is over, or until it is marked as paid. Nil when there is none up to 2200.
  package func nextCharge(today: CivilDay) -> PlannedCharge? {
    ChargePlan(self).firstCharge(onOrAfter: today) { !$0.isPaid }
  }

  /// The charge that a day of the cycle names; nil when there is none, or it was skipped.
  package func charge(of occurrence: CivilDay) -> PlannedCharge? { ChargePlan(self).charge(of: occurrence) }

  /// Whether something can be said about what a day of the cycle names: there is a charge, or it was skipped.
  package func hasCharge(of occurrence: CivilDay) -> Bool {
    charge(of: occurrence) != nil || unmarked.charge(of: occurrence) != nil
  }

  /// The days of its cycle around one, in words.
  package func nearestCharges(to day: CivilDay) -> String {
    let next = unmarked.firstCharge(onOrAfter: day)?.occurrence
    // Far enough back for the longest of usual cycles.
    let before = unmarked.charges(in: day.advanced(by: -800)...day).last?.occurrence
    let days = [before, next].compactMap { $0.map { "\($0)" } }
    return days.isEmpty ? "nothing: it has no charges" : "a day such as \(days.joined(separator: " or "))"
  }

  /// Without what was said of single charges.
  package var unmarked: Subscription {
    var plan = self
    plan.marks = nil
    return plan
  }
}

extension SubscriptionState {
  /// What a subscription is on a day.
  package init(_ subscription: Subscription, day: CivilDay) {
    let (monthly, currency) = subscription.monthlyCost(on: day)
    let deadline = subscription.end == nil ? subscription.contract?.deadline(onOrAfter: day) : nil
    self.init(
      day: day, status: subscription.status(on: day), cycle: subscription.term(on: day).cycle,
      price: Money(subscription.price(on: day)),
      priceRange: subscription.priceRange(on: day),
      share: subscription.share(on: day).orNil,
      monthly: Money(rounding: monthly, currency),
      next: subscription.nextCharge(today: day).flatMap { NextCharge($0, of: subscription, today: day) },
      chargesLeft: subscription.cycle.times.map { _ in
        subscription.schedule.count(in: max(day, subscription.firstChargedDay)...CivilDay.allowed.upperBound)
      },
      notice: deadline.map {
        NoticeDeadline(day: $0.day, inDays: max(Int($0.day.daysSinceEpoch) - Int(day.daysSinceEpoch), 0), end: $0.end)
      })
  }
}

extension PayerShare {
  /// The part; nil for all of it.
  package var orNil: PayerShare? { self == .whole ? nil : self }
}

extension SubscriptionSpend {
  /// What was spent on a subscription up to today, each charge at the price of its day or as it was paid; and what each day
  /// from its start to the end or today cost, both counted: nothing before it starts. What is charged once, or so many times,
  /// is over with its last charge.
  init(_ subscription: Subscription, today: CivilDay, addingTo total: inout CurrencyTotals) {
    var totals = CurrencyTotals()
    var count = 0
    if subscription.start <= today {
      subscription.visitCharges(in: subscription.start...today) { charge in
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
