import DaybookProtocol

/// The days of a cycle, each computed from the anchor, so that nothing drifts: 31 January, 28 February, 31 March; 29
/// February returns in leap years. Every step is O(1), and days outside 1900 to 2200 are left out.
///
/// A day is *due* before a weekend rule moves it. The moved day is the one on which something is charged; the due day
/// decides to which term it belongs, so that the rule moves charges and never removes or adds one.
package struct Schedule: Equatable, Sendable {
  /// The day number 0, before rules on days and weekends. Earlier days have negative numbers.
  package let anchor: CivilDay
  package let cycle: BillingCycle
  /// The last day of a schedule that ends.
  package private(set) var last: CivilDay?
  /// Every due day.
  package static let always = CivilDay(daysSinceEpoch: .min)...CivilDay(daysSinceEpoch: .max)
  private let step: Step

  private enum Step: Equatable, Sendable {
    case once
    /// A step in days, and the day number 0.
    case days(Int, zero: CivilDay)
    /// A step in months; `first` is the anchor's month counted from the year 0, and `day` its day of the month.
    case months(Int, first: Int, day: Int)
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

  /// The most days by which a day is moved.
  package var reach: Int { cycle.weekend == nil ? 0 : WeekendRule.reach }

  /// The schedule ending with the last of the cycle's `times` days, counted from the first that is due from `first` on.
  package func counted(from first: CivilDay) -> Schedule {
    guard let times = cycle.times, times > 0, let number = number(dueOnOrAfter: max(first, CivilDay.allowed.lowerBound))
    else { return self }
    var counted = self
    counted.last = day(at: number + times - 1)
    return counted
  }

  /// The day with a number; nil outside 1900 to 2200, after the last day, and for any number but 0 of a single day.
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

  /// The due day with a number that has a day.
  private func due(at number: Int, of day: CivilDay) -> CivilDay {
    switch step {
    case .once, .months: day
    // Both ends of a week are moved alike.
    case .days(_, let zero): day.advanced(by: Int(anchor.daysSinceEpoch) - Int(zero.daysSinceEpoch))
    case .rule(let rule): rule.due(at: number) ?? day
    }
  }

  /// The number of the first day that is due on or after `day`; nil when there is none.
  private func number(dueOnOrAfter day: CivilDay) -> Int? {
    switch step {
    case .once, .months: number(onOrAfter: day)
    case .days(let length, _): -Schedule.floor(Int(anchor.daysSinceEpoch) - Int(day.daysSinceEpoch), length)
    case .rule(let rule): rule.number(dueOnOrAfter: day)
    }
  }

  /// The number of the first day on or after `day`, even outside 1900 to 2200; nil when there is none.
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
      // In an earlier month, or too early in the same one.
      guard number * length == months else { return number + 1 }
      let last = CivilDay.length(ofMonth: month, year: year)
      return min(dayOfMonth, last) < wanted ? number + 1 : number
    case .rule(let rule): return rule.number(onOrAfter: day)
    }
  }

  /// The first day on or after `day`; nil when there is none up to 2200.
  package func first(onOrAfter day: CivilDay) -> CivilDay? {
    number(onOrAfter: max(day, CivilDay.allowed.lowerBound)).flatMap(self.day(at:))
  }

  /// The first day on or after `day` that is due in a range, and its due day; nil when there is none up to 2200.
  func first(onOrAfter day: CivilDay, dueIn range: ClosedRange<CivilDay>) -> (day: CivilDay, due: CivilDay)? {
    let from = max(day, range.lowerBound.advanced(by: -reach), CivilDay.allowed.lowerBound)
    guard var number = number(onOrAfter: from) else { return nil }
    while let day = self.day(at: number) {
      let due = due(at: number, of: day)
      if due > range.upperBound { return nil }
      if due >= range.lowerBound { return (day, due) }
      number += 1
    }
    return nil
  }

  /// The last day on or before `day`; nil when there is none from 1900 on.
  package func last(onOrBefore day: CivilDay) -> CivilDay? { lastMoved(onOrBefore: day)?.day }

  /// The same with its due day.
  package func lastMoved(onOrBefore day: CivilDay) -> (day: CivilDay, due: CivilDay)? {
    let day = min(day, last ?? day, CivilDay.allowed.upperBound)
    guard day >= CivilDay.allowed.lowerBound else { return nil }
    // The one before the next; a single day may have no next.
    let number = number(onOrAfter: day.advanced(by: 1)).map { $0 - 1 } ?? 0
    return self.day(at: number).map { ($0, due(at: number, of: $0)) }
  }

  package func contains(_ day: CivilDay) -> Bool { first(onOrAfter: day) == day }

  /// How many days a range has, of those due from a day on.
  package func count(in days: ClosedRange<CivilDay>, dueFrom first: CivilDay = Schedule.always.lowerBound) -> Int {
    guard days.overlaps(CivilDay.allowed) else { return 0 }
    let days = days.clamped(to: CivilDay.allowed)
    guard let found = number(onOrAfter: days.lowerBound) else { return 0 }
    guard case .once = step else {
      let lower = max(
        found, number(dueOnOrAfter: max(first, CivilDay.allowed.lowerBound.advanced(by: -reach))) ?? found)
      let upper = min(days.upperBound, last ?? days.upperBound)
      return max((number(onOrAfter: upper.advanced(by: 1)) ?? lower) - lower, 0)
    }
    return days.contains(anchor) && anchor >= first ? 1 : 0
  }

  /// Calls `body` with the days of a range that are due in another, ascending, and their due days. O(1) to the first,
  /// then O(1) each.
  @inline(__always)
  package func visit(
    in days: ClosedRange<CivilDay>, dueIn range: ClosedRange<CivilDay> = Schedule.always,
    _ body: (CivilDay, CivilDay) -> Void
  ) {
    // Plain integers: this is the innermost loop.
    let reach = reach
    let lower = max(
      days.lowerBound.daysSinceEpoch, range.lowerBound.advanced(by: -reach).daysSinceEpoch,
      CivilDay.allowed.lowerBound.daysSinceEpoch)
    let upper = min(
      days.upperBound.daysSinceEpoch, range.upperBound.advanced(by: reach).daysSinceEpoch,
      (last ?? CivilDay.allowed.upperBound).daysSinceEpoch, CivilDay.allowed.upperBound.daysSinceEpoch)
    guard lower <= upper, let number = number(onOrAfter: CivilDay(daysSinceEpoch: lower)) else { return }
    switch step {
    case .once:
      if (lower...upper).contains(anchor.daysSinceEpoch) { body(anchor, anchor) }
    case .days(let length, let zero):
      guard let first = self.day(at: number) else { return }
      let shift = anchor.daysSinceEpoch &- zero.daysSinceEpoch
      var day = Int(first.daysSinceEpoch)
      while day <= Int(upper) {
        let found = CivilDay(daysSinceEpoch: Int32(truncatingIfNeeded: day))
        let due = shift == 0 ? found : found.advanced(by: Int(shift))
        if reach == 0 || range.contains(due) { body(found, due) }
        day += length
      }
    case .months(let length, let first, let dayOfMonth):
      var month = first + number * length
      while let day = Schedule.day(dayOfMonth, ofMonth: month), day.daysSinceEpoch <= upper {
        body(day, day)
        month += length
      }
    case .rule(let rule):
      var number = number
      while let day = rule.day(at: number), day.daysSinceEpoch <= upper {
        let due = reach == 0 ? day : rule.due(at: number) ?? day
        if reach == 0 || range.contains(due) { body(day, due) }
        number += 1
      }
    }
  }

  /// A day of a month counted from the year 0, or the month's last day when it is shorter; nil outside the years 1 to
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
  /// The day a span later, as in schedules: 31 January plus a month is the last day of February.
  package func advanced(by span: CalendarSpan) -> CivilDay { moved(by: span, sign: 1) }

  /// The day a span earlier: 31 December minus three months is 30 September.
  package func advanced(back span: CalendarSpan) -> CivilDay { moved(by: span, sign: -1) }

  /// Clamped to 1900 to 2200.
  private func moved(by span: CalendarSpan, sign: Int) -> CivilDay {
    guard span.count > 0 else { return self }
    return Schedule(anchor: self, cycle: .every(span.count, span.unit)).day(at: sign)
      ?? (sign < 0 ? CivilDay.allowed.lowerBound : CivilDay.allowed.upperBound)
  }
}
