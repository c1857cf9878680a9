import DaybookProtocol

/// The members of a subscription that decide about charges: small enough to copy quickly.
struct ChargePlan {
  private let id: EntityID
  private let prices: [SubscriptionPrice]
  private let schedule: Schedule
  /// The first day that can have a charge.
  private let first: CivilDay
  private let end: CivilDay?
  private let pauses: [SubscriptionPause]
  private let formerTerms: [FormerTerm]
  private let shares: [SubscriptionShare]
  private let marks: [ChargeMark]

  @inline(__always)
  init(_ subscription: Subscription) {
    id = subscription.id
    prices = subscription.prices
    schedule = subscription.schedule
    first = subscription.firstChargedDay
    end = subscription.end
    pauses = subscription.pauses ?? []
    formerTerms = subscription.formerTerms ?? []
    shares = subscription.shares ?? []
    marks = subscription.marks ?? []
  }

  /// Calls `body` with every charge in a range, ascending by day.
  @inline(__always)
  func visitCharges(in days: ClosedRange<CivilDay>, _ body: (PlannedCharge) -> Void) {
    guard marks.isEmpty else { return visitMarked(in: days, body) }
    var (price, share) = (priceCursor, shareCursor)
    visitOccurrences(in: days) { day in
      body(
        PlannedCharge(
          subscription: id, occurrence: day, day: day, price: price.value(on: day), share: share.value(on: day),
          isPaid: false))
    }
  }

  /// The first matching charge on or after a day.
  func firstCharge(onOrAfter day: CivilDay, where matches: (PlannedCharge) -> Bool) -> PlannedCharge? {
    var found: PlannedCharge?
    var from = max(day, CivilDay.allowed.lowerBound)
    while found == nil, let occurrence = firstOccurrence(onOrAfter: from) {
      found = regularCharge(on: occurrence).flatMap { matches($0) ? $0 : nil }
      from = occurrence.advanced(by: 1)
    }
    for mark in marks {
      guard let charge = shiftedCharge(mark), charge.day >= day, matches(charge) else { continue }
      if found.map({ PlannedCharge.precedes(charge, $0) }) ?? true { found = charge }
    }
    return found
  }

  /// The charge of an occurrence; nil when there is none or it was skipped.
  func charge(of occurrence: CivilDay) -> PlannedCharge? {
    if let mark = marks.mark(on: occurrence), mark.kind == .shifted { return shiftedCharge(mark) }
    return firstOccurrence(onOrAfter: occurrence) == occurrence ? regularCharge(on: occurrence) : nil
  }
}

extension ChargePlan {
  /// The part of a range from the start or the end of the trial to the end; nil when empty.
  private func chargedDays(within days: ClosedRange<CivilDay>) -> ClosedRange<CivilDay>? {
    let lower = max(days.lowerBound, first)
    let upper = end.map { min($0.advanced(by: -1), days.upperBound) } ?? days.upperBound
    return lower <= upper ? lower...upper : nil
  }

  /// Calls `body` with the occurrences in a range outside trials and pauses, ascending.
  @inline(__always)
  private func visitOccurrences(in days: ClosedRange<CivilDay>, _ body: (CivilDay) -> Void) {
    guard let days = chargedDays(within: days) else { return }
    var from = days.lowerBound
    for place in formerTerms.indices {
      let until = min(formerTerms[place].until.advanced(by: -1), days.upperBound)
      guard from <= until else { continue }
      visit(formerTerms.schedule(at: place, chargedFrom: first), in: from...until, body)
      from = until.advanced(by: 1)
    }
    guard from <= days.upperBound else { return }
    visit(schedule, in: from...days.upperBound, body)
  }

  @inline(__always)
  private func visit(_ schedule: Schedule, in days: ClosedRange<CivilDay>, _ body: (CivilDay) -> Void) {
    guard !pauses.isEmpty else { return schedule.visit(in: days, body) }
    schedule.visit(in: days) { day in
      for index in pauses.indices where pauses[index].contains(day) { return }
      body(day)
    }
  }

  /// The first occurrence on or after a day outside trials and pauses; nil when there is none up to 2200. O(terms +
  /// pauses), at any distance in time.
  private func firstOccurrence(onOrAfter day: CivilDay) -> CivilDay? {
    guard let days = chargedDays(within: max(day, CivilDay.allowed.lowerBound)...max(day, CivilDay.allowed.upperBound))
    else { return nil }
    var from = days.lowerBound
    while from <= days.upperBound {
      let former = formerTerms.holding(on: from)
      let found = schedule(former).first(onOrAfter: from)
      if let until = former.map({ formerTerms[$0].until }), found.map({ $0 >= until }) ?? true {
        from = until
        continue
      }
      guard let found, found <= days.upperBound else { return nil }
      guard let pause = pauses.first(where: { $0.contains(found) }) else { return found }
      guard let until = pause.until else { return nil }
      from = until
    }
    return nil
  }

