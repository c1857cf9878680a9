import CivilTime
import DaybookProtocol
import Values

/// The charges of many subscriptions in time.
package enum ChargeCalendar {
  /// The charges of a range, ascending by day; those of one day in the order of the subscriptions. Linear in their number.
  package static func charges(of subscriptions: [Subscription], in days: ClosedRange<CivilDay>) -> [PlannedCharge] {
    guard days.overlaps(CivilDay.allowed) else { return [] }
    let days = days.clamped(to: CivilDay.allowed)
    guard days.dayCount > shortWindow else { return fewCharges(of: subscriptions, in: days) }
    // Counted first, so that each then goes to its place at once: days are few, and nothing is compared.
    let first = days.lowerBound.daysSinceEpoch
    var places = [Int](repeating: 0, count: days.dayCount + 1)
    return places.withUnsafeMutableBufferPointer { places in
      for index in subscriptions.indices {
        subscriptions[index].visitCharges(in: days) { places[Int($0.day.daysSinceEpoch - first) + 1] += 1 }
      }
      var count = 0
      for index in places.indices {
        count += places[index]
        places[index] = count
      }
      // Without room there is nothing of one's own to write to: the library notes the number in the empty array all threads share.
      guard count > 0 else { return [] }
      return [PlannedCharge](unsafeUninitializedCapacity: count) { buffer, initialized in
        for index in subscriptions.indices {
          subscriptions[index].visitCharges(in: days) { charge in
            let day = Int(charge.day.daysSinceEpoch - first)
            buffer.initializeElement(at: places[day], to: charge)
            places[day] += 1
          }
        }
        initialized = count
      }
    }
  }

  /// Up to so many days, sorting is cheaper than looking at each subscription twice.
  private static let shortWindow = 62

  /// The same for a short window.
  private static func fewCharges(of subscriptions: [Subscription], in days: ClosedRange<CivilDay>) -> [PlannedCharge] {
    var charges: [PlannedCharge] = []
    for index in subscriptions.indices {
      subscriptions[index].visitCharges(in: days) { charges.append($0) }
    }
    // The library's sort keeps the order of what is equal.
    charges.sort { $0.day.daysSinceEpoch < $1.day.daysSinceEpoch }
    return charges
  }

  /// The charges of so many days from today on: what repeats comes as often as it is charged.
  package static func upcoming(
    of subscriptions: [Subscription], today: CivilDay, days: Int = usualWindow
  ) -> [PlannedCharge] {
    let length = min(max(days, allowedWindow.lowerBound), allowedWindow.upperBound)
    return charges(of: subscriptions, in: today...today.advanced(by: length - 1))
  }

  /// How many days ahead are looked at when nothing is said.
  package static let usualWindow = 30
  /// How many days ahead may be looked at: ten years.
  package static let allowedWindow = 1...3653
}

extension ChargeCalendar {
  /// How many months may be asked for at once.
  package static let allowedMonths = 1...120

  /// The months in a row of which `last` is the last, the charges of each by their own price; up to a day, where one is given.
  package static func months(
    _ count: Int, endingWith last: CivilDay, of subscriptions: [Subscription], upTo limit: CivilDay? = nil
  ) -> [ChargeSum] {
    let count = min(max(count, allowedMonths.lowerBound), allowedMonths.upperBound)
    let first = last.month.lowerBound.advanced(back: CalendarSpan(count - 1, .month))
    return months(count, from: first, of: subscriptions, upTo: limit)
  }

  /// The months in a row of which the one of `first` is the first.
  package static func months(
    _ count: Int, from first: CivilDay, of subscriptions: [Subscription], upTo limit: CivilDay? = nil
  ) -> [ChargeSum] {
    months(count, from: first, of: subscriptions, upTo: limit, beside: nil).months
  }

  /// The same, and what is charged in a range that begins in the first month or later, found in one go.
  static func months(
    _ count: Int, from first: CivilDay, of subscriptions: [Subscription], upTo limit: CivilDay? = nil,
    beside range: ClosedRange<CivilDay>?
  ) -> (months: [ChargeSum], total: CurrencyTotals) {
    let starts = starts(ofMonths: min(max(count, allowedMonths.lowerBound), allowedMonths.upperBound), from: first)
    guard let start = starts.first, let last = starts.last?.month.upperBound else { return ([], CurrencyTotals()) }
    var sums = ChargeSums(count: starts.count)
    var total = ChargeSums(count: 1)
    let end = min(last, limit ?? last)
    let lastVisited = range.map { max(end, $0.upperBound) } ?? end
    // The first days of the months after each.
    let limits = starts.map { $0.month.upperBound }
    if start <= lastVisited {
      for index in subscriptions.indices {
        var month = 0
        subscriptions[index].visitCharges(in: start...lastVisited) { charge in
          if let range, range.contains(charge.day) { total.add(charge, at: 0) }
          guard charge.day <= end else { return }
          while limits[month] < charge.day { month += 1 }
          sums.add(charge, at: month)
        }
      }
    }
    return (starts.indices.map { sums.sum(at: $0, of: starts[$0]) }, total.sum(at: 0, of: start).totals)
  }

  /// The first days of so many months in a row; fewer where 2200 ends.
  private static func starts(ofMonths count: Int, from first: CivilDay) -> [CivilDay] {
    let first = max(first, CivilDay.allowed.lowerBound).month.lowerBound
    let schedule = Schedule(anchor: first, cycle: .monthly)
    return (0..<count).compactMap { schedule.day(at: $0) }
  }

  /// The days of a range that have charges, ascending, with what they come to. Takes room for the days, and none for the charges.
  package static func days(of subscriptions: [Subscription], in days: ClosedRange<CivilDay>) -> [ChargeSum] {
    guard days.overlaps(CivilDay.allowed) else { return [] }
    let days = days.clamped(to: CivilDay.allowed)
    let first = days.lowerBound.daysSinceEpoch
    var sums = ChargeSums(count: days.dayCount)
    for index in subscriptions.indices {
      subscriptions[index].visitCharges(in: days) { sums.add($0, at: Int($0.day.daysSinceEpoch - first)) }
    }
    return sums.counts.indices.compactMap { place in
      sums.counts[place] == 0 ? nil : sums.sum(at: place, of: days.lowerBound.advanced(by: place))
    }
  }

  /// One's own part of some charges, by currency.
  package static func totals(of charges: [PlannedCharge]) -> CurrencyTotals {
    var totals = CurrencyTotals()
    for charge in charges { totals.add(charge.cost, charge.price.currency) }
    return totals
  }

  /// Up to so many charges that come after a given one, in the order of their places; `charges` is ascending by day. Only
  /// the days that are looked at are put in order.
  package static func page(
    of charges: [PlannedCharge], after last: PlannedCharge.Place?, limit: Int
  ) -> ArraySlice<PlannedCharge> {
    var found: [PlannedCharge] = []
    var place = last.map { last in charges.partitioningIndex { $0.day >= last.day } } ?? 0
    while place < charges.endIndex, found.count < limit {
      let day = charges[place].day
      let end = charges[place...].firstIndex { $0.day != day } ?? charges.endIndex
      let group = charges[place..<end].sorted(by: PlannedCharge.precedes)
      found += last.map { last in group.filter { last < $0.place } } ?? group
      place = end
    }
    return found.prefix(limit)
  }
}
