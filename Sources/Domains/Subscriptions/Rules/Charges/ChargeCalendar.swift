import DaybookProtocol

/// The charges of several subscriptions by day.
package enum ChargeCalendar {
  /// The charges of a range, ascending by day; on one day in the order of the subscriptions. Linear in their number.
  package static func charges(of subscriptions: [Subscription], in days: ClosedRange<CivilDay>) -> [PlannedCharge] {
    guard days.overlaps(CivilDay.allowed) else { return [] }
    let days = days.clamped(to: CivilDay.allowed)
    guard days.dayCount > shortWindow else { return fewCharges(of: subscriptions, in: days) }
    // A counting sort: days are few, so each charge goes straight to its place.
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
      // An array without capacity must not be written to: the library would set the count of the empty array that all
      // threads share.
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

  /// Up to this many days, sorting is cheaper than visiting each subscription twice.
  private static let shortWindow = 62

  private static func fewCharges(of subscriptions: [Subscription], in days: ClosedRange<CivilDay>) -> [PlannedCharge] {
    var charges: [PlannedCharge] = []
    for index in subscriptions.indices {
      subscriptions[index].visitCharges(in: days) { charges.append($0) }
    }
    // `sort` is stable.
    charges.sort { $0.day.daysSinceEpoch < $1.day.daysSinceEpoch }
    return charges
  }

  /// The charges of `days` days from today on.
  package static func upcoming(
    of subscriptions: [Subscription], today: CivilDay, days: Int = defaultWindow
  ) -> [PlannedCharge] {
    charges(of: subscriptions, in: today...today.advanced(by: days - 1))
  }

  package static let defaultWindow = 30
  /// How many days ahead a request may look: ten years.
  package static let allowedWindow = 1...3653
}

extension ChargeCalendar {
  /// Sums of `count` consecutive months, the last of which contains `last`. Charges after `limit` are left out.
  package static func months(
    _ count: Int, endingWith last: CivilDay, of subscriptions: [Subscription], upTo limit: CivilDay? = nil
  ) -> [ChargeSum] {
    let first = last.month.lowerBound.advanced(back: CalendarSpan(count - 1, .month))
    return months(count, from: first, of: subscriptions, upTo: limit).months
  }

  /// Sums of `count` consecutive months, the first of which contains `first`, and in the same pass the total of a range
  /// that begins in that month or later.
  package static func months(
    _ count: Int, from first: CivilDay, of subscriptions: [Subscription], upTo limit: CivilDay? = nil,
    beside range: ClosedRange<CivilDay>? = nil
  ) -> (months: [ChargeSum], total: CurrencyTotals) {
    let starts = starts(ofMonths: count, from: first)
    guard let start = starts.first, let last = starts.last?.month.upperBound else { return ([], CurrencyTotals()) }
    var sums = ChargeSums(count: starts.count)
    var total = ChargeSums(count: 1)
    let end = min(last, limit ?? last)
    let lastVisited = range.map { max(end, $0.upperBound) } ?? end
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

  /// The first days of `count` consecutive months; fewer at the end of 2200.
  private static func starts(ofMonths count: Int, from first: CivilDay) -> [CivilDay] {
    let first = max(first, CivilDay.allowed.lowerBound).month.lowerBound
    let schedule = Schedule(anchor: first, cycle: .monthly)
    return (0..<count).compactMap { schedule.day(at: $0) }
  }

  /// The days of a range that have charges, ascending, with their sums. Memory is linear in the days, not the charges.
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

  /// The user's own part of some charges, by currency.
  package static func totals(of charges: [PlannedCharge]) -> CurrencyTotals {
    var totals = CurrencyTotals()
    for charge in charges { totals.add(charge.cost, charge.price.currency) }
    return totals
  }

  /// Up to `limit` charges after a place, in the order of places. `charges` is ascending by day; only the visited days
  /// are sorted.
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

extension [PlannedCharge] {
  /// Those of a range of days. They are ascending by day. O(log n).
  func within(_ days: ClosedRange<CivilDay>) -> ArraySlice<PlannedCharge> {
    self[partitioningIndex { $0.day >= days.lowerBound }..<partitioningIndex { $0.day > days.upperBound }]
  }
}

/// The charges of a day or a month.
package struct ChargeSum: Sendable, Equatable {
  /// The day, or the first of the month.
  package let day: CivilDay
  package let count: Int
  /// The user's own part, by currency.
  package let totals: CurrencyTotals
}

extension MonthCosts {
  init(_ month: ChargeSum) { self.init(month: month.day, count: month.count, totals: month.totals.rounded) }
}

extension ChargeDay {
  package init(_ sum: ChargeSum) { self.init(day: sum.day, count: sum.count, totals: sum.totals.rounded) }
}

/// Sums by currency at consecutive places, such as the days or months of a range, in one table.
struct ChargeSums {
  private let count: Int
  private var currencies: [Currency] = []
  /// Grouped by currency, each with `count` places.
  private var amounts: [ExactAmount] = []
  /// The number of charges at each place.
  private(set) var counts: [Int]
  /// The index of the currency added last.
  private var latest = 0

  init(count: Int) {
    self.count = count
    counts = [Int](repeating: 0, count: count)
  }

  /// Adds the user's own part of a charge.
  @inline(__always)
  mutating func add(_ charge: PlannedCharge, at place: Int) {
    if latest >= currencies.count || currencies[latest] != charge.price.currency { find(charge.price.currency) }
    amounts[latest * count + place] += charge.cost
    counts[place] += 1
  }

  private mutating func find(_ currency: Currency) {
    if let found = currencies.firstIndex(of: currency) {
      latest = found
      return
    }
    latest = currencies.count
    currencies.append(currency)
    amounts += repeatElement(.zero, count: count)
  }

  /// The sum at a place that stands for `day`; currencies whose sum is zero are left out.
  func sum(at place: Int, of day: CivilDay) -> ChargeSum {
    var totals = CurrencyTotals()
    for (index, currency) in currencies.enumerated() {
      let amount = amounts[index * count + place]
      if !amount.isZero { totals.add(amount, currency) }
    }
    return ChargeSum(day: day, count: counts[place], totals: totals)
  }
}
