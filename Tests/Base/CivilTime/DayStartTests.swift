import Foundation
import Testing

@testable import CivilTime

struct DayStartTests {
  @Test("Only minutes from midnight to six in the morning are a start", arguments: [-1, 0, 360, 361, Int.min, .max])
  func allowed(_ minutes: Int) {
    #expect(DayStart(minutes: minutes)?.minutes == ((0...360).contains(minutes) ? minutes : nil))
    #expect(DayStart(minutes: 0) == .midnight)
  }

  @Test(
    "Late at night it is still the day before",
    arguments: [
      ("Europe/Berlin", 240, "2026-05-10T01:59:59.999Z", "2026-05-09", "2026-05-10T02:00:00.000Z"),
      ("Europe/Berlin", 240, "2026-05-10T02:00:00.000Z", "2026-05-10", "2026-05-11T02:00:00.000Z"),
      ("Europe/Berlin", 0, "2026-05-10T21:59:59.999Z", "2026-05-10", "2026-05-10T22:00:00.000Z"),
      // The start lies in a gap: the day begins after it.
      ("Europe/Berlin", 150, "2026-03-29T00:59:59.999Z", "2026-03-28", "2026-03-29T01:00:00.000Z"),
      ("Europe/Berlin", 150, "2026-03-29T01:00:00.000Z", "2026-03-29", "2026-03-30T00:30:00.000Z"),
      // The clock shows the start twice; it counts once, and 02:00 after 02:59 does not return to the day before.
      ("Europe/Berlin", 150, "2026-10-25T00:30:00.000Z", "2026-10-25", "2026-10-26T01:30:00.000Z"),
      ("Europe/Berlin", 150, "2026-10-25T01:10:00.000Z", "2026-10-25", "2026-10-26T01:30:00.000Z"),
      // No midnight.
      ("America/Sao_Paulo", 0, "2018-11-04T02:59:59.999Z", "2018-11-03", "2018-11-04T03:00:00.000Z"),
      ("Asia/Beirut", 0, "2026-03-28T22:00:00.000Z", "2026-03-29", "2026-03-29T21:00:00.000Z"),
      // Half an hour.
      ("Australia/Lord_Howe", 125, "2026-10-03T15:29:59.999Z", "2026-10-03", "2026-10-03T15:30:00.000Z"),
      // Set back over midnight a minute after it; the new day has begun anyway.
      ("America/St_Johns", 0, "2010-11-07T02:29:59.999Z", "2010-11-06", "2010-11-07T02:30:00.000Z"),
      ("America/St_Johns", 0, "2010-11-07T02:45:00.000Z", "2010-11-07", "2010-11-08T03:30:00.000Z"),
      // A skipped day: the night of the 29th ends on the 31st at four.
      ("Pacific/Apia", 0, "2011-12-30T09:59:59.999Z", "2011-12-29", "2011-12-30T10:00:00.000Z"),
      ("Pacific/Apia", 0, "2011-12-30T10:00:00.000Z", "2011-12-31", "2011-12-31T10:00:00.000Z"),
      ("Pacific/Apia", 240, "2011-12-30T13:59:59.999Z", "2011-12-29", "2011-12-30T14:00:00.000Z"),
      ("Pacific/Apia", 240, "2011-12-30T14:00:00.000Z", "2011-12-31", "2011-12-31T14:00:00.000Z"),
    ])
  func samples(_ zone: String, _ minutes: Int, _ instant: String, _ day: String, _ roll: String) throws {
    let rules = try ZoneSamples.rules(zone)
    let start = try #require(DayStart(minutes: minutes))
    let instant = try #require(Instant(instant))
    #expect(start.day(at: instant, in: rules).description == day)
    #expect(start.nextChange(after: instant, in: rules).description == roll)
  }

  @Test(
    "Day changes strictly ascend, and the day changes exactly at each",
    arguments: ZoneSamples.names)
  func rolls(_ name: String) throws {
    let rules = try ZoneSamples.rules(name)
    for (minutes, year) in [(0, 1969), (0, 2011), (90, 2024), (150, 2010), (240, 2011), (360, 2036)] {
      let start = try #require(DayStart(minutes: minutes))
      let first = try #require(CivilDay(year: year, month: 1, day: 2))
      var instant = start.start(of: first, in: rules)
      for _ in 0..<730 {
        let day = start.day(at: instant, in: rules)
        let next = start.nextChange(after: instant, in: rules)
        try #require(next > instant, "\(day)")
        try #require(start.day(at: next.advanced(by: -1), in: rules) == day, "\(day)")
        try #require(start.day(at: next, in: rules) > day, "\(day)")
        let between = Instant(milliseconds: instant.milliseconds + (next.milliseconds - instant.milliseconds) / 2)
        try #require(start.nextChange(after: between, in: rules) == next, "\(day)")
        instant = next
      }
    }
  }

  @Test(
    "Away from clock changes, the day is Foundation's, shifted by the day start",
    arguments: ZoneSamples.names)
  func foundation(_ name: String) throws {
    let rules = try ZoneSamples.rules(name)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: name))
    var generator = SeededGenerator(seed: 360)
    for _ in 0..<500 {
      let second = Int64.random(in: 0..<4_102_444_800, using: &generator)
      let minutes = Int.random(in: DayStart.allowed, using: &generator)
      let start = try #require(DayStart(minutes: minutes))
      guard rules.offset(at: Instant(second: second - 172_800)) == rules.offset(at: Instant(second: second + 172_800))
      else { continue }
      let shown = calendar.dateComponents(
        [.year, .month, .day], from: Date(timeIntervalSince1970: Double(second - Int64(minutes) * 60)))
      let day = try #require(
        CivilDay(year: shown.year ?? 0, month: shown.month ?? 0, day: shown.day ?? 0))
      try #require(start.day(at: Instant(second: second), in: rules) == day, "at \(second), \(minutes)")
    }
  }
}
