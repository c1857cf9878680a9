import DaybookProtocol

/// The members of a subscription that decide about charges: small enough to copy quickly.
struct ChargePlan {
  private let id: EntityID
  private let prices: [SubscriptionPrice]
  private let occurrences: Occurrences
  private let end: CivilDay?
  private let pauses: [SubscriptionPause]
  private let shares: [SubscriptionShare]
  private let marks: [ChargeMark]

  @inline(__always)
  init(_ subscription: Subscription) {
    id = subscription.id
    prices = subscription.prices
    occurrences = Occurrences(subscription)
    end = subscription.end
    pauses = subscription.pauses ?? []
    shares = subscription.shares ?? []
    marks = subscription.marks ?? []
  }

  /// Calls `body` with every charge in a range, ascending by day.
  @inline(__always)
  func visitCharges(in days: ClosedRange<CivilDay>, _ body: (PlannedCharge) -> Void) {
    guard marks.isEmpty else { return visitMarked(in: days, body) }
    var (price, share) = (priceCursor, shareCursor)
    visitOccurrences(in: days) { occurrence in
      let priced = pricedDay(of: occurrence)
      body(
        PlannedCharge(
          subscription: id, occurrence: occurrence.id, day: occurrence.day, price: price.value(on: priced),
          share: share.value(on: priced), isPaid: false))
    }
  }

  /// The first matching charge on or after a day.
  func firstCharge(onOrAfter day: CivilDay, where matches: (PlannedCharge) -> Bool) -> PlannedCharge? {
    firstCharge(onOrAfter: day) { charge, _ in matches(charge) }
  }

  /// The same, where the match may depend on the day that decides about the charge: the due day of its occurrence, or
  /// the day to which it was shifted.
  func firstCharge(
    onOrAfter day: CivilDay, where matches: (PlannedCharge, CivilDay) -> Bool
  ) -> PlannedCharge? {
    var found = occurrences.first(onOrAfter: max(day, CivilDay.allowed.lowerBound), before: end, skip: gap) {
      occurrence in
      regularCharge(of: occurrence).flatMap { matches($0, occurrence.due) ? $0 : nil }
    }?.value
    for mark in marks {
      guard let charge = shiftedCharge(mark), charge.day >= day, matches(charge, charge.day) else { continue }
      if found.map({ PlannedCharge.precedes(charge, $0) }) ?? true { found = charge }
    }
    return found
  }

  /// The charge of an occurrence; nil when there is none or it was skipped.
  func charge(of occurrence: CivilDay) -> PlannedCharge? {
    if let mark = marks.mark(on: occurrence), mark.kind == .shifted { return shiftedCharge(mark) }
    return occurrences.occurrence(occurrence).flatMap { found in
      end.map { found.due < $0 } ?? true && gap(found.due) == nil ? regularCharge(of: found) : nil
    }
  }

  /// The day on which the occurrence of a charge is due.
  func dueDay(of charge: PlannedCharge) -> CivilDay {
    occurrences.occurrence(charge.occurrence)?.due ?? charge.occurrence
  }

  /// The day that decides whether a charge comes: the due day of its occurrence, or the day to which it was shifted.
  func decidingDay(of charge: PlannedCharge) -> CivilDay {
    if let mark = marks.mark(on: charge.occurrence), mark.kind == .shifted { return charge.day }
    return dueDay(of: charge)
  }
}

extension ChargePlan {
  /// The pause in which an occurrence is due; nil for none.
  private func gap(_ due: CivilDay) -> Occurrences.Gap? {
    pauses.first { $0.contains(due) }.map { Occurrences.Gap(next: $0.until) }
  }

  /// Calls `body` with the occurrences in a range outside trials and pauses, ascending.
  @inline(__always)
  private func visitOccurrences(in days: ClosedRange<CivilDay>, _ body: (Occurrence) -> Void) {
    guard !pauses.isEmpty else { return occurrences.visit(in: days, before: end, body) }
    occurrences.visit(in: days, before: end) { occurrence in
      for index in pauses.indices where pauses[index].contains(occurrence.due) { return }
      body(occurrence)
    }
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
    var next = marks.index(onOrAfter: days.lowerBound)
    var (price, share) = (priceCursor, shareCursor)
    visitOccurrences(in: days) { occurrence in
      let (priced, id) = (pricedDay(of: occurrence), occurrence.id)
      let (price, share) = (price.value(on: priced), share.value(on: priced))
      // Ids may descend where terms meet.
      if next > 0, marks[next - 1].occurrence >= id { next = marks.index(onOrAfter: id) }
      while next < marks.count, marks[next].occurrence < id { next += 1 }
      let isMarked = next < marks.count && marks[next].occurrence == id
      regularCharge(of: occurrence, price, share, isMarked ? marks[next] : nil).map(body)
    }
  }

  /// The charge of an occurrence outside trials and pauses; nil when it was skipped or shifted.
  private func regularCharge(of occurrence: Occurrence) -> PlannedCharge? {
    let priced = pricedDay(of: occurrence)
    return regularCharge(of: occurrence, price(on: priced), share(on: priced), marks.mark(on: occurrence.id))
  }

  private func regularCharge(
    of occurrence: Occurrence, _ usual: Price, _ share: PayerShare, _ mark: ChargeMark?
  ) -> PlannedCharge? {
    var price = usual
    if let mark {
      guard mark.kind == .kept else { return nil }
      mark.pay(&price)
    }
    return PlannedCharge(
      subscription: id, occurrence: occurrence.id, day: occurrence.day, price: price, share: share,
      isPaid: mark?.paidOn != nil)
  }

  /// A charge that was shifted to another day, with the price and share of that day; past the end of a former term,
  /// with those of the term's last day. The new day decides whether it comes: a charge shifted to before a pause or the
  /// end stays, one shifted into it is none. Nil for other marks, and for an occurrence that no longer exists.
  private func shiftedCharge(_ mark: ChargeMark) -> PlannedCharge? {
    guard mark.kind == .shifted, let day = mark.shiftedTo else { return nil }
    guard day >= occurrences.first, end.map({ day < $0 }) ?? true, CivilDay.allowed.contains(day), gap(day) == nil,
      occurrences.occurrence(mark.occurrence) != nil
    else { return nil }
    let priced = occurrences.formerTerms.pricedDay(of: mark.occurrence, on: day)
    var price = price(on: priced)
    mark.pay(&price)
    return PlannedCharge(
      subscription: id, occurrence: mark.occurrence, day: day, price: price, share: share(on: priced),
      isPaid: mark.paidOn != nil)
  }

  @inline(__always)
  private func pricedDay(of occurrence: Occurrence) -> CivilDay {
    guard !occurrences.formerTerms.isEmpty else { return occurrence.day }
    return occurrences.formerTerms.pricedDay(of: occurrence.id, on: occurrence.day)
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
