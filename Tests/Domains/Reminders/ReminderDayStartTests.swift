import DaybookProtocol
import Testing

@testable import Reminders

@Suite("Reminders and the start of the day")
struct ReminderDayStartTests {
  @Test(
    "A time before the start of the day comes on the next day of the calendar, and its text is for the running day",
    arguments: [
      ("23:30", "2026-05-10T21:30:00.000Z"), ("00:30", "2026-05-10T22:30:00.000Z"),
      ("02:59", "2026-05-11T00:59:00.000Z"), ("03:00", "2026-05-10T01:00:00.000Z"),
    ])
  func running(_ time: String, _ expected: String) throws {
    let candidate = ReminderCandidate(id: try Sample.id("a", "2026-05-10", time)) { day in
      ReminderText(title: "\(day)")
    }
    let start = try #require(DayStart(minutes: 180))
    let inputs = try Sample.inputs([candidate], dayStart: start)
    let plan = try inputs.plan(at: "2026-05-09T22:00:00.000Z")
    #expect(plan.entries.map { "\($0.fireAt)" } == [expected])
    #expect(plan.entries.map(\.title) == ["2026-05-10"])
  }

  @Test("A plan through today has the reminders of the running day")
  func today() throws {
    let start = try #require(DayStart(minutes: 180))
    let inputs = try Sample.inputs(
      [Sample.candidate("a", "2026-05-10", "00:30"), Sample.candidate("b", "2026-05-11", "04:00")], dayStart: start)
    let now = try Sample.instant("2026-05-10T22:10:00.000Z")
    #expect(inputs.day(at: now) == (try Sample.day("2026-05-10")))
    #expect(ReminderPlan.make(inputs, now: now, through: inputs.day(at: now)).entries.map(\.item) == ["a"])
  }
}
