import CivilTime
import DaybookProtocol
import Values

/// What can be done with a subscription; each gives a new one and keeps what was.
extension Subscription {
  /// With another price from a day on; charges before it keep theirs.
  package func changingPrice(
    to price: Money, least: Decimal? = nil, most: Decimal? = nil, from day: CivilDay
  ) -> Subscription {
    var changed = self
    let change = SubscriptionPrice(amount: price.amount, currency: price.currency, least: least, most: most)
    changed.prices = prices.changing(to: change, from: day)
    return changed
  }

  /// With another share from a day on; charges before it keep theirs.
  package func changingShare(to share: PayerShare, from day: CivilDay) -> Subscription {
    var changed = self
    changed.shareList = shareList.changing(to: SubscriptionShare(share), from: day)
    return changed
  }

  /// With another cycle from a day on, counted from `anchor`; charges before that day stay where they were. A term that had no
  /// day of its own is not kept, nor one that would begin later; with one that has not begun on `today` goes the price that begins
  /// on the same day, nil for any. What was shifted to where the new cycle has no room for it comes as the cycle says, paid if it was.
  package func changingCycle(
    to cycle: BillingCycle, anchor: CivilDay, from day: CivilDay, today: CivilDay? = nil
  ) -> Subscription {
    var changed = self
    let last = term(on: day.advanced(by: -1))
    let first = max(day, today?.advanced(by: 1) ?? day)
    var dropped = Set(formerTermList.lazy.map(\.until).filter { $0 >= first })
    // What is the same again is not given up.
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

  /// A day to count another cycle from that holds from a day on, where none is named: the day itself; but where that is what a
  /// short month leaves of the day counted from until then, such as 28 February of the 31st, the next one that is whole.
  package func anchor(of cycle: BillingCycle, from day: CivilDay) -> CivilDay {
    let former = term(on: day.advanced(by: -1))
    let wanted = former.anchor.components.day
    guard cycle.days == nil, cycle.weekday == nil, let count = cycle.count, let unit = cycle.unit,
      day == day.month.upperBound, day.components.day < wanted,
      former.contains(day)
    else { return day }
    // The months of a cycle repeat after a year of them.
    for step in 1...12 {
      let month = day.advanced(by: CalendarSpan(step * count, unit)).month
      let anchor = month.lowerBound.advanced(by: wanted - 1)
      if month.contains(anchor), Schedule(anchor: anchor, cycle: cycle).contains(day) { return anchor }
    }
    return day
  }

  /// Interrupted from a day on. Without an end it is until it is resumed: pauses that would begin later are given up, and it is
  /// the same when it already is. With one, the first day with charges again, pauses that it touches or overlaps become one with
  /// it, of which an open one it overlaps ends on that day; all others stay. The same unless the end is after the day.
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

  /// Charged again from a day on: the pause that holds on it ends. From today on, pauses that would begin later are given up;
  /// on a day before today they stay, as they have been or are planned.
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

  /// Over from a day on; nil takes a cancellation back.
  package func cancelled(from day: CivilDay?) -> Subscription {
    var changed = self
    changed.end = day
    return changed
  }

  /// Going on from a day on after it was cancelled: the days between its end and that day count as a pause. When the day is not
  /// after the end, the cancellation is taken back as if it had never been. The same when it was not cancelled.
  package func reactivating(on day: CivilDay) -> Subscription {
    guard let end else { return self }
    var changed = self
    changed.end = nil
    guard day > end else { return changed }
    changed = changed.pausing(from: end, until: day)
    changed.endPause(on: day)
    return changed
  }

  /// The first day on which it is over when it is left with the period that is paid for: the start when it has not begun, the
  /// trial's end during the trial, else the day of the next charge that is not paid in advance. When nothing comes
  /// any more the day itself, or the one after it where it has a charge.
  package func periodEnd(today: CivilDay) -> CivilDay {
    if today < start { return start }
    if let trialEnd, today < trialEnd { return trialEnd }
    if let next = nextCharge(today: today.advanced(by: 1)) { return next.day }
    return charges(in: today...today).isEmpty ? today : today.advanced(by: 1)
  }

  /// With a mark on one day of the cycle in place of the one it had; a mark that says nothing is not kept.
  package func marking(_ mark: ChargeMark) -> Subscription {
    var changed = self
    changed.markList.removeAll { $0.occurrence == mark.occurrence }
    if mark.isTelling { changed.markList.insert(mark, at: changed.markList.place(onOrAfter: mark.occurrence)) }
    return changed
  }
}
