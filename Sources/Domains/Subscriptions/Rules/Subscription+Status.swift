import CivilTime
import DaybookProtocol
import Values

extension Subscription {
  /// What it is on a day. Cancelled wins over paused, paused over a trial; a trial that has not begun is none yet. A one-off is over from the day after its charge, and
  /// what ended before it began always was.
  package func status(on day: CivilDay) -> SubscriptionStatus {
    if let end, day >= end || end <= start { return .cancelled }
    if let onlyDay, day > onlyDay { return .cancelled }
    if isPaused(on: day) { return .paused }
    if let trialEnd, day < trialEnd, day >= start { return .trial }
    return .active
  }

  /// Whether it is interrupted on a day.
  package func isPaused(on day: CivilDay) -> Bool {
    pauses?.contains { $0.contains(day) } ?? false
  }

  /// Whether it costs something as a rule on a day: begun, and neither free, interrupted nor over.
  package func isCharged(on day: CivilDay) -> Bool { day >= start && status(on: day) == .active }

  /// The cycle and anchor that hold on a day.
  package func term(on day: CivilDay) -> Schedule {
    formerTerms?.holding(on: day)?.schedule ?? Schedule(anchor: anchor, cycle: cycle)
  }

  /// What it costs a year at the price, cycle and share of a day, one's own part of it; what was bought once costs nothing a
  /// year. (Decisions, Subscriptions; a month is a twelfth of it.)
  package func yearlyCost(on day: CivilDay) -> (amount: ExactAmount, currency: Currency) {
    yearlyCost(on: day, share(on: day))
  }

  /// The same, had one another share.
  func yearlyCost(on day: CivilDay, _ share: PayerShare) -> (amount: ExactAmount, currency: Currency) {
    let price = price(on: day)
    let factor = (formerTerms?.holding(on: day)?.cycle ?? cycle).timesAYear
    let amount = share.of(price.amount).multiplied(by: Int128(factor.numerator), over: Int128(factor.denominator))
    return (amount, price.currency)
  }

  /// What it costs a month: a twelfth of the year.
  package func monthlyCost(on day: CivilDay) -> (amount: ExactAmount, currency: Currency) {
    let (amount, currency) = yearlyCost(on: day)
    return (amount.multiplied(by: 1, over: 12), currency)
  }
}
