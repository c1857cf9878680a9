import Testing

@testable import CivilTime

struct PosixRulesTests {
  @Test(
    "The offset of a TZ string, in seconds east, at an instant",
    arguments: [
      ("UTC0", "2026-07-01T00:00:00Z", 0), ("<+0330>-3:30", "2026-07-01T00:00:00Z", 12_600),
      ("AAA-24:59:59", "2026-07-01T00:00:00Z", 89_999), ("AAA+24:59:59", "2026-07-01T00:00:00Z", -89_999),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T00:59:59Z", 3600),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T01:00:00Z", 7200),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T00:59:59Z", 7200),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T01:00:00Z", 3600),
      // Without a rule: the second Sunday of March and the first of November.
      ("EST5EDT", "2026-03-08T06:59:59Z", -18_000), ("EST5EDT", "2026-03-08T07:00:00Z", -14_400),
      ("EST5EDT", "2026-11-01T05:59:59Z", -14_400), ("EST5EDT", "2026-11-01T06:00:00Z", -18_000),
      // A year that ends in summer.
      ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-12-31T23:59:59Z", 39_600),
      ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-07-01T00:00:00Z", 36_000),
      // Negative daylight saving time.
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-01-01T00:00:00Z", 0),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-07-01T00:00:00Z", 3600),
      // A negative time: the Saturday before.
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T00:59:59Z", -7200),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T01:00:00Z", -3600),
      // A time after the day: 50 hours after the fourth Thursday, 26 March 2026, is the Saturday at 02:00.
      ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2026-03-27T23:59:59Z", 7200),
      ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2026-03-28T00:00:00Z", 10_800),
      // Daylight saving time all year, as RFC 9636 §3.3.1 spells it, and the same with a negative one.
      ("EST5EDT,0/0,J365/25", "2025-12-31T23:59:59Z", -14_400),
      ("EST5EDT,0/0,J365/25", "2026-01-01T04:59:59Z", -14_400),
      ("EST5EDT,0/0,J365/25", "2026-01-01T05:00:00Z", -14_400),
      ("EST5EDT,0/0,J365/26", "2026-01-01T04:30:00Z", -14_400),
      ("XXX-2<+01>-1,0/0,J365/23", "2026-01-01T00:00:00Z", 3600),
      ("XXX-2<+01>-1,0/0,J365/23", "2024-12-31T22:00:00Z", 3600),
      // 1 March by J60 in every year; the 60th day by 59 in a leap year.
      ("STD0DST,J60/0,J300", "2024-02-29T23:59:59Z", 0), ("STD0DST,J60/0,J300", "2024-03-01T00:00:00Z", 3600),
      ("STD0DST,J60/0,J300", "2023-03-01T00:00:00Z", 3600), ("STD0DST,J60/0,J300", "2023-02-28T23:59:59Z", 0),
      ("STD0DST,59/0,300", "2024-02-29T00:00:00Z", 3600), ("STD0DST,59/0,300", "2024-02-28T23:59:59Z", 0),
      ("STD0DST,59/0,300", "2023-03-01T00:00:00Z", 3600), ("STD0DST,59/0,300", "2023-02-28T23:59:59Z", 0),
      // 167 hours extend into the new year.
      ("STD0DST,J365/167,J100", "2026-01-06T22:59:59Z", 0),
      ("STD0DST,J365/167,J100", "2026-01-06T23:00:00Z", 3600),
    ] as [(String, String, Int)])
  func offsets(_ text: String, _ instant: String, _ offset: Int) throws {
    let rules = try TimeZoneRules(posix: text)
    #expect(rules.name == text)
    #expect(rules.offset(at: try #require(Instant(instant))) == offset)
  }

  @Test(
    "An invalid TZ string is refused, with the offset",
    arguments: [
      ("", 0), ("Europe/Berlin", 6), ("CE-1", 2), ("CET", 3), ("CET-", 4), ("CET-25", 6), ("CET-1:6", 7),
      ("CET-1:60", 8), ("CET-100", 6), ("<+3-3:30", 5), ("<+0330", 6), ("CET-1CEST,M3.5.0", 16), ("CET-1CEST,", 10),
      ("CET-1CEST,M13.5.0,M10.5.0", 13), ("CET-1CEST,M3.6.0,M10.5.0", 14), ("CET-1CEST,M3.0.0,M10.5.0", 14),
      ("CET-1CEST,M3.5.7,M10.5.0", 16), ("CET-1CEST,J0,J5", 12), ("CET-1CEST,J366,J5", 14), ("CET-1CEST,366,5", 13),
      ("CET-1CEST,M3.5.0/168,M10.5.0", 20), ("CET-1CEST,M3.5.0,M10.5.0/3 ", 26), ("CET-1CEST,M3.5.0,M10.5.0,", 24),
      ("CET-1\u{0}", 5), ("ÇET-1", 0), (" CET-1", 0), ("CET--1", 4),
    ])
  func refused(_ text: String, _ byteOffset: Int) {
    let error = #expect(throws: TimeZoneError.self) { try TimeZoneRules(posix: text) }
    #expect(error?.code == .malformedRule)
    #expect(error?.zone == text)
    #expect(error?.byteOffset == byteOffset)
  }

  @Test("A footer alone agrees with the table in the years that both cover", arguments: ZoneSamples.names)
  func footerAndTable(_ name: String) throws {
    let rules = try ZoneSamples.rules(name)
    guard let file = rules.table, let last = file.times.last, !file.footerText.isEmpty else { return }
    let footer = try TimeZoneRules(posix: file.footerText)
    // Fat files repeat the footer's changes in the table up to 2037; slim ones have nothing to compare. Longer tables
    // (Casablanca, Gaza) have predictions that no rule can express.
    guard last < 2_145_916_800 else { return }
    for second in stride(from: 2_082_758_400, to: max(last, 2_082_758_400), by: 86_399) {
      try #require(rules.span(at: second).offset == footer.span(at: second).offset, "at second \(second)")
    }
  }

  @Test("Spans of a rule join without gaps and repeat after four hundred years")
  func spans() throws {
    for text in ["CET-1CEST,M3.5.0,M10.5.0/3", "STD0DST,J365/167,J100", "STD0DST,0/-167,1/-167", "EST5EDT,0/0,J365/25"]
    {
      let rules = try TimeZoneRules(posix: text)
      var second: Int64 = -100_000_000_000
      for _ in 0..<2000 {
        let span = rules.span(at: second)
        try #require(span.start <= second && second < span.end)
        try #require(rules.span(at: span.start) == span)
        try #require(rules.span(at: span.end - 1) == span)
        try #require(rules.span(at: second + 146_097 * 86_400).offset == span.offset)
        second = span.end
      }
    }
  }
}
