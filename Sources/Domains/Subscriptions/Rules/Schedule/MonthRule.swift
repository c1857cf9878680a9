import DaybookProtocol

/// Days of months other than one fixed day: several in a month, the n-th weekday, or moved off weekends. They are
/// numbered in order; those in the anchor's month begin with 0.
struct MonthRule: Equatable, Sendable {
  /// The step in months.
  private let length: Int
  /// The anchor's month, counted from the year 0.
  private let first: Int
  private let days: Days
  private let weekend: WeekendRule?

  private enum Days: Equatable, Sendable {
    /// Days of the month, ascending, at least one; the last day stands for one that the month does not have.
    case numbered([Int])
    /// The n-th weekday, 0 for Monday; counted from the end of the month for a negative `week`.
    case weekday(Int, week: Int)
  }

  /// Nil for a cycle on the anchor's day alone. `length` is the step in months.
  init?(_ cycle: BillingCycle, anchor: CivilDay, length: Int) {
    let (year, month, day) = anchor.components
    let weekday = cycle.weekday.flatMap { Weekday.known.firstIndex(of: $0) }
    // Without days of its own, a cycle falls on the anchor's day.
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

  /// The day with a number; nil outside the years 1 to 9999.
  func day(at number: Int) -> CivilDay? { due(at: number).map { weekend?.day(for: $0) ?? $0 } }

  /// The same before a weekend moves it.
  func due(at number: Int) -> CivilDay? {
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
    return found
  }

  /// The number of the first day on or after `day`. A weekend moves a day by at most two, so that the search starts in
  /// the month before.
  func number(onOrAfter day: CivilDay) -> Int { number(near: day) { $0.day(at: $1).map { $0 < day } ?? false } }

  /// The number of the first day that is due on or after `day`.
  func number(dueOnOrAfter day: CivilDay) -> Int { number(near: day) { $0.due(at: $1).map { $0 < day } ?? false } }

  private func number(near day: CivilDay, isBefore: (MonthRule, Int) -> Bool) -> Int {
    let (year, month, _) = day.components
    var number = Schedule.floor(year * 12 + month - 2 - first, length) * perMonth
    while isBefore(self, number) { number += 1 }
    return number
  }
}

extension WeekendRule {
  /// The most days by which a charge moves.
  package static let reach = 2

  /// The day on which a charge due on `day` comes.
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
