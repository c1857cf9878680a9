import CivilTime
import Values

/// The charges of many subscriptions in time.
package enum ChargeCalendar {
  /// The charges of a range, ascending by day; those of one day in the order of the subscriptions. Linear in their number.
  package static func charges(of subscriptions: [Subscription], in days: ClosedRange<CivilDay>) -> [Charge] {
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
      return [Charge](unsafeUninitializedCapacity: count) { buffer, initialized in
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
  private static func fewCharges(of subscriptions: [Subscription], in days: ClosedRange<CivilDay>) -> [Charge] {
    var charges: [Charge] = []
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
  ) -> [Charge] {
    let length = min(max(days, allowedWindow.lowerBound), allowedWindow.upperBound)
    return charges(of: subscriptions, in: today...today.advanced(by: length - 1))
  }

  /// How many days ahead are looked at when nothing is said.
  package static let usualWindow = 30
  /// How many days ahead may be looked at: ten years.
  package static let allowedWindow = 1...3653
}

/// What the charges of a calendar month come to.
package struct MonthCosts: Sendable, Equatable {
  /// The first day of the month.
  package let month: CivilDay
  /// One's own part of the charges, by currency.
  package internal(set) var totals: CurrencyTotals
  /// How many charges there are.
  package internal(set) var count: Int
}

extension ChargeCalendar {
  /// How many months may be asked for at once.
  package static let allowedMonths = 1...120

  /// The months in a row of which `last` is the last, the charges of each by their own price; up to a day, where one is given.
  package static func months(
    _ count: Int, endingWith last: CivilDay, of subscriptions: [Subscription], upTo limit: CivilDay? = nil
  ) -> [MonthCosts] {
    let count = min(max(count, allowedMonths.lowerBound), allowedMonths.upperBound)
    let first = last.month.lowerBound.advanced(back: CalendarSpan(count - 1, .month))
    return months(count, from: first, of: subscriptions, upTo: limit)
  }

  /// The months in a row of which the one of `first` is the first.
  package static func months(
    _ count: Int, from first: CivilDay, of subscriptions: [Subscription], upTo limit: CivilDay? = nil
  ) -> [MonthCosts] {
    let starts = starts(ofMonths: min(max(count, allowedMonths.lowerBound), allowedMonths.upperBound), from: first)
    guard let start = starts.first, let last = starts.last?.month.upperBound else { return [] }
    var sums = MonthSums(months: starts)
    let end = min(last, limit ?? last)
    if start <= end {
      for index in subscriptions.indices {
        var month = 0
        subscriptions[index].visitCharges(in: start...end) { sums.add($0, &month) }
      }
    }
    return sums.costs
  }

  /// The first days of so many months in a row; fewer where 2200 ends.
  private static func starts(ofMonths count: Int, from first: CivilDay) -> [CivilDay] {
    let first = max(first, CivilDay.allowed.lowerBound).month.lowerBound
    let schedule = Schedule(anchor: first, cycle: .monthly)
    return (0..<count).compactMap { schedule.day(at: $0) }
  }
}

/// Sums by currency and month in one table.
private struct MonthSums {
  /// The first days of the months.
  private let months: [CivilDay]
  /// The first days of the months after them.
  private let limits: [Int32]
  private var currencies: [Currency] = []
  /// Those of the first currency, then those of the second, and so on.
  private var amounts: [ExactAmount] = []
  private var counts: [Int]
  /// The place of the currency that was added last.
  private var place = 0

  init(months: [CivilDay]) {
    self.months = months
    limits = months.map { $0.month.upperBound.daysSinceEpoch }
    counts = [Int](repeating: 0, count: months.count)
  }

  /// Adds a charge; `month` is that of the one before it of the same subscription.
  @inline(__always)
  mutating func add(_ charge: Charge, _ month: inout Int) {
    while limits[month] < charge.day.daysSinceEpoch { month += 1 }
    if place >= currencies.count || currencies[place] != charge.price.currency { find(charge.price.currency) }
    amounts[place * limits.count + month] += charge.cost
    counts[month] += 1
  }

  private mutating func find(_ currency: Currency) {
    if let found = currencies.firstIndex(of: currency) {
      place = found
      return
    }
    place = currencies.count
    currencies.append(currency)
    amounts += months.map { _ in .zero }
  }

  /// The months, each with the currencies it has charges of.
  var costs: [MonthCosts] {
    months.indices.map { month in
      var totals = CurrencyTotals()
      for (place, currency) in currencies.enumerated() {
        let amount = amounts[place * months.count + month]
        if !amount.isZero { totals.add(amount, currency) }
      }
      return MonthCosts(month: months[month], totals: totals, count: counts[month])
    }
  }
}
