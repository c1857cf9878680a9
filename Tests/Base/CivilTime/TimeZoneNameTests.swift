import Testing

@testable import CivilTime

struct TimeZoneNameTests {
  @Test(
    "An IANA name is kept unchanged",
    arguments: [
      "UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "America/Port-au-Prince", "Etc/GMT+5", "GMT-0",
      "EST5EDT",
      "America/St.Somewhere", String(repeating: "a", count: 255),
    ])
  func accepted(_ text: String) {
    #expect(TimeZoneName(text)?.text == text)
  }

  @Test(
    "Path escapes and invalid names are refused",
    arguments: [
      "", "/etc/passwd", "../Berlin", "Europe/../../etc/passwd", "Europe/..", "Europe//Berlin", "Europe/",
      "Europe/.hidden",
      ".", "Europe/Ber..lin", "Europe/-Berlin", "-Europe", "1Europe", "_Europe", "Europe/Berlin ", " Europe/Berlin",
      "Europe\\Berlin", "Europe/Berlin\0", "Europe/Zürich", "CET-1CEST,M3.5.0,M10.5.0/3", ":UTC",
      String(repeating: "a", count: 256),
    ])
  func refused(_ text: String) {
    #expect(TimeZoneName(text) == nil)
    let error = #expect(throws: TimeZoneError.self) {
      try SystemTimeZoneDatabase.fromEnvironment().rules(named: text)
    }
    #expect(error?.code == .invalidName)
  }
}
