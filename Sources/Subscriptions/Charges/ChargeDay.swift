import CivilTime
import Values

/// What is charged on a day.
package struct ChargeDay: Sendable, Equatable {
  /// The day.
  package let day: CivilDay
  /// One's own part of the charges, by currency.
  package internal(set) var totals: CurrencyTotals
  /// How many charges there are.
  package internal(set) var count: Int
}

extension ChargeCalendar {
  /// The days of a range that have charges, ascending, with what they come to. Takes room for the days, and none for the charges.
  package static func days(of subscriptions: [Subscription], in days: ClosedRange<CivilDay>) -> [ChargeDay] {
    guard days.overlaps(CivilDay.allowed) else { return [] }
    let days = days.clamped(to: CivilDay.allowed)
    let first = days.lowerBound.daysSinceEpoch
    var sums = ChargeSums(count: days.dayCount)
    for index in subscriptions.indices {
      subscriptions[index].visitCharges(in: days) { sums.add($0, at: Int($0.day.daysSinceEpoch - first)) }
    }
    return sums.counts.indices.compactMap { place in
      sums.counts[place] == 0
        ? nil
        : ChargeDay(
          day: days.lowerBound.advanced(by: place), totals: sums.totals(at: place), count: sums.counts[place])
    }
  }

  /// One's own part of some charges, by currency.
  package static func totals(of charges: [Charge]) -> CurrencyTotals {
    var totals = CurrencyTotals()
    for charge in charges { totals.add(charge.cost, charge.price.currency) }
    return totals
  }

  /// Up to so many charges that come after a given one, in the order of `Charge.precedes`; `charges` is ascending by day. Only
  /// the days that are looked at are put in order.
  package static func page(of charges: [Charge], after last: Charge.Place?, limit: Int) -> ArraySlice<Charge> {
    var found: [Charge] = []
    var place = last.map { last in charges.partitioningIndex { $0.day >= last.day } } ?? 0
    while place < charges.endIndex, found.count < limit {
      let day = charges[place].day
      let end = charges[place...].firstIndex { $0.day != day } ?? charges.endIndex
      let group = charges[place..<end].sorted(by: Charge.precedes)
      found += last.map { last in group.filter { last.precedes($0) } } ?? group
      place = end
    }
    return found.prefix(limit)
  }
}

extension Charge {
  /// Where a charge stands among others: enough to go on behind it.
  package struct Place: Hashable, Sendable {
    /// The day it is charged on.
    package let day: CivilDay
    /// The day of the cycle.
    package let occurrence: CivilDay
    /// The subscription.
    package let subscription: EntityID

    package init(day: CivilDay, occurrence: CivilDay, subscription: EntityID) {
      self.day = day
      self.occurrence = occurrence
      self.subscription = subscription
    }

    /// Whether a charge comes after it.
    fileprivate func precedes(_ charge: Charge) -> Bool {
      if day != charge.day { return day < charge.day }
      if occurrence != charge.occurrence { return occurrence < charge.occurrence }
      return subscription < charge.subscription
    }
  }

  /// Where it stands.
  package var place: Place { Place(day: day, occurrence: occurrence, subscription: subscription) }
}

extension Array {
  /// The first index whose element suits, where all after it do too; the end when none does. O(log n).
  fileprivate func partitioningIndex(where suits: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if suits(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
