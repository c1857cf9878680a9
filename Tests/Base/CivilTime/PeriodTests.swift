import Testing

@testable import CivilTime

@Suite("Weeks, months and years")
struct PeriodTests {
  @Test(
    "A week has seven days, begins on its first weekday, and contains the day",
    arguments: [20_458, 0, -1, -25_567, 84_370])
  func weeks(_ number: Int32) {
    let day = CivilDay(daysSinceEpoch: number)
    for first in 0..<7 {
      let week = day.week(from: first)
      #expect(week.dayCount == 7 && week.contains(day) && week.lowerBound.weekdayIndex == first)
    }
  }

  @Test(
    "Weekdays agree with the calendar",
    arguments: [("1970-01-01", 3), ("2026-01-05", 0), ("2000-02-29", 1), ("1900-01-01", 0), ("2200-12-31", 2)])
  func weekdays(_ text: String, _ index: Int) throws {
    #expect(try #require(CivilDay(text)).weekdayIndex == index)
  }

  @Test(
    "A month and a year are complete",
    arguments: [
      ("2024-02-11", "2024-02-01", "2024-02-29", 366), ("2026-02-01", "2026-02-01", "2026-02-28", 365),
      ("1900-12-31", "1900-12-01", "1900-12-31", 365), ("2200-01-01", "2200-01-01", "2200-01-31", 365),
    ])
  func months(_ text: String, _ first: String, _ last: String, _ length: Int) throws {
    let day = try #require(CivilDay(text))
    #expect("\(day.month.lowerBound)" == first && "\(day.month.upperBound)" == last)
    #expect(day.year.dayCount == length && day.year.contains(day))
    #expect("\(day.year.lowerBound)".hasSuffix("-01-01") && "\(day.year.upperBound)".hasSuffix("-12-31"))
    #expect(Array(day.month.days).count == day.month.dayCount && day.month.days.first == day.month.lowerBound)
  }
}
