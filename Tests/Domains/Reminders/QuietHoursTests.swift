import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Reminders

struct QuietHoursTests {
  @Test(
    "A reminder in quiet hours comes when they end",
    arguments: [
      ("22:00", "2026-05-11T05:00:00.000Z"), ("23:59", "2026-05-11T05:00:00.000Z"),
      ("06:59", "2026-05-10T05:00:00.000Z"), ("07:00", "2026-05-10T05:00:00.000Z"),
      ("21:59", "2026-05-10T19:59:00.000Z"), ("00:00", "2026-05-10T05:00:00.000Z"),
    ])
  func overMidnight(_ time: String, _ expected: String) throws {
    let quiet = try QuietHours(start: 22 * 60, end: 7 * 60)
    let inputs = try Sample.inputs([Sample.candidate("a", "2026-05-10", time)], quiet: quiet)
    let entry = try #require(try inputs.plan(at: "2026-05-09T12:00:00.000Z").entries.first)
    #expect(entry.fireAt.description == expected)
    #expect(entry.id == (try Sample.id("a", "2026-05-10", time)))
  }

  @Test("Quiet hours within a day end on that day")
  func withinDay() throws {
    let quiet = try QuietHours(start: 13 * 60, end: 15 * 60)
    let inputs = try Sample.inputs([Sample.candidate("a", "2026-05-10", "14:30")], quiet: quiet)
    #expect(try inputs.plan(at: "2026-05-09T12:00:00.000Z").entries.first?.localMinute == 900)
  }

  @Test("They may end on the next day; what they do not hold is not given once its day is over")
  func nextDay() throws {
    let quiet = try QuietHours(start: 22 * 60, end: 7 * 60)
    let candidates = [
      try Sample.candidate("late", "2026-05-10", "23:00", isOver: true),
      try Sample.candidate("evening", "2026-05-10", "21:00", isOver: true),
      try Sample.candidate("open", "2026-05-11", "06:00"),
    ]
    let inputs = try Sample.inputs(candidates, quiet: quiet)
    #expect(try inputs.plan(at: "2026-05-10T22:30:00.000Z").entries.flatMap(\.ids).map(\.item) == ["late", "open"])
    let due = DueReminders.find(
      inputs, since: try Sample.instant("2026-05-10T18:00:00.000Z"), now: try Sample.instant("2026-05-11T05:00:00.000Z")
    )
    #expect(due.reminders.map(\.body) == ["late; open"])
  }

  @Test("A summary names what is due, and not only what kind it is of")
  func names() throws {
    let quiet = try QuietHours(start: 22 * 60, end: 7 * 60)
    let candidates = try [("a", "Netflix"), ("b", "Spotify")].map { item, name in
      ReminderCandidate(id: try Sample.id(item, "2026-05-10", "06:00")) { _ in
        ReminderText(title: "Upcoming charge", body: "It renews.", subject: name)
      }
    }
    let plan = try Sample.inputs(candidates, quiet: quiet).plan(at: "2026-05-10T03:00:00.000Z")
    #expect(plan.entries.map(\.body) == ["Upcoming charge: Netflix; Upcoming charge: Spotify"])
  }

  @Test("Reminders at their end become one summary with the latest of each item; a single one is unchanged")
  func summary() throws {
    let quiet = try QuietHours(start: 22 * 60, end: 7 * 60)
    let candidates = try [
      Sample.candidate("b", "2026-05-10", "06:00"), Sample.candidate("a", "2026-05-09", "22:00"),
      Sample.candidate("a", "2026-05-10", "05:00"), Sample.candidate("c", "2026-05-10", "07:00"),
      Sample.candidate("a", "2026-05-10", "23:00"),
    ]
    let inputs = try Sample.inputs(candidates, quiet: quiet)
    let plan = try inputs.plan(at: "2026-05-09T12:00:00.000Z")
    #expect(
      plan.brief == [
        "c 2026-05-10T05:00:00.000Z", "quietHours 2026-05-10T05:00:00.000Z", "a 2026-05-11T05:00:00.000Z",
      ])
    #expect(plan.total == 3)
    let summary = plan.entries[1]
    #expect("\(summary.id)" == "summary:quietHours:2026-05-10:0700")
    #expect(summary.ids == [candidates[2].id, candidates[0].id])
    #expect(summary.title == "2 reminders came in quiet hours")
    #expect(summary.body == "a; b")
    #expect(summary.actions == [.open])
    #expect(plan.reminder(candidates[0].id)?.fireAt == summary.fireAt)
    let now = try Sample.instant("2026-05-10T05:00:00.000Z")
    let due = DueReminders.find(inputs, since: now.advanced(by: -1), now: now)
    #expect(due.reminders == Array(plan.entries.prefix(2)))
    #expect(due.superseded == [candidates[1].id])
    var state = try ReminderState().handled(candidates[0].id, outcome: .done, at: now.advanced(by: -1000))
    #expect(
      try Sample.inputs(candidates, quiet: quiet, state: state).plan(at: "2026-05-10T03:00:00.000Z").entries[0].ids
        == [candidates[2].id], "one that is left stays itself")
    state = try state.snoozed(candidates[2].id, minutes: 300, now: try Sample.instant("2026-05-10T03:00:00.000Z"))
    #expect(
      try Sample.inputs(candidates, quiet: quiet, state: state).plan(at: "2026-05-10T03:00:00.000Z").brief.contains(
        "a 2026-05-10T08:00:00.000Z"))
  }

  @Test("Yesterday's reminder is in the plan until it comes")
  func reach() throws {
    let quiet = try QuietHours(start: 22 * 60, end: 7 * 60)
    var inputs = try Sample.inputs([], quiet: quiet)
    inputs.candidates = StrictCandidates(
      candidates: [try Sample.candidate("a", "2026-05-10", "23:00")], zone: try Sample.zone())
    #expect(try inputs.plan(at: "2026-05-11T03:00:00.000Z").brief == ["a 2026-05-11T05:00:00.000Z"])
    #expect(try inputs.plan(at: "2026-05-11T05:00:00.000Z").entries.isEmpty)
  }

  @Test("Hours of equal ends or outside the day are refused", arguments: [(60, 60), (-1, 60), (60, 1440)])
  func refused(_ start: Int, _ end: Int) {
    #expect(throws: ReminderError.self) { try QuietHours(start: start, end: end) }
  }

  @Test(
    "In any zone, an instant is never moved back, into quiet hours, or beyond their end",
    arguments: ReminderClockTests.zones)
  func property(_ name: String) throws {
    let zone = try Sample.zone(name)
    var generator = SeededGenerator(seed: 22)
    for _ in 0..<2000 {
      let start = generator.below(1440)
      let quiet = try QuietHours(start: start, end: (start + 1 + generator.below(1439)) % 1440)
      let instant = Instant(milliseconds: Int64(generator.among(1_320_000...2_145_000)) * 1_000_000)
      let moved = quiet.firstAllowed(from: instant, in: zone)
      let minute = zone.wallClock(at: moved).secondOfDay / 60
      try #require(moved >= instant)
      try #require(!quiet.contains(minute: minute), "\(quiet) from \(instant) to \(moved)")
      guard moved > instant else { continue }
      // Just before, it was still quiet.
      let before = zone.wallClock(at: moved.advanced(by: -1)).secondOfDay / 60
      try #require(quiet.contains(minute: before), "\(quiet) from \(instant) to \(moved)")
    }
  }
}