  /// Visits a range where some charges are paid, skipped or shifted.
  private func visitMarked(in days: ClosedRange<CivilDay>, _ body: (PlannedCharge) -> Void) {
    var shifted: [PlannedCharge] = []
    for mark in marks {
      guard let charge = shiftedCharge(mark), days.contains(charge.day) else { continue }
      shifted.append(charge)
    }
    guard !shifted.isEmpty else { return visitRegular(in: days, body) }
    shifted.sort(by: PlannedCharge.precedes)
    var next = 0
    visitRegular(in: days) { charge in
      while next < shifted.count, PlannedCharge.precedes(shifted[next], charge) {
        body(shifted[next])
        next += 1
      }
      body(charge)
    }
    for charge in shifted[next...] { body(charge) }
  }

  /// Visits the unshifted charges of a range with their marks applied.
  private func visitRegular(in days: ClosedRange<CivilDay>, _ body: (PlannedCharge) -> Void) {
    var next = marks.place(onOrAfter: days.lowerBound)
    var (price, share) = (priceCursor, shareCursor)
    visitOccurrences(in: days) { occurrence in
      let (price, share) = (price.value(on: occurrence), share.value(on: occurrence))
      while next < marks.count, marks[next].occurrence < occurrence { next += 1 }
      let isMarked = next < marks.count && marks[next].occurrence == occurrence
      regularCharge(on: occurrence, price, share, isMarked ? marks[next] : nil).map(body)
    }
  }

  /// The charge of an occurrence outside trials and pauses; nil when it was skipped or shifted.
  private func regularCharge(on occurrence: CivilDay) -> PlannedCharge? {
    regularCharge(on: occurrence, price(on: occurrence), share(on: occurrence), marks.mark(on: occurrence))
  }

  private func regularCharge(
    on occurrence: CivilDay, _ usual: Price, _ share: PayerShare, _ mark: ChargeMark?
  ) -> PlannedCharge? {
    var price = usual
    if let mark {
      guard mark.kind == .kept else { return nil }
      mark.pay(&price)
    }
    return PlannedCharge(
      subscription: id, occurrence: occurrence, day: occurrence, price: price, share: share,
      isPaid: mark?.paidOn != nil)
  }

  /// A charge that was shifted to another day, with the price and share of that day; past the end of a former term,
  /// with those of the term's last day. The new day decides whether it comes: a charge shifted to before a pause or the
  /// end stays, one shifted into it is none. Nil for other marks, and for an occurrence that no longer exists.
  private func shiftedCharge(_ mark: ChargeMark) -> PlannedCharge? {
    guard mark.kind == .shifted, let day = mark.shiftedTo else { return nil }
    guard mark.occurrence >= first, day >= first, end.map({ day < $0 }) ?? true, CivilDay.allowed.contains(day),
      !pauses.contains(where: { $0.contains(day) })
    else { return nil }
    let former = formerTerms.holding(on: mark.occurrence)
    guard schedule(former).contains(mark.occurrence) else { return nil }
    let priced = formerTerms.pricedDay(of: mark.occurrence, on: day)
    var price = price(on: priced)
    mark.pay(&price)
    return PlannedCharge(
      subscription: id, occurrence: mark.occurrence, day: day, price: price, share: share(on: priced),
      isPaid: mark.paidOn != nil)
  }

  /// The schedule of a former term, or the present one.
  private func schedule(_ former: Int?) -> Schedule {
    former.map { formerTerms.schedule(at: $0, chargedFrom: first) } ?? schedule
  }

  private func price(on day: CivilDay) -> Price { prices.price(on: day) }

  private func share(on day: CivilDay) -> PayerShare { shares.share(on: day) }

  @inline(__always)
  private var priceCursor: DayCursor<SubscriptionPrice, Price> {
    DayCursor(prices, fallback: Price(.zero, .undefined)) { Price($0) }
  }

  @inline(__always)
  private var shareCursor: DayCursor<SubscriptionShare, PayerShare> {
    DayCursor(shares, fallback: .whole) { $0.share }
  }
}
