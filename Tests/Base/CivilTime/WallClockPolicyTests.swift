import Foundation
import Testing

@testable import CivilTime

struct WallClockPolicyTests {
  @Test(
    "A minute in a gap means the end of the gap",
    arguments: [
      ("Europe/Berlin", "2026-03-29", 150, "2026-03-29T01:00:00.000Z"),
      ("Australia/Lord_Howe", "2026-10-04", 125, "2026-10-03T15:30:00.000Z"),
      ("Asia/Beirut", "2026-03-29", 15, "2026-03-28T22:00:00.000Z"),
      ("America/New_York", "2026-03-08", 120, "2026-03-08T07:00:00.000Z"),
    ])
  func gap(_ zone: String, _ day: String, _ minute: Int, _ end: String) throws {
    let rules = try ZoneSamples.rules(zone)
    let day = try #require(CivilDay(day))
    #expect(rules.instant(day, minuteOfDay: minute).description == end)
  }

  @Test("A repeated minute means its first or second instant, by the policy")
  func overlap() throws {
    let rules = try ZoneSamples.rules("Europe/Berlin")
    let day = try #require(CivilDay("2026-10-25"))
    #expect(rules.instant(day, minuteOfDay: 150).description == "2026-10-25T00:30:00.000Z")
    #expect(rules.instant(day, minuteOfDay: 150, overlap: .second).description == "2026-10-25T01:30:00.000Z")
  }

  @Test("A minute outside the day is clamped", arguments: [Int.min, -1, 1440, .max])
  func clamped(_ minute: Int) throws {
    let rules = try ZoneSamples.rules("Europe/Berlin")
    let day = try #require(CivilDay("2026-05-10"))
    #expect(rules.instant(day, minuteOfDay: minute) == rules.instant(day, minuteOfDay: minute < 0 ? 0 : 1439))
  }

  @Test(
    "The default is the first instant that Foundation matches, or the next that exists",
    arguments: [
      "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo", "Asia/Beirut", "Pacific/Apia",
    ])
  func foundation(_ name: String) throws {
    let rules = try ZoneSamples.rules(name)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: name))
    var generator = SeededGenerator(seed: 2037)
    for _ in 0..<1500 {
      let second = Int64.random(in: 1_577_836_800..<2_145_916_800, using: &generator)
      let day = rules.day(at: Instant(second: second))
      let minute = Int.random(in: 0...1439, using: &generator)
      let instant = rules.instant(day, minuteOfDay: minute)
      let before = Date(timeIntervalSince1970: Double(rules.startOfDay(day).wholeSeconds - 1))
      let match = calendar.nextDate(
        after: before, matching: DateComponents(hour: minute / 60, minute: minute % 60, second: 0),
        matchingPolicy: .nextTime, repeatedTimePolicy: .first)
      try #require(Double(instant.wholeSeconds) == match?.timeIntervalSince1970, "\(day) \(minute)")
    }
  }
}
