import CivilTime
import DaybookProtocol

/// The days of a cycle, each computed from one anchor, so that nothing drifts: from 31 January to 28 February to 31 March, and
/// 29 February comes back in leap years. Every step below is O(1), and days outside 1900 to 2200 are none.
package struct Schedule: Equatable, Sendable {
  /// The day that has the number zero, but for what the cycle says of days and weekends. Days before it have negative numbers.
  package let anchor: CivilDay
  /// The cycle.
  package let cycle: BillingCycle
  /// The last of the days, where they end by themselves.
  package private(set) var last: CivilDay?
  /// How the days follow each other.
  private let step: Step

  private enum Step: Equatable, Sendable {
    case once
    /// So many days from one to the next, and the day with the number zero.
    case days(Int, zero: CivilDay)
    /// So many months from one to the next; `first` is the anchor's month since the year zero, and `day` its day of the month.
    case months(Int, first: Int, day: Int)
    /// Other days of months.
    case rule(MonthRule)
  }

  package init(anchor: CivilDay, cycle: BillingCycle) {
    self.anchor = anchor
    self.cycle = cycle.tidied
    guard let count = cycle.count else {
      step = .once
      return
    }
    switch cycle.unit {
    case .day: step = .days(count, zero: anchor)
    case .week: step = .days(count * 7, zero: cycle.weekend?.day(for: anchor) ?? anchor)
    default:
      let length = cycle.unit == .year ? count * 12 : count
      if let rule = MonthRule(cycle, anchor: anchor, length: length) {
        step = .rule(rule)
        return
      }
      let (year, month, day) = anchor.components
      step = .months(length, first: year * 12 + month - 1, day: day)
    }
  }

  /// The same, ending with the last of as many days as the cycle says, the first of which is at or after `first`.
  package func counted(from first: CivilDay) -> Schedule {
    guard let times = cycle.times, times > 0, let number = number(onOrAfter: max(first, CivilDay.allowed.lowerBound))
    else { return self }
    var counted = self
    counted.last = day(at: number + times - 1)
    return counted
  }

  /// The day with that number; nil when it is outside 1900 to 2200, or when a single one has another number than zero.
  package func day(at number: Int) -> CivilDay? {
    let day: CivilDay
    switch step {
    case .once:
      guard number == 0 else { return nil }
      day = anchor
    case .days(let length, let zero):
      let (distance, overflow) = number.multipliedReportingOverflow(by: length)
      guard !overflow else { return nil }
      day = zero.advanced(by: distance)
    case .months(let length, let first, let dayOfMonth):
      let (distance, overflow) = number.multipliedReportingOverflow(by: length)
      let (month, overflowAgain) = first.addingReportingOverflow(distance)
      guard !overflow, !overflowAgain else { return nil }
      guard let found = Schedule.day(dayOfMonth, ofMonth: month) else { return nil }
      day = found
    case .rule(let rule):
      guard let found = rule.day(at: number) else { return nil }
      day = found
    }
    return CivilDay.allowed.contains(day) && last.map { day <= $0 } ?? true ? day : nil
  }

  /// The number of the first day at or after `day`, whether or not it is within 1900 to 2200; nil when there is none.
  private func number(onOrAfter day: CivilDay) -> Int? {
    switch step {
    case .once:
      return day <= anchor ? 0 : nil
    case .days(let length, let zero):
      return -Schedule.floor(Int(zero.daysSinceEpoch) - Int(day.daysSinceEpoch), length)
    case .months(let length, let first, let dayOfMonth):
      let (year, month, wanted) = day.components
      let months = year * 12 + month - 1 - first
      let number = Schedule.floor(months, length)
      // In an earlier month, or too early in the same one: the next.
      guard number * length == months else { return number + 1 }
      let last = CivilDay.length(ofMonth: month, year: year)
      return min(dayOfMonth, last) < wanted ? number + 1 : number
    case .rule(let rule): return rule.number(onOrAfter: day)
    }
  }

  /// The first day at or after `day`; nil when there is none up to 2200.
  package func first(onOrAfter day: CivilDay) -> CivilDay? {
    number(onOrAfter: max(day, CivilDay.allowed.lowerBound)).flatMap(self.day(at:))
  }

  /// The last day at or before `day`; nil when there is none since 1900.
  package func last(onOrBefore day: CivilDay) -> CivilDay? {
    let day = min(day, last ?? day, CivilDay.allowed.upperBound)
    guard day >= CivilDay.allowed.lowerBound else { return nil }
    // The one before the first that is later; of a single one there may be no later.
    let next = number(onOrAfter: day.advanced(by: 1))
    return next.map { $0 - 1 }.map(self.day(at:)) ?? self.day(at: 0)
  }

  /// Whether the day is one of these.
  package func contains(_ day: CivilDay) -> Bool { first(onOrAfter: day) == day }

  /// How many there are within a range.
  package func count(in days: ClosedRange<CivilDay>) -> Int {
    guard days.overlaps(CivilDay.allowed) else { return 0 }
    let days = days.clamped(to: CivilDay.allowed)
    guard let first = number(onOrAfter: days.lowerBound) else { return 0 }
    guard case .once = step else {
      let upper = min(days.upperBound, last ?? days.upperBound)
      return max((number(onOrAfter: upper.advanced(by: 1)) ?? first) - first, 0)
    }
    return days.contains(anchor) ? 1 : 0
  }

  /// Calls `body` with those within a range, ascending. O(1) for the first, and then for each.
  @inline(__always)
  package func visit(in days: ClosedRange<CivilDay>, _ body: (CivilDay) -> Void) {
    // By plain numbers: this is the innermost loop of everything.
    let lower = max(days.lowerBound.daysSinceEpoch, CivilDay.allowed.lowerBound.daysSinceEpoch)
    let upper = min(
      days.upperBound.daysSinceEpoch, (last ?? CivilDay.allowed.upperBound).daysSinceEpoch,
      CivilDay.allowed.upperBound.daysSinceEpoch)
    guard lower <= upper, let number = number(onOrAfter: CivilDay(daysSinceEpoch: lower)) else { return }
    switch step {
    case .once:
      if (lower...upper).contains(anchor.daysSinceEpoch) { body(anchor) }
    case .days(let length, _):
      guard let first = self.day(at: number) else { return }
      var day = Int(first.daysSinceEpoch)
      while day <= Int(upper) {
        body(CivilDay(daysSinceEpoch: Int32(truncatingIfNeeded: day)))
        day += length
      }
    case .months(let length, let first, let dayOfMonth):
      var month = first + number * length
      while let day = Schedule.day(dayOfMonth, ofMonth: month), day.daysSinceEpoch <= upper {
        body(day)
        month += length
      }
    case .rule(let rule):
      var number = number
      while let day = rule.day(at: number), day.daysSinceEpoch <= upper {
        body(day)
        number += 1
      }
    }
  }

  /// Those within a range, ascending.
  package func days(in days: ClosedRange<CivilDay>) -> [CivilDay] {
    var found: [CivilDay] = []
    visit(in: days) { found.append($0) }
    return found
  }

  /// That day of a month counted since the year zero, or the month's last day where it is shorter; nil outside the years 1 to
  /// 9999.
  static func day(_ day: Int, ofMonth month: Int) -> CivilDay? {
    let year = floor(month, 12)
    guard (1...9999).contains(year) else { return nil }
    let number = month - year * 12 + 1
    return CivilDay(year: year, month: number, day: min(day, CivilDay.length(ofMonth: number, year: year)))
  }

  /// The quotient rounded down; the divisor is positive.
  @inline(__always)
  static func floor(_ dividend: Int, _ divisor: Int) -> Int {
    let quotient = dividend / divisor
    return dividend % divisor < 0 ? quotient - 1 : quotient
  }
}

extension CivilDay {
  /// The day so much later, by the rule of schedules: 31 January and a month is the last of February.
  package func advanced(by span: CalendarSpan) -> CivilDay { moved(by: span, sign: 1) }

  /// The day so much earlier, by the same rule: 31 December less three months is 30 September.
  package func advanced(back span: CalendarSpan) -> CivilDay { moved(by: span, sign: -1) }

  /// Stops at the ends of 1900 to 2200.
  private func moved(by span: CalendarSpan, sign: Int) -> CivilDay {
    guard span.count > 0 else { return self }
    return Schedule(anchor: self, cycle: .every(span.count, span.unit)).day(at: sign)
      ?? (sign < 0 ? CivilDay.allowed.lowerBound : CivilDay.allowed.upperBound)
  }
}
