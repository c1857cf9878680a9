/// A day of the proleptic Gregorian calendar, without zone or time.
package struct CivilDay: Hashable, Sendable, Comparable {
  /// Days since 1970-01-01, negative before it.
  package let daysSinceEpoch: Int32

  /// The days that clients may use: 1900-01-01 to 2200-12-31.
  package static let allowed = CivilDay(daysSinceEpoch: -25567)...CivilDay(daysSinceEpoch: 84370)

  /// The days that have a textual form: those of the years 1…9999.
  package static let written = CivilDay(daysSinceEpoch: -719_162)...CivilDay(daysSinceEpoch: 2_932_896)

  package init(daysSinceEpoch: Int32) {
    self.daysSinceEpoch = daysSinceEpoch
  }

  /// The day of that year, month (1…12) and day of month; nil when the calendar has no such day.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...CivilDay.length(ofMonth: month, year: year)).contains(day)
    else { return nil }
    // Years are counted from March, so that the leap day is the last of its year.
    let shifted = month > 2 ? year : year - 1
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    self.init(daysSinceEpoch: Int32(era * 146_097 + dayOfEra - 719_468))
  }

  /// Year, month (1…12) and day of the month.
  package var components: (year: Int, month: Int, day: Int) {
    // No sum here can overflow, so none is checked; values within an era are non-negative and divide faster unsigned.
    let shifted = Int(daysSinceEpoch) &+ 719_468
    let era = (shifted >= 0 ? shifted : shifted &- 146_096) / 146_097
    let dayOfEra = UInt32(truncatingIfNeeded: shifted &- era &* 146_097)
    let yearOfEra = (dayOfEra &- dayOfEra / 1460 &+ dayOfEra / 36_524 &- dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra &- (365 &* yearOfEra &+ yearOfEra / 4 &- yearOfEra / 100)
    let shiftedMonth = (5 &* dayOfYear &+ 2) / 153
    let day = Int(dayOfYear &- (153 &* shiftedMonth &+ 2) / 5 &+ 1)
    let month = Int(shiftedMonth < 10 ? shiftedMonth &+ 3 : shiftedMonth &- 9)
    return (Int(yearOfEra) &+ era &* 400 &+ (month <= 2 ? 1 : 0), month, day)
  }

  /// The number of days of a month, 28…31.
  package static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: return 30
    default: return 31
    }
  }

  /// The day `days` later (earlier when negative); clamps at the ends of `Int32`.
  package func advanced(by days: Int) -> CivilDay {
    let (sum, overflow) = Int(daysSinceEpoch).addingReportingOverflow(days)
    return CivilDay(daysSinceEpoch: overflow ? (days < 0 ? .min : .max) : Int32(clamping: sum))
  }

  package static func < (left: CivilDay, right: CivilDay) -> Bool { left.daysSinceEpoch < right.daysSinceEpoch }
}
