extension CivilDay {
  /// The day of the week, 0 for Monday to 6 for Sunday.
  package var weekdayIndex: Int {
    // 1970-01-01 was a Thursday, number 3 from Monday.
    (Int(daysSinceEpoch) % 7 + 7 + 3) % 7
  }

  /// The week that contains the day and begins on weekday `first`, 0…6 from Monday.
  package func week(from first: Int) -> ClosedRange<CivilDay> {
    let start = advanced(by: -((weekdayIndex - first % 7 + 7) % 7))
    return start...start.advanced(by: 6)
  }

  /// The days of its month.
  package var month: ClosedRange<CivilDay> {
    let (year, month, day) = components
    let start = advanced(by: 1 - day)
    return start...start.advanced(by: CivilDay.length(ofMonth: month, year: year) - 1)
  }

  /// The days of its year.
  package var year: ClosedRange<CivilDay> {
    let year = components.year
    guard let first = CivilDay(year: year, month: 1, day: 1), let last = CivilDay(year: year, month: 12, day: 31) else {
      return self...self
    }
    return first...last
  }
}

extension ClosedRange where Bound == CivilDay {
  /// The number of days.
  package var dayCount: Int { Int(upperBound.daysSinceEpoch) - Int(lowerBound.daysSinceEpoch) + 1 }

  /// The days in order.
  package var days: some RandomAccessCollection<CivilDay> {
    (lowerBound.daysSinceEpoch...upperBound.daysSinceEpoch).lazy.map { CivilDay(daysSinceEpoch: $0) }
  }
}
