import DaybookProtocol

extension BillingCycle {
  package static let allowedCounts = 1...1000

  package static func every(_ count: Int, _ unit: CycleUnit) -> BillingCycle {
    BillingCycle(kind: .recurring, every: count, unit: unit)
  }

  /// Charged once, and over the day after.
  package static let once = BillingCycle(kind: .once)
  /// Charged once, and never over: a lifetime licence.
  package static let lifetime = BillingCycle(kind: .lifetime)
  package static let weekly = every(1, .week)
  package static let monthly = every(1, .month)
  package static let quarterly = every(3, .month)
  package static let yearly = every(1, .year)

  /// The number of units, clamped to the allowed range; nil for a cycle charged once.
  package var count: Int? {
    guard isRecurring else { return nil }
    return min(max(every ?? 1, BillingCycle.allowedCounts.lowerBound), BillingCycle.allowedCounts.upperBound)
  }

  package var isRecurring: Bool { kind == .recurring }

  /// The normalized form: an explicit number of units, and no empty list of days.
  package var tidied: BillingCycle {
    guard isRecurring else { return self }
    var tidied = self
    tidied.every = every ?? 1
    if days == [] { tidied.days = nil }
    return tidied
  }

  /// Charges a year as a fraction: 365, 52, 12 or 1 over the number of units, times the number of days in a month; 0
  /// for a cycle charged once. (Decisions, Subscriptions: yearly = amount × (365, 52, 12, 1)/N, so that a monthly price
  /// is exactly a twelfth of its year.)
  var timesAYear: (numerator: Int64, denominator: Int64) {
    guard let count else { return (0, 1) }
    let units: Int64 =
      switch unit {
      case .day: 365
      case .week: 52
      case .month: 12
      default: 1
      }
    return (units * Int64(max(days?.count ?? 1, 1)), Int64(count))
  }
}

extension CalendarSpan {
  package static let allowedCounts = 0...1000

  package init(_ count: Int, _ unit: CycleUnit) { self.init(count: count, unit: unit) }
}

extension [FormerTerm] {
  /// The index of the former term that holds on a day; nil when the present cycle does. Terms ascend by their ends.
  @inline(__always)
  func holding(on day: CivilDay) -> Int? {
    guard !isEmpty else { return nil }
    let place = index(on: day)
    return place < count ? place : nil
  }

  /// The day whose price and share a charge has: the day it comes on, or the nearest day of its occurrence's term.
  func pricedDay(of occurrence: CivilDay, on day: CivilDay) -> CivilDay {
    let place = index(on: occurrence)
    let day = place > 0 ? Swift.max(day, self[place - 1].until) : day
    return place < count ? Swift.min(day, self[place].until.advanced(by: -1)) : day
  }

  /// The schedule of a former term; `first` is the first day of the subscription that can have a charge.
  @inline(__always)
  func schedule(at place: Int, chargedFrom first: CivilDay) -> Schedule {
    let schedule = Schedule(anchor: self[place].anchor, cycle: self[place].cycle)
    guard self[place].cycle.times != nil else { return schedule }
    return schedule.counted(from: place > 0 ? Swift.max(first, self[place - 1].until) : first)
  }

  /// The index of the term that holds on a day, or `count` for the present cycle. O(log n).
  func index(on day: CivilDay) -> Int { partitioningIndex { day < $0.until } }
}

extension Array {
  /// The first index whose element matches, given that all later ones match too; `endIndex` when none does. O(log n).
  func partitioningIndex(where matches: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if matches(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension ChargeMark {
  /// The day the charge comes on; nil when it is skipped.
  package var day: CivilDay? {
    switch kind {
    case .kept: occurrence
    case .shifted: shiftedTo
    default: nil
    }
  }

  /// Replaces a price by the paid amount.
  func pay(_ price: inout Price) {
    guard let paidAmount else { return }
    price.amount = paidAmount
    if let currency = paidCurrency.flatMap({ Currency($0) }) { price.currency = currency }
  }

  /// The mark with `price` as the paid amount and currency where it has none.
  package func paying(_ price: Price) -> ChargeMark {
    var paid = self
    paid.paidAmount = paidAmount ?? price.amount
    paid.paidCurrency = paidCurrency ?? price.currency.code
    return paid
  }

  /// Whether it has any effect.
  package var isMeaningful: Bool { kind != .kept || paidOn != nil }
}

extension [ChargeMark] {
  /// The index of the first mark on or after an occurrence; marks are ascending.
  func index(onOrAfter day: CivilDay) -> Int { partitioningIndex { $0.occurrence >= day } }

  package func mark(on occurrence: CivilDay) -> ChargeMark? {
    let place = index(onOrAfter: occurrence)
    return place < count && self[place].occurrence == occurrence ? self[place] : nil
  }
}

extension Contract {
  /// The next deadline for notice on or after a day, and the contract's end that it is for; nil when there is none.
  ///
  /// Renewals and notice are counted from the day after the contract's end, so that month ends recover: a month after
  /// 30 November it ends on 31 December, and a month's notice for 28 February is given by 31 January.
  package func deadline(onOrAfter day: CivilDay) -> (day: CivilDay, end: CivilDay)? {
    let after = end.advanced(by: 1)
    let notice = notice ?? CalendarSpan(0, .day)
    let first = after.advanced(back: notice).advanced(by: -1)
    guard first < day else { return (first, end) }
    guard let renewal else { return nil }
    let days = Schedule(anchor: after, cycle: .every(renewal.count, renewal.unit))
    // The deadline is about one notice period earlier; clamped months may shift it by a few days.
    var from = max(after.advanced(by: 1), day.advanced(by: notice).advanced(by: -3))
    while let next = days.first(onOrAfter: from) {
      let last = next.advanced(back: notice).advanced(by: -1)
      if last >= day { return (last, next.advanced(by: -1)) }
      from = next.advanced(by: 1)
    }
    return nil
  }
}
