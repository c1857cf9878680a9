import DaybookProtocol
import Testing

@testable import Reminders

struct ReminderSnoozeTests {
  private let now = "2026-05-10T08:00:00.000Z"

  @Test("A snooze moves the reminder by minutes from now, before and after it was given")
  func snooze() throws {
    let candidate = try Sample.candidate("a", "2026-05-10", "09:30")
    let later = try Sample.candidate("b", "2026-05-10", "18:00")
    let state = try ReminderState().fired(candidate.id, at: Sample.instant("2026-05-10T07:30:00.000Z"))
      .snoozed(candidate.id, now: Sample.instant(now)).snoozed(later.id, minutes: 60, now: Sample.instant(now))
    let plan = try Sample.inputs([candidate, later], state: state).plan(at: now)
    #expect(plan.brief == ["a 2026-05-10T08:20:00.000Z", "b 2026-05-10T09:00:00.000Z"])
    #expect(plan.entries.allSatisfy { $0.isSnoozed })
    #expect(plan.entries.map(\.id) == [candidate.id, later.id])
  }

  @Test("Snoozing can go on for days after the reminder's own time")
  func survives() throws {
    let candidate = try Sample.candidate("a", "2026-05-01", "09:30")
    let state = try ReminderState().snoozed(candidate.id, minutes: 1440, now: Sample.instant(now))
    let strict = StrictCandidates(candidates: [candidate], zone: try Sample.zone())
    let inputs = ReminderInputs(candidates: strict, zone: try Sample.zone(), state: state)
    #expect(try inputs.plan(at: "2026-05-11T07:00:00.000Z").brief == ["a 2026-05-11T08:00:00.000Z"])
    #expect(try inputs.plan(at: "2026-05-11T08:00:00.000Z").entries.isEmpty)
  }

  @Test("Quiet hours apply to snoozes, also of a reminder whose day is over")
  func quiet() throws {
    let quiet = try QuietHours(start: 10 * 60 + 10, end: 12 * 60)
    for isOver in [false, true] {
      let candidate = try Sample.candidate("a", "2026-05-10", "09:30", isOver: isOver)
      let state = try ReminderState().snoozed(candidate.id, now: Sample.instant(now))
      #expect(try Sample.inputs([candidate], state: state).plan(at: now).total == 1)
      let plan = try Sample.inputs([candidate], quiet: quiet, state: state).plan(at: now)
      #expect(plan.entries.first?.localMinute == 720)
    }
  }

  @Test("A snooze may end on the next day, when only it still gives the reminder")
  func overMidnight() throws {
    let late = "2026-05-10T19:50:00.000Z"
    let candidate = try Sample.candidate("a", "2026-05-10", "21:50", isOver: true)
    let state = try ReminderState().snoozed(candidate.id, minutes: 180, now: Sample.instant(late))
    let night = "2026-05-10T22:30:00.000Z"
    #expect(try Sample.inputs([candidate], state: state).plan(at: night).brief == ["a 2026-05-10T22:50:00.000Z"])
    let inputs = try Sample.inputs([candidate], state: state)
    let due = DueReminders.find(
      inputs, since: try Sample.instant(night), now: try Sample.instant("2026-05-10T22:50:00.000Z"))
    #expect(due.reminders.map(\.id) == [candidate.id])
    let unsnoozed = try Sample.inputs([candidate])
    #expect(
      DueReminders.find(
        unsnoozed, since: try Sample.instant("2026-05-10T19:00:00.000Z"), now: try Sample.instant(night)
      ).reminders.isEmpty, "its day is over")
  }

  @Test("Doing or skipping ends the snooze and that occurrence only", arguments: [ReminderAction.done, .skip])
  func handled(_ outcome: ReminderAction) throws {
    let first = try Sample.candidate("a", "2026-05-10", "18:00")
    let second = try Sample.candidate("a", "2026-05-11", "18:00")
    let state = try ReminderState().snoozed(first.id, now: Sample.instant(now))
      .handled(first.id, outcome: outcome, at: Sample.instant(now))
    let inputs = try Sample.inputs([first, second], state: state)
    #expect(try inputs.plan(at: now).entries.map(\.id) == [second.id])
    #expect(state.snoozes.isEmpty)
    #expect(throws: ReminderError.self) { try state.snoozed(first.id, now: Sample.instant(now)) }
  }

  @Test("The snooze of a candidate that no longer exists has no effect")
  func gone() throws {
    let state = try ReminderState().snoozed(Sample.id("a", "2026-05-10", "09:30"), now: Sample.instant(now))
    #expect(try Sample.inputs([], state: state).plan(at: now).entries.isEmpty)
  }

  @Test("Other than 1 to 1440 minutes are refused", arguments: [Int.min, 0, 1441, .max])
  func range(_ minutes: Int) throws {
    let id = try Sample.id("a", "2026-05-10", "09:30")
    #expect(throws: ReminderError.self) { try ReminderState().snoozed(id, minutes: minutes, now: Sample.instant(now)) }
  }
}
