import DaybookProtocol

extension Subscription {
  /// The status on a day. Cancelled wins over paused, and paused over a trial, which begins with the start. A
  /// subscription with a last charge is over the day after it; one whose end is not after its start always was.
  package func status(on day: CivilDay) -> SubscriptionStatus {
    if let end, day >= end || end <= start { return .cancelled }
    if let lastDay, day > lastDay { return .cancelled }
    if let pauses, pauses.contains(where: { $0.contains(day) }) { return .paused }
    if let trialEnd, day < trialEnd, day >= start { return .trial }
    return .active
  }

  /// Whether it has a regular cost on a day: begun, and neither free, paused nor over.
  package func isCharged(on day: CivilDay) -> Bool { day >= start && status(on: day) == .active }

  /// The first day that can have a charge: after the start and the trial.
  var firstChargedDay: CivilDay { trialEnd.map { max($0, start) } ?? start }

  /// The schedule of the present cycle.
  var schedule: Schedule {
    let schedule = Schedule(anchor: anchor, cycle: cycle)
    guard cycle.times != nil else { return schedule }
    return schedule.counted(from: max(firstChargedDay, formerTerms?.last?.until ?? firstChargedDay))
  }

  /// The schedule that holds on a day.
  package func term(on day: CivilDay) -> Schedule {
    guard let formerTerms, let place = formerTerms.holding(on: day) else { return schedule }
    return formerTerms.schedule(at: place, chargedFrom: firstChargedDay)
  }

  /// The user's part of a year at the price, cycle and share of a day; 0 for a cycle charged once. (Decisions,
  /// Subscriptions.)
  package func yearlyCost(on day: CivilDay) -> (amount: ExactAmount, currency: Currency) {
    yearlyCost(on: day, share(on: day))
  }

  /// The same with another share.
  func yearlyCost(on day: CivilDay, _ share: PayerShare) -> (amount: ExactAmount, currency: Currency) {
    let price = price(on: day)
    var cycle = cycle
    if let formerTerms, let place = formerTerms.holding(on: day) { cycle = formerTerms[place].cycle }
    // A cycle whose charges are over costs nothing until the next one begins.
    let isOver = cycle.times != nil && term(on: day).last.map { $0 < day } ?? false
    let factor = isOver ? (numerator: 0, denominator: 1) : cycle.timesAYear
    let amount = share.of(price.amount).multiplied(by: Int128(factor.numerator), over: Int128(factor.denominator))
    return (amount, price.currency)
  }

  package func monthlyCost(on day: CivilDay) -> (amount: ExactAmount, currency: Currency) {
    let (amount, currency) = yearlyCost(on: day)
    return (amount.multiplied(by: 1, over: 12), currency)
  }
}
