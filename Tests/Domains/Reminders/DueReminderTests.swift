import DaybookProtocol
import Testing

@testable import Reminders

struct DueReminderTests {
  /// The reminders due at a time of 10 May in Berlin since an earlier check.
  private func due(
    _ candidates: [ReminderCandidate], since: String, now: String, quiet: QuietHours? = nil,
    state: ReminderState = ReminderState()
  ) throws -> DueReminders {
    DueReminders.find(
      try Sample.inputs(candidates, quiet: quiet, state: state), since: try at(since), now: try at(now))
  }

  /// A time of 10 May in Berlin.
  private func at(_ time: String) throws -> Instant {
    try Sample.instant("2026-05-10T\(time):00.000Z").advanced(by: -2 * 3_600_000)
  }

  @Test("Reminders since the last check are due once")
  func once() throws {
    let candidates = [
      try Sample.candidate("b", "2026-05-10", "10:00"), try Sample.candidate("a", "2026-05-10", "10:00"),
      try Sample.candidate("c", "2026-05-10", "09:59"), try Sample.candidate("d", "2026-05-10", "10:01"),
    ]
    let due = try due(candidates, since: "09:59", now: "10:00")
    #expect(due.reminders.map(\.item) == ["a", "b"])
    #expect(try self.due(candidates, since: "10:00", now: "10:01").reminders.map(\.item) == ["d"])
    let state = ReminderState().fired(candidates[0].id, at: try at("10:00"))
    #expect(try self.due(candidates, since: "09:59", now: "10:00", state: state).reminders.map(\.item) == ["a"])
  }

  @Test("Late reminders are due for two hours and then lost")
  func grace() throws {
    let candidate = try Sample.candidate("a", "2026-05-10", "10:00")
    #expect(try due([candidate], since: "08:00", now: "12:00").reminders.count == 1)
    #expect(try due([candidate], since: "08:00", now: "12:01").reminders.isEmpty)
    let inputs = try Sample.inputs([candidate])
    #expect(DueReminders.find(inputs, since: try at("08:00"), now: try at("10:01"), grace: 0).reminders.isEmpty)
    #expect(DueReminders.find(inputs, since: try at("08:00"), now: try at("10:00"), grace: -1).reminders.count == 1)
  }

  @Test("Only the latest missed reminder of an item is due; the others are superseded")
  func collapse() throws {
    let candidates = [
      try Sample.candidate("a", "2026-05-10", "09:00"), try Sample.candidate("a", "2026-05-10", "10:00"),
      try Sample.candidate("a", "2026-05-10", "09:30"), try Sample.candidate("b", "2026-05-10", "09:15"),
      try Sample.candidate("a", "2026-05-10", "09:45", source: .habits),
    ]
    let due = try due(candidates, since: "08:00", now: "10:30")
    #expect(due.reminders.map(\.id) == [candidates[3].id, candidates[4].id, candidates[1].id])
    #expect(due.superseded == [candidates[0].id, candidates[2].id])
    // Another process that last checked before all of them.
    let fired = ReminderState().fired(candidates[1].id, at: try at("10:30"))
    #expect(
      !(try self.due(candidates, since: "08:00", now: "10:31", state: fired).reminders.contains {
        $0.item == "a" && $0.source == .meals
      }))
    let handled = try ReminderState().handled(candidates[1].id, outcome: .done, at: at("10:30"))
    #expect(try self.due(candidates, since: "08:00", now: "10:31", state: handled).reminders.count == 2)
  }

  @Test("Two charges of one item at the same instant are both due")
  func siblings() throws {
    let candidates = [
      try Sample.candidate("x", "2026-05-10", "09:00"), try Sample.candidate("x", "2026-05-17", "09:00", lead: 7),
    ]
    let due = try due(candidates, since: "08:59", now: "09:00")
    #expect(due.reminders.map(\.id) == candidates.map(\.id))
    #expect(due.superseded.isEmpty)
  }

  @Test("Only the latest reminder of an item comes at the end of quiet hours")
  func quiet() throws {
    let candidates = [
      try Sample.candidate("a", "2026-05-09", "23:00"), try Sample.candidate("a", "2026-05-10", "05:00"),
    ]
    let quiet = try QuietHours(start: 22 * 60, end: 7 * 60)
    #expect(try due(candidates, since: "04:00", now: "06:59", quiet: quiet).reminders.isEmpty)
    let due = try due(candidates, since: "06:59", now: "07:00", quiet: quiet)
    #expect(due.reminders.map(\.id) == [candidates[1].id])
    #expect(due.superseded == [candidates[0].id])
  }

  @Test("Done and snoozed reminders are not due; a snoozed one is due at its new time")
  func state() throws {
    let candidate = try Sample.candidate("a", "2026-05-10", "10:00")
    let done = try ReminderState().handled(candidate.id, outcome: .skip, at: at("09:00"))
    #expect(try due([candidate], since: "09:59", now: "10:00", state: done).reminders.isEmpty)
    let snoozed = try ReminderState().fired(candidate.id, at: at("10:00")).snoozed(candidate.id, now: at("10:05"))
    #expect(try due([candidate], since: "09:59", now: "10:24", state: snoozed).reminders.isEmpty)
    let due = try due([candidate], since: "10:24", now: "10:25", state: snoozed)
    #expect(due.reminders.map(\.isSnoozed) == [true])
    let fired = snoozed.fired(candidate.id, at: try at("10:25"))
    #expect(try self.due([candidate], since: "10:24", now: "10:26", state: fired).reminders.isEmpty)
  }

  @Test("A clock that is set back makes nothing due, and given reminders do not repeat")
  func setBack() throws {
    let candidate = try Sample.candidate("a", "2026-05-10", "10:00")
    let state = ReminderState().fired(candidate.id, at: try at("10:00"))
    #expect(try due([candidate], since: "10:00", now: "09:00").reminders.isEmpty)
    #expect(try due([candidate], since: "09:00", now: "10:00", state: state).reminders.isEmpty)
    #expect(try Sample.inputs([candidate], state: state).plan(at: "2026-05-10T06:00:00.000Z").entries.isEmpty)
  }

  @Test("Nothing is due while reminders are disabled")
  func off() throws {
    var inputs = try Sample.inputs([Sample.candidate("a", "2026-05-10", "10:00")])
    inputs.settings.isEnabled = false
    #expect(DueReminders.find(inputs, since: try at("09:59"), now: try at("10:00")).reminders.isEmpty)
  }
}
