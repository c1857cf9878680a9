import DaybookProtocol
import Testing

@testable import Reminders

struct ReminderDifferenceTests {
  private let now = "2026-05-10T06:00:00.000Z"

  @Test("Added, removed, moved and changed reminders are reported by id")
  func difference() throws {
    let kept = try Sample.candidate("kept", "2026-05-10", "10:00")
    let moved = try Sample.candidate("moved", "2026-05-10", "11:00")
    let gone = try Sample.candidate("gone", "2026-05-10", "12:00")
    let worded = try Sample.candidate("worded", "2026-05-10", "13:00")
    let new = try Sample.candidate("new", "2026-05-10", "14:00")
    let old = try Sample.inputs([kept, moved, gone, worded]).plan(at: now)
    let other = ReminderCandidate(id: worded.id) { _ in ReminderText(title: "other") }
    let state = try ReminderState().snoozed(moved.id, now: Sample.instant(now))
    let plan = try Sample.inputs([kept, moved, other, new], state: state).plan(at: now)
    let difference = plan.difference(from: old)
    #expect(difference.added == [new.id])
    #expect(difference.removed == [gone.id])
    #expect(difference.moved == [moved.id])
    #expect(difference.changed == [worded.id])
    #expect(difference.isNews)
  }

  @Test("Elapsed reminders are no news, unless another moves into the limit")
  func elapsed() throws {
    let candidates = [
      try Sample.candidate("a", "2026-05-10", "10:00"), try Sample.candidate("b", "2026-05-10", "11:00"),
      try Sample.candidate("c", "2026-05-10", "12:00"),
    ]
    let inputs = try Sample.inputs(candidates)
    let later = "2026-05-10T08:00:00.000Z"
    let difference = try inputs.plan(at: later).difference(from: inputs.plan(at: now))
    #expect(difference.elapsed == [candidates[0].id])
    #expect(!difference.isNews)
    let limited = try inputs.plan(at: later, limit: 2).difference(from: inputs.plan(at: now, limit: 2))
    #expect(limited.added == [candidates[2].id])
    #expect(limited.isNews)
  }

  @Test("An equal plan is no news, even when made at another time")
  func same() throws {
    let inputs = try Sample.inputs([Sample.candidate("a", "2026-05-10", "10:00")])
    let plan = try inputs.plan(at: now)
    let later = try inputs.plan(at: "2026-05-10T07:00:00.000Z")
    #expect(!later.difference(from: plan).isNews)
  }
}
