import DaybookProtocol
import Testing

@testable import Reminders

struct ReminderClockTests {
  /// Zones whose clocks change in odd ways.
  static let zones = [
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo", "Asia/Beirut", "Pacific/Apia",
    "Africa/Casablanca", "America/Havana",
  ]

  @Test(
    "A time in a gap fires at its end and shows the actual clock; a repeated time fires the first time",
    arguments: [
      ("Europe/Berlin", "2026-03-29", "02:30", "2026-03-29T01:00:00.000Z", "2026-03-29", 180),
      ("Europe/Berlin", "2026-10-25", "02:30", "2026-10-25T00:30:00.000Z", "2026-10-25", 150),
      ("Australia/Lord_Howe", "2026-10-04", "02:10", "2026-10-03T15:30:00.000Z", "2026-10-04", 150),
      ("Australia/Lord_Howe", "2026-04-05", "01:40", "2026-04-04T14:40:00.000Z", "2026-04-05", 100),
      ("America/Sao_Paulo", "2018-11-04", "00:15", "2018-11-04T03:00:00.000Z", "2018-11-04", 60),
      ("Asia/Beirut", "2026-03-29", "00:00", "2026-03-28T22:00:00.000Z", "2026-03-29", 60),
      ("Pacific/Apia", "2011-12-30", "12:00", "2011-12-30T10:00:00.000Z", "2011-12-31", 0),
    ])
  func samples(_ zone: String, _ day: String, _ time: String, _ at: String, _ shown: String, _ minute: Int) throws {
    let inputs = try Sample.inputs([Sample.candidate("a", day, time)], zone: zone)
    let plan = ReminderPlan.make(
      inputs, now: try Sample.instant(at).advanced(by: -1), through: try Sample.day("2030-01-01"))
    let entry = try #require(plan.entries.first)
    #expect(entry.fireAt.description == at)
    #expect(entry.localDay.description == shown)
    #expect(entry.localMinute == minute)
    #expect(entry.zone == zone)
    #expect(entry.day.description == day)
  }

  @Test(
    "Every reminder from 2020 to 2037 fires at the first instant with its clock time or a later one",
    arguments: zones)
  func firstInstant(_ name: String) throws {
    let zone = try Sample.zone(name)
    let first = try Sample.day("2020-01-01")
    let minutes = [0, 30, 115, 150, 195, 1439]
    var candidates: [ReminderCandidate] = []
    for offset in 0..<(18 * 366) {
      let id = try ReminderID(
        source: .habits, item: "a", day: first.advanced(by: offset), minute: minutes[offset % minutes.count])
      candidates.append(ReminderCandidate(id: id) { _ in ReminderText(title: "") })
    }
    let inputs = ReminderInputs(candidates: candidates, zone: zone)
    let now = zone.startOfDay(first.advanced(by: -1))
    let plan = ReminderPlan.make(inputs, now: now, through: first.advanced(by: 10_000))
    try #require(plan.entries.count == candidates.count)
    for entry in plan.entries {
      let target = Int64(entry.id.fireDay.daysSinceEpoch) * 86_400_000 + Int64(entry.id.minute) * 60_000
      func shown(_ instant: Instant) -> Int64 { instant.milliseconds + Int64(zone.offset(at: instant)) * 1000 }
      try #require(shown(entry.fireAt) >= target, "\(entry.id)")
      for quarter in 0..<12 {
        let before = entry.fireAt.advanced(by: -1 - Int64(quarter) * 900_000)
        try #require(shown(before) < target, "\(entry.id)")
      }
      let clock = Int64(entry.localDay.daysSinceEpoch) * 86_400_000 + Int64(entry.localMinute) * 60_000
      try #require(shown(entry.fireAt) == clock, "\(entry.id)")
    }
  }

  @Test("A candidate of another zone fires by that zone's clock and is shown in the plan's zone")
  func foreignZone() throws {
    let candidate = ReminderCandidate(
      id: try Sample.id("a", "2026-05-10", "09:00"), zone: try Sample.zone("America/New_York")
    ) { _ in ReminderText(title: "a") }
    let entry = try #require(try Sample.inputs([candidate]).plan(at: "2026-05-09T12:00:00.000Z").entries.first)
    #expect(entry.fireAt.description == "2026-05-10T13:00:00.000Z")
    #expect(entry.localMinute == 900)
    #expect(entry.zone == "Europe/Berlin")
  }

  @Test("In another zone the reminder keeps its id with another instant, and stays given")
  func zoneChange() throws {
    let candidates = [
      try Sample.candidate("a", "2026-05-10", "08:00"), try Sample.candidate("b", "2026-05-10", "20:00"),
    ]
    let state = ReminderState().fired(candidates[0].id, at: try Sample.instant("2026-05-10T06:00:00.000Z"))
    let berlin = try Sample.inputs(candidates, state: state).plan(at: "2026-05-10T07:00:00.000Z")
    let york = try Sample.inputs(candidates, state: state, zone: "America/New_York").plan(
      at: "2026-05-10T07:00:00.000Z")
    #expect(york.brief == ["b 2026-05-11T00:00:00.000Z"])
    #expect(york.difference(from: berlin).moved == [candidates[1].id])
  }
}
