import CivilTime
import DaybookProtocol
import Testing

/// The periods that the points of a series cover.
struct SeriesBucketTests {
  private func day(_ year: Int, _ month: Int, _ day: Int) throws -> CivilDay {
    try #require(CivilDay(year: year, month: month, day: day))
  }

  @Test("The period of a day", arguments: [0, 6])
  func period(_ firstWeekday: Int) throws {
    let wednesday = try day(2024, 2, 7)
    let monday = try day(2024, 2, 5).advanced(by: firstWeekday == 6 ? -1 : 0)
    let expected: [(SeriesBucket, ClosedRange<CivilDay>)] = [
      (.day, wednesday...wednesday), (.week, monday...monday.advanced(by: 6)),
      (.month, try day(2024, 2, 1)...day(2024, 2, 29)), (.year, try day(2024, 1, 1)...day(2024, 12, 31)),
      (.unknown("decade"), wednesday...wednesday),
    ]
    for (bucket, period) in expected { #expect(bucket.period(of: wednesday, firstWeekday: firstWeekday) == period) }
  }

  @Test("Periods follow each other without a gap, and are whole", arguments: SeriesBucket.known, [0, 3, 6])
  func periods(_ bucket: SeriesBucket, _ firstWeekday: Int) throws {
    let days = try day(2023, 11, 9)...day(2025, 3, 1)
    let periods = bucket.periods(in: days, firstWeekday: firstWeekday)
    for (period, next) in zip(periods, periods.dropFirst()) {
      #expect(period.upperBound.advanced(by: 1) == next.lowerBound)
    }
    for period in periods {
      #expect(period.overlaps(days) && period.dayCount >= bucket.leastDays)
      #expect(bucket.period(of: period.upperBound, firstWeekday: firstWeekday) == period)
    }
    let (first, last) = (try #require(periods.first), try #require(periods.last))
    #expect(bucket.whole(days, firstWeekday: firstWeekday) == first.lowerBound...last.upperBound)
    #expect(first.contains(days.lowerBound) && last.contains(days.upperBound))
  }

  @Test("Periods end with the calendar", arguments: SeriesBucket.known, [0, 3, 6])
  func ends(_ bucket: SeriesBucket, _ firstWeekday: Int) {
    for day in [CivilDay.allowed.lowerBound, CivilDay.allowed.upperBound] {
      let periods = bucket.periods(in: day...day, firstWeekday: firstWeekday)
      #expect(periods.count == 1 && periods.allSatisfy { $0.clamped(to: CivilDay.allowed) == $0 && $0.contains(day) })
    }
  }
}
