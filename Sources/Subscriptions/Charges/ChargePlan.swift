import CivilTime
import Values

/// What decides about the charges of a subscription, and nothing else of it: small enough to be handed around quickly.
struct ChargePlan {
  private let id: EntityID
  private let prices: PriceHistory
  private let cycle: Cycle
  private let anchor: CivilDay
  private let start: CivilDay
  private let trialEnd: CivilDay?
  private let end: CivilDay?
  private let pauses: [Pause]
  private let formerTerms: [FormerTerm]
  private let share: PayerShare
  private let marks: [ChargeMark]

  @inline(__always)
  init(_ subscription: Subscription) {
    id = subscription.id
    prices = subscription.prices
    cycle = subscription.cycle
    anchor = subscription.anchor
    start = subscription.start
    trialEnd = subscription.trialEnd
    end = subscription.end
    pauses = subscription.pauses
    formerTerms = subscription.formerTerms
    share = subscription.share
    marks = subscription.marks
  }

  /// Calls `body` with every charge whose day is in a range, ascending by day.
  @inline(__always)
  func visitCharges(in days: ClosedRange<CivilDay>, _ body: (Charge) -> Void) {
    guard marks.isEmpty else { return visitMarked(in: days, body) }
    var price = PriceCursor(prices)
    visitOccurrences(in: days) { day in
      body(
        Charge(
          subscription: id, occurrence: day, day: day, price: price.price(on: day), share: share, isPaid: false))
    }
  }

  /// The first charge at or after a day that suits.
  func firstCharge(onOrAfter day: CivilDay, _ suits: (Charge) -> Bool) -> Charge? {
    var from = max(day, CivilDay.allowed.lowerBound)
    // A shifted charge comes from a day of the cycle within reach.
    let reach = reach
    while from <= CivilDay.allowed.upperBound, firstOccurrence(onOrAfter: from.advanced(by: -reach)) != nil {
      // Unless it is skipped, the first day of the cycle at or after `from` brings a charge within reach of it.
      let regular = firstOccurrence(onOrAfter: from) ?? from
      let until = regular.advanced(by: reach)
      var found: Charge?
      visitCharges(in: from...until) { if found == nil, suits($0) { found = $0 } }
      if let found { return found }
      from = until.advanced(by: 1)
    }
    return nil
  }
}

extension ChargePlan {
  /// The days of the cycle on which there may be charges: from the start or the end of the trial to the end; nil when there are
  /// none.
  private func chargedDays(within days: ClosedRange<CivilDay>) -> ClosedRange<CivilDay>? {
    let lower = max(days.lowerBound, trialEnd.map { max($0, start) } ?? start)
    let upper = end.map { min($0.advanced(by: -1), days.upperBound) } ?? days.upperBound
    return lower <= upper ? lower...upper : nil
  }

  /// Calls `body` with the days of the cycle that are in a range and not in a trial or a pause, ascending.
  @inline(__always)
  private func visitOccurrences(in days: ClosedRange<CivilDay>, _ body: (CivilDay) -> Void) {
    guard let days = chargedDays(within: days) else { return }
    var from = days.lowerBound
    for term in formerTerms {
      let until = min(term.until.advanced(by: -1), days.upperBound)
      guard from <= until else { continue }
      visit(Schedule(anchor: term.anchor, cycle: term.cycle), in: from...until, body)
      from = until.advanced(by: 1)
    }
    guard from <= days.upperBound else { return }
    visit(Schedule(anchor: anchor, cycle: cycle), in: from...days.upperBound, body)
  }

  @inline(__always)
  private func visit(_ schedule: Schedule, in days: ClosedRange<CivilDay>, _ body: (CivilDay) -> Void) {
    guard !pauses.isEmpty else { return schedule.visit(in: days, body) }
    schedule.visit(in: days) { day in
      for index in pauses.indices where pauses[index].contains(day) { return }
      body(day)
    }
  }

