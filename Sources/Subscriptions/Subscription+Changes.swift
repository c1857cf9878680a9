import CivilTime
import Values

/// What can be done with a subscription; each gives a new one and keeps what was.
extension Subscription {
  /// With another price from a day on; charges before it keep theirs.
  package func changingPrice(to price: Money, from day: CivilDay) -> Subscription {
    var changed = self
    changed.prices = prices.changing(to: price, from: day)
    return changed
  }

  /// With another cycle from a day on, counted from `anchor`; charges before that day stay where they were. A term that had no
  /// day of its own is not kept.
  package func changingCycle(to cycle: Cycle, anchor: CivilDay, from day: CivilDay) -> Subscription {
    var changed = self
    let last = term(on: day.advanced(by: -1))
    changed.formerTerms.removeAll { $0.until >= day }
    if day > start {
      changed.formerTerms.append(FormerTerm(cycle: last.cycle, anchor: last.anchor, until: day))
    }
    changed.cycle = cycle
    changed.anchor = anchor
    return changed
  }

  /// Interrupted from a day on, until it is resumed; pauses that would begin later are given up. The same when it already is.
  package func pausing(from day: CivilDay) -> Subscription {
    guard !isPaused(on: day) || pauses.last?.until != nil else { return self }
    var changed = self
    changed.pauses.removeAll { $0.from >= day }
    if let last = changed.pauses.last, last.contains(day) {
      changed.pauses[changed.pauses.count - 1].until = nil
    } else {
      changed.pauses.append(Pause(from: day))
    }
    return changed
  }

  /// Charged again from a day on; what was to be interrupted after it is given up.
  package func resuming(on day: CivilDay) -> Subscription {
    var changed = self
    changed.pauses.removeAll { $0.from >= day }
    if let last = changed.pauses.last, last.contains(day) { changed.pauses[changed.pauses.count - 1].until = day }
    return changed
  }

  /// Over from a day on; nil takes a cancellation back.
  package func cancelled(from day: CivilDay?) -> Subscription {
    var changed = self
    changed.end = day
    return changed
  }

  /// With a mark on one day of the cycle in place of the one it had; a mark that says nothing is not kept.
  package func marking(_ mark: ChargeMark) -> Subscription {
    var changed = self
    changed.marks.removeAll { $0.occurrence == mark.occurrence }
    guard mark.kind != .kept || mark.payment != nil else { return changed }
    let place = changed.marks.firstIndex { $0.occurrence > mark.occurrence } ?? changed.marks.endIndex
    changed.marks.insert(mark, at: place)
    return changed
  }
}
