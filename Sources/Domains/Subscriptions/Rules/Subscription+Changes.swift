import DaybookProtocol

/// Changes of a subscription; each returns a new one and keeps history.
extension Subscription {
  /// With another price from a day on.
  package func changingPrice(
    to price: Money, least: Decimal? = nil, most: Decimal? = nil, from day: CivilDay
  ) -> Subscription {
    var changed = self
    let change = SubscriptionPrice(amount: price.amount, currency: price.currency, least: least, most: most)
    changed.prices = prices.changing(to: change, from: day)
    return changed
  }

  /// With another share from a day on.
  package func changingShare(to share: PayerShare, from day: CivilDay) -> Subscription {
    var changed = self
    changed.shareList = shareList.changing(to: SubscriptionShare(share), from: day)
    return changed
  }

  /// With another cycle from a day on, counted from `anchor`; earlier charges stay. Terms without a day of their own or
  /// with a later start are dropped, and with a term that has not begun on `today` (nil: with any) the price that
  /// begins on its first day. A charge shifted out of the new cycle's bounds returns to its occurrence, with its
  /// payment.
  package func changingCycle(
    to cycle: BillingCycle, anchor: CivilDay, from day: CivilDay, today: CivilDay? = nil
  ) -> Subscription {
    var changed = self
    let last = term(on: day.advanced(by: -1))
    let first = max(day, today?.advanced(by: 1) ?? day)
    var dropped = Set(formerTermList.lazy.map(\.until).filter { $0 >= first })
    // A term that stays the same is not dropped.
    let held = term(on: day)
    if held.anchor == anchor, held.cycle == cycle.tidied { dropped.remove(day) }
    changed.prices.removeAll { $0.from.map(dropped.contains) ?? false }
    changed.formerTermList.removeAll { $0.until >= day }
    if day > start {
      changed.formerTermList.append(FormerTerm(cycle: last.cycle, anchor: last.anchor, until: day))
    }
    changed.cycle = cycle
    changed.anchor = anchor
    changed.markList = changed.markList.enumerated().compactMap { place, mark in
      guard mark.occurrence >= day, changed.isShiftedTooFar(at: place) else { return mark }
      return mark.paidOn.map {
        ChargeMark(
          occurrence: mark.occurrence, kind: .kept, paidOn: $0, paidAmount: mark.paidAmount,
          paidCurrency: mark.paidCurrency)
      }
    }
    return changed
  }

  /// The default anchor of another cycle from a day on: the day itself; but where a short month has clamped it, such as
  /// 28 February for the 31st, the next unclamped day.
  package func anchor(of cycle: BillingCycle, from day: CivilDay) -> CivilDay {
    let former = term(on: day.advanced(by: -1))
    let wanted = former.anchor.components.day
    guard cycle.days == nil, cycle.weekday == nil, let count = cycle.count, let unit = cycle.unit,
      day == day.month.upperBound, day.components.day < wanted,
      former.contains(day)
    else { return day }
    // The months of a cycle repeat within twelve steps.
    for step in 1...12 {
      let month = day.advanced(by: CalendarSpan(step * count, unit)).month
      let anchor = month.lowerBound.advanced(by: wanted - 1)
      if month.contains(anchor), Schedule(anchor: anchor, cycle: cycle).contains(day) { return anchor }
    }
    return day
  }

  /// Paused from a day on. Without an end, until it is resumed: later pauses are dropped, and nothing changes when it
  /// is already paused without an end. With an end, which is the first day with charges again, pauses that it touches
  /// or overlaps are merged with it; an open one that it overlaps ends there. Unchanged unless the end is after the day.
  package func pausing(from day: CivilDay, until end: CivilDay? = nil) -> Subscription {
    var changed = self
    if let end {
      guard day < end else { return self }
      changed.pauseList = Subscription.merging(day, end, into: pauseList)
      return changed
    }
    if let last = pauseList.last, last.until == nil, last.contains(day) { return self }
    changed.pauseList.removeAll { $0.from >= day }
    if let last = changed.pauseList.last, last.contains(day) {
      changed.pauseList[changed.pauseList.count - 1].until = nil
    } else {
      changed.pauseList.append(SubscriptionPause(from: day))
    }
    return changed
  }

  private static func merging(
    _ from: CivilDay, _ until: CivilDay, into pauses: [SubscriptionPause]
  ) -> [SubscriptionPause] {
    var (first, end) = (from, until)
    var isOpen = false
    var others: [SubscriptionPause] = []
    for pause in pauses {
      guard pause.from <= end, pause.until.map({ $0 >= first }) ?? true else {
        others.append(pause)
        continue
      }
      first = min(first, pause.from)
      if let later = pause.until { end = max(end, later) } else { isOpen = pause.from >= end }
    }
    let place = others.firstIndex { $0.from > first } ?? others.endIndex
    others.insert(SubscriptionPause(from: first, until: isOpen ? nil : end), at: place)
    return others
  }

  /// Charged again from a day on: the pause on that day ends. Later pauses are dropped, but stay when the day is in the
  /// past.
  package func resuming(on day: CivilDay, today: CivilDay) -> Subscription {
    var changed = self
    if day >= today { changed.pauseList.removeAll { $0.from >= day } }
    changed.endPause(on: day)
    return changed
  }

  private mutating func endPause(on day: CivilDay) {
    guard let place = pauseList.firstIndex(where: { $0.contains(day) }) else { return }
    if pauseList[place].from == day { pauseList.remove(at: place) } else { pauseList[place].until = day }
  }

  /// Ended on a day; nil withdraws the cancellation.
  package func cancelled(from day: CivilDay?) -> Subscription {
    var changed = self
    changed.end = day
    return changed
  }

  /// Going on from a day on after a cancellation: the days between the end and that day become a pause. A day up to the
  /// end withdraws the cancellation. Unchanged when it was not cancelled.
  package func reactivating(on day: CivilDay) -> Subscription {
    guard let end else { return self }
    var changed = self
    changed.end = nil
    guard day > end else { return changed }
    changed = changed.pausing(from: end, until: day)
    changed.endPause(on: day)
    return changed
  }

  /// The end when it is cancelled at the end of the paid period: the start when it has not begun, the trial's end
  /// during the trial, else the day on which the next unpaid charge is due. Without one, today, or tomorrow when today
  /// has a charge. A charge that a weekend moves over today is of the running period, and stays.
  package func periodEnd(today: CivilDay) -> CivilDay {
    if today < start { return start }
    if let trialEnd, today < trialEnd { return trialEnd }
    let plan = ChargePlan(self)
    let next = plan.firstCharge(onOrAfter: today.advanced(by: 1)) { charge, due in !charge.isPaid && due > today }
    if let next { return plan.decidingDay(of: next) }
    return charges(in: today...today).isEmpty ? today : today.advanced(by: 1)
  }

  /// With another mark for one occurrence; a meaningless mark is removed.
  package func marking(_ mark: ChargeMark) -> Subscription {
    var changed = self
    changed.markList.removeAll { $0.occurrence == mark.occurrence }
    if mark.isMeaningful { changed.markList.insert(mark, at: changed.markList.index(onOrAfter: mark.occurrence)) }
    return changed
  }
}
