import DaybookProtocol
import Testing

@testable import Reminders

struct ReminderStateTests {
  private let now = Instant(milliseconds: 1_778_400_000_000)

  /// A state with an entry of every kind.
  private func full() throws -> ReminderState {
    try ReminderState().fired(Sample.id("a", "2026-05-10", "09:00"), at: now)
      .snoozed(Sample.id("b", "2026-05-10", "09:30", lead: 2), minutes: 30, now: now)
      .handled(Sample.id("c", "2026-05-10", "10:00"), outcome: .done, at: now)
      .handled(Sample.id("d", "2026-05-10", "10:00"), outcome: .skip, at: now)
  }

  @Test("A state survives a JSON round trip, and equal states have equal text")
  func roundTrip() throws {
    let state = try full()
    let (again, unread) = ReminderState.read(state.json)
    #expect(again == state)
    #expect(unread.isEmpty)
    #expect(JSONValue.object(again.json).json == JSONValue.object(state.json).json)
    #expect(ReminderState.read(JSONObject()).state == ReminderState())
  }

  @Test("Members of a newer version survive, and unreadable ones are reported")
  func tolerance() throws {
    let text = """
      {"later": {"x": 1}, "fired": {"meals:a:2026-05-10:0900": "2026-05-10T07:00:00.000Z", "a/b": "2026-05-10T07:00:00.000Z",
      "meals:b:2026-05-10:0900": 7}, "snoozes": [], "handled": {"meals:c:2026-05-10:0900": {"outcome": "later",
      "at": "2026-05-10T07:00:00.000Z", "more": 1}, "meals:d:2026-05-10:0900": {"outcome": "done"}}}
      """
    guard case .object(let object) = try JSONValue(json: Array(text.utf8)) else {
      Issue.record("not an object")
      return
    }
    let (state, unread) = ReminderState.read(object)
    #expect(state.fired.keys.map(\.item) == ["a"])
    #expect(state.handled.values.map(\.outcome.rawValue) == ["later"])
    #expect(
      unread == ["/fired/a~1b", "/fired/meals:b:2026-05-10:0900", "/snoozes", "/handled/meals:d:2026-05-10:0900"])
    #expect(state.json["later"] == object["later"])
  }

  @Test("Transitions are idempotent")
  func idempotent() throws {
    let state = try full()
    let later = now.advanced(by: 60_000)
    let fired = try Sample.id("a", "2026-05-10", "09:00")
    let done = try Sample.id("c", "2026-05-10", "10:00")
    #expect(state.fired(fired, at: later) == state)
    #expect(try state.handled(done, outcome: .done, at: later) == state)
    #expect(try state.handled(done, outcome: .skip, at: later).handled[done]?.outcome == .skip)
  }

  @Test(
    "Only done and skip settle a reminder", arguments: [ReminderAction.open, .snooze, ReminderAction(rawValue: "x")])
  func outcomes(_ action: ReminderAction) throws {
    let id = try Sample.id("a", "2026-05-10", "09:00")
    #expect(throws: ReminderError.self) { try ReminderState().handled(id, outcome: action, at: now) }
  }

  @Test("Entries over sixty days old by both day and time are dropped, others are kept")
  func pruned() throws {
    let state = try full()
    let day: Int64 = 86_400_000
    #expect(state.pruned(now: now.advanced(by: 59 * day)) == state)
    #expect(state.pruned(now: now.advanced(by: 62 * day)) == ReminderState())
    // Skipped long before: its day counts.
    let ahead = try ReminderState().handled(Sample.id("a", "2026-12-24", "09:00"), outcome: .skip, at: now)
    #expect(ahead.pruned(now: now.advanced(by: 200 * day)) == ahead)
    // Snoozed for long: its end counts.
    let old = try ReminderState().snoozed(Sample.id("a", "2026-01-01", "09:00"), now: now)
    #expect(old.pruned(now: now) == old)
  }
}