  /// The first day of the cycle at or after a day that is not in a trial or a pause; nil when there is none up to 2200. Takes a
  /// step for each term and each pause, and none for the time between.
  private func firstOccurrence(onOrAfter day: CivilDay) -> CivilDay? {
    guard let days = chargedDays(within: max(day, CivilDay.allowed.lowerBound)...max(day, CivilDay.allowed.upperBound))
    else { return nil }
    var from = days.lowerBound
    while from <= days.upperBound {
      let former = formerTerms.first { from < $0.until }
      let schedule = Schedule(anchor: former?.anchor ?? anchor, cycle: former?.cycle ?? cycle)
      let found = schedule.first(onOrAfter: from)
      if let former, found.map({ $0 >= former.until }) ?? true {
        from = former.until
        continue
      }
      guard let found, found <= days.upperBound else { return nil }
      guard let pause = pauses.first(where: { $0.contains(found) }) else { return found }
      guard let until = pause.until else { return nil }
      from = until
    }
    return nil
  }

  /// How many days a charge was shifted by, at most.
  private var reach: Int {
    var reach = 0
    for mark in marks {
      guard case .shifted(let day) = mark.kind else { continue }
      reach = max(reach, abs(Int(day.daysSinceEpoch) - Int(mark.occurrence.daysSinceEpoch)))
    }
    return reach
  }

  /// The charges of a range where some are paid, skipped or shifted.
  private func visitMarked(in days: ClosedRange<CivilDay>, _ body: (Charge) -> Void) {
    let reach = reach
    guard reach > 0 else { return visitMarkedInOrder(in: days, body) }
    var found: [Charge] = []
    visitMarkedInOrder(in: days.lowerBound.advanced(by: -reach)...days.upperBound.advanced(by: reach)) { charge in
      if days.contains(charge.day) { found.append(charge) }
    }
    for charge in found.sorted(by: Charge.precedes) { body(charge) }
  }

  /// The charges whose days of the cycle are in a range, with what their marks say.
  private func visitMarkedInOrder(in days: ClosedRange<CivilDay>, _ body: (Charge) -> Void) {
    var next = firstMark(onOrAfter: days.lowerBound)
    var price = PriceCursor(prices)
    visitOccurrences(in: days) { occurrence in
      let usual = price.price(on: occurrence)
      while next < marks.count, marks[next].occurrence < occurrence { next += 1 }
      guard next < marks.count, marks[next].occurrence == occurrence else {
        return body(
          Charge(
            subscription: id, occurrence: occurrence, day: occurrence, price: usual, share: share, isPaid: false))
      }
      let mark = marks[next]
      guard let day = mark.day else { return }
      var paid = day == occurrence ? usual : prices.price(on: day)
      if let amount = mark.payment?.amount { paid.amount = amount }
      body(
        Charge(
          subscription: id, occurrence: occurrence, day: day, price: paid, share: share, isPaid: mark.payment != nil))
    }
  }

  /// The place of the first mark at or after a day: marks are ascending.
  private func firstMark(onOrAfter day: CivilDay) -> Int {
    var (low, high) = (0, marks.count)
    while low < high {
      let middle = (low + high) / 2
      if marks[middle].occurrence < day { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The prices of ascending days, without looking each up.
private struct PriceCursor {
  private let changes: [PriceChange]
  private var next = 0
  private var current: Money
  /// The first day of the next price.
  private var limit = Int32.max

  @inline(__always)
  init(_ prices: PriceHistory) {
    changes = prices.changes
    current = prices.first
    limit = prices.changes.first?.from.daysSinceEpoch ?? .max
  }

  /// The price of a day that is not before the one asked for last.
  @inline(__always)
  mutating func price(on day: CivilDay) -> Money {
    while day.daysSinceEpoch >= limit, next < changes.count {
      current = changes[next].price
      next += 1
      limit = next < changes.count ? changes[next].from.daysSinceEpoch : .max
    }
    return current
  }
}
