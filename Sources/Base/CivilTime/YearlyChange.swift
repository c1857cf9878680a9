/// A yearly date and time at which a POSIX TZ string switches daylight saving time.
struct YearlyChange: Hashable, Sendable {
  /// A rule for the day.
  enum Day: Hashable, Sendable {
    /// `Jn`: the n-th day, 1…365, of a year without 29 February.
    case julian(Int)
    /// `n`: the zero-based day of the year, 0…365, counting 29 February.
    case ordinal(Int)
    /// `Mm.w.d`: the w-th (1…5, 5 being the last) weekday d (0 Sunday … 6 Saturday) of month m (1…12).
    case weekday(month: Int, week: Int, weekday: Int)
  }

  let day: Day
  /// Seconds after that day's midnight, −604,799…604,799, possibly on another day.
  let time: Int32

  /// The change in seconds of wall clock since 1970-01-01T00:00, for a year in 1…9999.
  func second(inYear year: Int) -> Int64 {
    let before = year - 1
    let newYear = 365 * before + before / 4 - before / 100 + before / 400 - 719_162
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let dayOfYear: Int
    switch day {
    case .julian(let number): dayOfYear = number - (isLeap && number >= 60 ? 0 : 1)
    case .ordinal(let number): dayOfYear = number
    case .weekday(let month, let week, let weekday):
      let first = month <= 2 ? 31 * (month - 1) : (153 * (month - 3) + 2) / 5 + (isLeap ? 60 : 59)
      // 1970-01-01 was a Thursday; 700,000 weeks keep the remainder positive.
      let weekdayOfFirst = (newYear + first + 4 + 4_900_000) % 7
      var day = first + (weekday - weekdayOfFirst + 7) % 7 + 7 * (week - 1)
      if day >= first + CivilDay.length(ofMonth: month, year: year) { day -= 7 }
      dayOfYear = day
    }
    return Int64(newYear + dayOfYear) * 86_400 + Int64(time)
  }
}
