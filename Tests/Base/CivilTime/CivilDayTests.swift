import Testing

@testable import CivilTime

struct CivilDayTests {
  @Test("Every day from 1899 to 2201 survives text and components, and follows the day before")
  func everyDay() throws {
    var day = try #require(CivilDay("1899-01-01"))
    let end = try #require(CivilDay("2201-12-31"))
    while day < end {
      let (year, month, dayOfMonth) = day.components
      #expect(CivilDay(year: year, month: month, day: dayOfMonth) == day)
      #expect(CivilDay(day.description) == day)
      let next = day.advanced(by: 1)
      #expect(next.daysSinceEpoch == day.daysSinceEpoch + 1)
      day = next
    }
  }

  @Test("The allowed days are 1900-01-01 to 2200-12-31")
  func allowed() {
    #expect(CivilDay.allowed.lowerBound.description == "1900-01-01")
    #expect(CivilDay.allowed.upperBound.description == "2200-12-31")
  }

  @Test(
    "A text that is not a day is refused",
    arguments: [
      "2026-02-29", "2026-02-30", "2026-13-01", "2026-00-10", "2026-01-00", "1900-02-29", "2026-1-1", "2026-01-01 ",
      "0000-01-01", "２０２６-01-01", "2026/01/01", "",
    ])
  func refused(_ text: String) {
    #expect(CivilDay(text) == nil)
  }
}
