import CivilTime
import DaybookProtocol

/// Days of months that are not simply one and the same: several of a month, the n-th of a weekday, or moved off weekends. They
/// are numbered in their order; those of the month of the anchor begin with zero.
struct MonthRule: Equatable, Sendable {
  /// So many months from one to the next.
  private let length: Int
  /// The anchor's month since the year zero.
  private let first: Int
  private let days: Days
  private let weekend: WeekendRule?

  private enum Days: Equatable, Sendable {
    /// Days of the month, ascending, one at least; what a month has not is its last day.
    case numbered([Int])
    /// The n-th of a weekday, 0 for Monday; from the end of the month where `week` is negative.
    case weekday(Int, week: Int)
  }

  /// Nil where a cycle has its days by the anchor's day alone. `length` is its months.
  init?(_ cycle: BillingCycle, anchor: CivilDay, length: Int) {
    let (year, month, day) = anchor.components
    let weekday = cycle.weekday.flatMap { Weekday.known.firstIndex(of: $0) }
    // A cycle without days of its own, or with none in its list, comes on the anchor's day.
    let numbered = cycle.days ?? []
    guard weekday != nil || cycle.weekend != nil || !numbered.isEmpty else { return nil }
    self.length = length
    first = year * 12 + month - 1
    weekend = cycle.weekend
    days = weekday.map { .weekday($0, week: cycle.week ?? 1) } ?? .numbered(numbered.isEmpty ? [day] : numbered)
  }

  private var perMonth: Int {
    if case .numbered(let days) = days { days.count } else { 1 }
  }

  /// The day with that number; nil outside the years 1 to 9999.
  func day(at number: Int) -> CivilDay? {
    let step = Schedule.floor(number, perMonth)
    let (distance, overflow) = step.multipliedReportingOverflow(by: length)
    let (month, overflowAgain) = first.addingReportingOverflow(distance)
    guard !overflow, !overflowAgain else { return nil }
    let found: CivilDay?
    switch days {
    case .numbered(let days): found = Schedule.day(days[number - step * days.count], ofMonth: month)
    case .weekday(let weekday, let week) where week > 0:
      found = Schedule.day(1, ofMonth: month).map {
        $0.advanced(by: (weekday - $0.weekdayIndex + 7) % 7 + (week - 1) * 7)
      }
    case .weekday(let weekday, _):
      found = Schedule.day(31, ofMonth: month).map { $0.advanced(by: -(($0.weekdayIndex - weekday + 7) % 7)) }
    }
    return found.map { weekend?.day(for: $0) ?? $0 }
  }

  /// The number of the first at or after a day. A weekend moves a day by two at most, so that the month before is early enough to
  /// begin with.
  func number(onOrAfter day: CivilDay) -> Int {
    let (year, month, _) = day.components
    var number = Schedule.floor(year * 12 + month - 2 - first, length) * perMonth
    while let found = self.day(at: number), found < day { number += 1 }
    return number
  }
}

extension WeekendRule {
  /// Where a charge of that day comes.
  package func day(for day: CivilDay) -> CivilDay {
    let beyond = day.weekdayIndex - 4
    guard beyond > 0 else { return day }
    switch self {
    case .before: return day.advanced(by: -beyond)
    case .after: return day.advanced(by: 3 - beyond)
    case .unknown: return day
    }
  }
}
