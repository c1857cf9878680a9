import CivilTime
import DaybookProtocol
import Subscriptions
import Values

extension DaybookProtocol.Money {
  /// The same to a client.
  init(_ money: Subscriptions.Money) { self.init(amount: money.amount, currency: money.currency.code) }
}

extension BillingCycle {
  /// The same to a client.
  init(_ cycle: Cycle) {
    switch cycle {
    case .every(let count, let unit):
      self.init(kind: .recurring, every: count, unit: DaybookProtocol.CycleUnit(unit))
    case .once: self.init(kind: .once)
    case .lifetime: self.init(kind: .lifetime)
    }
  }
}

extension DaybookProtocol.CycleUnit {
  /// The same to a client.
  init(_ unit: Subscriptions.CycleUnit) {
    self =
      switch unit {
      case .day: .day
      case .week: .week
      case .month: .month
      case .year: .year
      }
  }
}

extension DaybookProtocol.SubscriptionStatus {
  /// The same to a client.
  init(_ status: Subscriptions.SubscriptionStatus) {
    self =
      switch status {
      case .trial: .trial
      case .active: .active
      case .paused: .paused
      case .cancelled: .cancelled
      }
  }
}

extension DaybookProtocol.SubscriptionCategory {
  /// The same to a client.
  init(_ category: Subscriptions.SubscriptionCategory) {
    self = DaybookProtocol.SubscriptionCategory.known.first { $0.rawValue == category.rawValue } ?? .other
  }
}

extension [SubscriptionPrice] {
  /// The same to a client.
  init(_ prices: PriceHistory) {
    self =
      [SubscriptionPrice(amount: prices.first.amount, currency: prices.first.currency.code)]
      + prices.changes.map {
        SubscriptionPrice(from: $0.from, amount: $0.price.amount, currency: $0.price.currency.code)
      }
  }
}

extension DaybookProtocol.FormerTerm {
  /// The same to a client.
  init(_ term: Subscriptions.FormerTerm) {
    self.init(cycle: BillingCycle(term.cycle), anchor: term.anchor, until: term.until)
  }
}

extension DaybookProtocol.ChargeMark {
  /// The same to a client.
  init(_ mark: Subscriptions.ChargeMark) {
    self.init(
      occurrence: mark.occurrence, kind: .kept, paidOn: mark.payment?.day, paidAmount: mark.payment?.amount)
    switch mark.kind {
    case .kept: break
    case .skipped: kind = .skipped
    case .shifted(let day): (kind, shiftedTo) = (.shifted, day)
    }
  }
}

extension DaybookProtocol.Subscription {
  /// Takes over what the rules made of its prices, shares, cycles, pauses, end and marks; the rest stays as it is.
  mutating func take(_ plan: Subscriptions.Subscription) {
    prices = [SubscriptionPrice](plan.prices)
    shares = [SubscriptionShare](plan.shares)
    cycle = BillingCycle(plan.cycle)
    anchor = plan.anchor
    end = plan.end
    pauses = plan.pauses.map { SubscriptionPause(from: $0.from, until: $0.until) }
    formerTerms = plan.formerTerms.map { DaybookProtocol.FormerTerm($0) }
    marks = plan.marks.map { DaybookProtocol.ChargeMark($0) }
    tidy()
  }

  /// Leaves out lists that are empty and shares that are all of it, and says how many units a cycle has: one thing has one form.
  mutating func tidy() {
    if pauses?.isEmpty == true { pauses = nil }
    if formerTerms?.isEmpty == true { formerTerms = nil }
    if shares?.isEmpty == true || shares == [SubscriptionShare(.whole)] { shares = nil }
    if tags?.isEmpty == true { tags = nil }
    if marks?.isEmpty == true { marks = nil }
    cycle = cycle.tidied
    formerTerms = formerTerms?.map {
      DaybookProtocol.FormerTerm(cycle: $0.cycle.tidied, anchor: $0.anchor, until: $0.until)
    }
  }
}

extension [SubscriptionShare] {
  /// The same to a client.
  init(_ shares: ShareHistory) {
    self = [SubscriptionShare(shares.first)] + shares.changes.map { SubscriptionShare($0.value, from: $0.from) }
  }
}

extension SubscriptionShare {
  /// A share to a client, from a day on unless it is the first.
  init(_ share: Subscriptions.PayerShare, from: CivilDay? = nil) {
    self.init(from: from, numerator: Int(share.numerator), denominator: Int(share.denominator))
  }
}

extension BillingCycle {
  /// The same, saying how many units it has.
  fileprivate var tidied: BillingCycle {
    kind == .recurring ? BillingCycle(kind: kind, every: every ?? 1, unit: unit) : self
  }
}

extension SubscriptionState {
  /// What a subscription is on a day.
  init(_ plan: Subscriptions.Subscription, day: CivilDay) {
    let (monthly, currency) = plan.monthlyCost(on: day)
    self.init(
      day: day, status: DaybookProtocol.SubscriptionStatus(plan.status(on: day)),
      cycle: BillingCycle(plan.term(on: day).cycle),
      price: DaybookProtocol.Money(plan.prices.price(on: day)),
      share: DaybookProtocol.PayerShare(plan.shares.share(on: day)),
      monthly: DaybookProtocol.Money(Subscriptions.Money(rounding: monthly, currency)),
      next: plan.nextCharge(today: day).flatMap { NextCharge($0, today: day) },
      notice: plan.end == nil ? plan.contract?.deadline(onOrAfter: day).map { NoticeDeadline($0, today: day) } : nil)
  }
}

extension NextCharge {
  /// A charge that is still to come, seen from a day.
  init?(_ charge: Subscriptions.Charge, today: CivilDay) {
    guard let label = DueLabel(charge.day, today: today) else { return nil }
    self.init(
      occurrence: charge.occurrence, day: charge.day, inDays: label.days, label: "\(label)",
      price: DaybookProtocol.Money(charge.price),
      cost: DaybookProtocol.Money(Subscriptions.Money(rounding: charge.cost, charge.price.currency)))
  }
}

extension NoticeDeadline {
  fileprivate init(_ deadline: (day: CivilDay, end: CivilDay), today: CivilDay) {
    let days = Int(deadline.day.daysSinceEpoch) - Int(today.daysSinceEpoch)
    self.init(day: deadline.day, inDays: max(days, 0), end: deadline.end)
  }
}
