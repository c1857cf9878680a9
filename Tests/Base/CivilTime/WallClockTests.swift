import Testing

@testable import CivilTime

struct WallClockTests {
  @Test(
    "A time in a gap moves by the gap, and the change is known",
    arguments: [
      ("Europe/Berlin", "2026-03-29", 9000, "2026-03-29T01:00:00.000Z", "2026-03-29T01:30:00.000Z"),
      ("Australia/Lord_Howe", "2026-10-04", 7500, "2026-10-03T15:30:00.000Z", "2026-10-03T15:35:00.000Z"),
      ("Pacific/Apia", "2011-12-30", 43_200, "2011-12-30T10:00:00.000Z", "2011-12-30T22:00:00.000Z"),
      ("America/Sao_Paulo", "2018-11-04", 0, "2018-11-04T03:00:00.000Z", "2018-11-04T03:00:00.000Z"),
      ("America/Toronto", "1919-03-31", 0, "1919-03-31T04:30:00.000Z", "1919-03-31T05:00:00.000Z"),
      // By the footer alone, long after the table.
      ("Europe/Berlin", "2199-03-31", 9000, "2199-03-31T01:00:00.000Z", "2199-03-31T01:30:00.000Z"),
    ])
  func gaps(_ zone: String, _ day: String, _ second: Int, _ change: String, _ moved: String) throws {
    let rules = try ZoneSamples.rules(zone)
    let day = try #require(CivilDay(day))
    let expected = WallClockReading.skipped(
      change: try #require(Instant(change)), moved: try #require(Instant(moved)))
    #expect(rules.reading(day, secondOfDay: second) == expected)
    #expect(rules.instant(day, secondOfDay: second).description == moved)
  }

  @Test(
    "A repeated time means the first instant",
    arguments: [
      ("Europe/Berlin", "2026-10-25", 9000, "2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"),
      ("Australia/Lord_Howe", "2026-04-05", 6000, "2026-04-04T14:40:00.000Z", "2026-04-04T15:10:00.000Z"),
      ("America/Havana", "2026-11-01", 0, "2026-11-01T04:00:00.000Z", "2026-11-01T05:00:00.000Z"),
      ("Europe/Dublin", "2026-10-25", 5400, "2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"),
      ("Antarctica/Troll", "2026-10-25", 5400, "2026-10-24T23:30:00.000Z", "2026-10-25T01:30:00.000Z"),
      // A repeated day.
      ("Pacific/Kwajalein", "1969-09-30", 43_200, "1969-09-30T01:00:00.000Z", "1969-10-01T00:00:00.000Z"),
    ])
  func overlaps(_ zone: String, _ day: String, _ second: Int, _ first: String, _ later: String) throws {
    let rules = try ZoneSamples.rules(zone)
    let day = try #require(CivilDay(day))
    let expected = WallClockReading.repeated(
      first: try #require(Instant(first)), second: try #require(Instant(later)))
    #expect(rules.reading(day, secondOfDay: second) == expected)
    #expect(rules.instant(day, secondOfDay: second).description == first)
  }

  @Test(
    "A day starts at its first instant",
    arguments: [
      ("Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00.000Z"),
      ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00.000Z"),
      ("America/Sao_Paulo", "2018-02-18", "2018-02-18T03:00:00.000Z"),
      ("America/Havana", "2026-11-01", "2026-11-01T04:00:00.000Z"),
      ("America/Toronto", "1919-03-31", "1919-03-31T04:30:00.000Z"),
      ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00.000Z"),
      ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00.000Z"),
    ])
  func startOfDay(_ zone: String, _ day: String, _ start: String) throws {
    let day = try #require(CivilDay(day))
    #expect(try ZoneSamples.rules(zone).startOfDay(day).description == start)
  }

  @Test("Every reading agrees with an exhaustive search nearby", arguments: ZoneSamples.names)
  func againstSearch(_ name: String) throws {
    let rules = try ZoneSamples.rules(name)
    var generator = SeededGenerator(seed: 7)
    // Half of the readings are random, half within a day of a change, where it matters.
    var change = ZoneSamples.years.lowerBound
    for round in 0..<400 {
      if round % 2 == 0 {
        change = Int64.random(in: ZoneSamples.years, using: &generator)
      } else {
        let next = rules.span(at: change).end
        if next < ZoneSamples.years.upperBound { change = next }
      }
      let local = change / 900 * 900 + Int64.random(in: -96...96, using: &generator) * 900
      let (day, second) = TimeZoneRules.utc.wallClock(at: Instant(second: local))
      let offsets = Set((-112...112).map { rules.span(at: local + $0 * 900).offset })
      let found = offsets.map { local - Int64($0) }.filter { $0 + Int64(rules.span(at: $0).offset) == local }.sorted()
      switch rules.reading(day, secondOfDay: second) {
      case .once(let instant):
        try #require(found.map(Instant.init(second:)) == [instant], "\(day) \(second)")
      case .repeated(let first, let later):
        try #require(found.prefix(2).map(Instant.init(second:)) == [first, later], "\(day) \(second)")
      case .skipped(let change, let moved):
        try #require(found.isEmpty, "\(day) \(second)")
        let before = Int64(rules.offset(at: change.advanced(by: -1)))
        let after = Int64(rules.offset(at: change))
        try #require(change.wholeSeconds + before <= local && local < change.wholeSeconds + after)
        try #require(moved.wholeSeconds == local - before)
      }
    }
  }

  @Test("No instant, day or second is out of range", arguments: [Int64.min, -1, 0, 1, .max])
  func extremes(_ milliseconds: Int64) throws {
    for name in ZoneSamples.names {
      let rules = try ZoneSamples.rules(name)
      #expect(OffsetSpan.allowedOffsets.contains(Int32(rules.offset(at: Instant(milliseconds: milliseconds)))))
      #expect((0..<86_400).contains(rules.wallClock(at: Instant(milliseconds: milliseconds)).secondOfDay))
    }
    let farthest = CivilDay(daysSinceEpoch: Int32(clamping: milliseconds))
    let second = Int(clamping: milliseconds)
    let clamped = min(max(second, 0), 86_399)
    let rules = try ZoneSamples.rules("Europe/Berlin")
    #expect(rules.instant(farthest, secondOfDay: second) == rules.instant(farthest, secondOfDay: clamped))
  }
}
