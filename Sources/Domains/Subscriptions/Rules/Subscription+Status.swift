import CivilTime
import DaybookProtocol
import Values

extension Subscription {
  /// What it is on a day. Cancelled wins over paused, paused over a trial; a trial that has not begun is none yet. What is
  /// charged once, or so many times, is over from the day after its last charge, and what ended before it began always was.
  package func status(on day: CivilDay) -> SubscriptionStatus {
    if let end, day >= end || end <= start { return .cancelled }
    if let lastDay, day > lastDay { return .cancelled }
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

  /// The first day on which it may be charged: when it has begun, and is no longer free.
  var firstChargedDay: CivilDay { trialEnd.map { max($0, start) } ?? start }

  /// The days of its present cycle.
  var schedule: Schedule {
    let schedule = Schedule(anchor: anchor, cycle: cycle)
    guard cycle.times != nil else { return schedule }
    return schedule.counted(from: max(firstChargedDay, formerTerms?.last?.until ?? firstChargedDay))
  }

  /// The cycle and anchor that hold on a day.
  package func term(on day: CivilDay) -> Schedule {
    guard let formerTerms, let place = formerTerms.holding(on: day) else { return schedule }
    return formerTerms.schedule(at: place, chargedFrom: firstChargedDay)
  }

  /// What it costs a year at the price, cycle and share of a day, one's own part of it; what was bought once costs nothing a
  /// year. (Decisions, Subscriptions; a month is a twelfth of it.)
  package func yearlyCost(on day: CivilDay) -> (amount: ExactAmount, currency: Currency) {
    yearlyCost(on: day, share(on: day))
  }

  /// The same, had one another share.
  func yearlyCost(on day: CivilDay, _ share: PayerShare) -> (amount: ExactAmount, currency: Currency) {
    let price = price(on: day)
    var cycle = cycle
    if let formerTerms, let place = formerTerms.holding(on: day) { cycle = formerTerms[place].cycle }
    // What came as often as it was to, and waits for another cycle, costs nothing meanwhile.
    let isOver = cycle.times != nil && term(on: day).last.map { $0 < day } ?? false
    let factor = isOver ? (numerator: 0, denominator: 1) : cycle.timesAYear
    let amount = share.of(price.amount).multiplied(by: Int128(factor.numerator), over: Int128(factor.denominator))
    return (amount, price.currency)
  }

  /// What it costs a month: a twelfth of the year.
  package func monthlyCost(on day: CivilDay) -> (amount: ExactAmount, currency: Currency) {
    let (amount, currency) = yearlyCost(on: day)
    return (amount.multiplied(by: 1, over: 12), currency)
  }
}
