import Foundation
import Testing

@testable import CivilTime

/// Foundation is the oracle. It agrees with the files at every tested instant in 1900…2200, so no zone is exempt.
struct TimeZoneOracleTests {
  @Test("Offsets agree with Foundation at thousands of instants from 1900 to 2200", arguments: ZoneSamples.names)
  func randomInstants(_ name: String) throws {
    let rules = try ZoneSamples.rules(name)
    let oracle = try #require(TimeZone(identifier: name))
    var generator = SeededGenerator(seed: 1900)
    for _ in 0..<4000 {
      let second = Int64.random(in: ZoneSamples.years, using: &generator)
      try #require(rules.offset(at: Instant(second: second)) == expected(oracle, second), "at second \(second)")
    }
  }

  @Test(
    "Offsets agree with Foundation a second before and at every change from 1900 to 2200",
    arguments: ZoneSamples.names)
  func everyChange(_ name: String) throws {
    let rules = try ZoneSamples.rules(name)
    let oracle = try #require(TimeZone(identifier: name))
    var second = ZoneSamples.years.lowerBound
    while true {
      second = rules.span(at: second).end
      guard second < ZoneSamples.years.upperBound else { break }
      for instant in [second - 1, second] {
        try #require(rules.offset(at: Instant(second: instant)) == expected(oracle, instant), "at second \(instant)")
      }
    }
  }

  @Test(
    "Days begin when Foundation says they do, but for midnights the clock showed twice", arguments: ZoneSamples.names)
  func startOfDay(_ name: String) throws {
    let rules = try ZoneSamples.rules(name)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: name))
    var generator = SeededGenerator(seed: 2200)
    for _ in 0..<1000 {
      let instant = Instant(second: Int64.random(in: ZoneSamples.years, using: &generator))
      let day = rules.day(at: instant)
      guard case .once(let start) = rules.reading(day, secondOfDay: 0) else { continue }
      let midnight = calendar.startOfDay(for: Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000))
      try #require(start.milliseconds == Int64(midnight.timeIntervalSince1970 * 1000), "\(day)")
    }
  }

  /// Foundation's offset at a second since the epoch.
  private func expected(_ zone: TimeZone, _ second: Int64) -> Int {
    zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
  }
}
