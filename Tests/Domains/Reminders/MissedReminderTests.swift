import DaybookProtocol
import Testing

@testable import Reminders

/// Reminders that nobody could give in time are caught up on the same day.
@Suite("Missed reminders")
struct MissedReminderTests {
  /// A time of 10 May in Berlin.
  private func at(_ time: String) throws -> Instant {
    try Sample.instant("2026-05-10T\(time).000Z").advanced(by: -2 * 3_600_000)
  }

  /// A reminder of 10 May that catches up.
  private func candidate(_ item: String, _ time: String, catchesUp: Bool = true) throws -> ReminderCandidate {
    ReminderCandidate(
      id: try Sample.id(item, "2026-05-10", time), catchesUp: catchesUp,
      text: { _ in ReminderText(title: item) })
  }

  private func missed(
    _ candidates: [ReminderCandidate], since: String? = nil, now: String, quiet: QuietHours? = nil,
    state: ReminderState = ReminderState()
  ) throws -> [ReminderID: Instant] {
    DueReminders.missed(
      try Sample.inputs(candidates, quiet: quiet, state: state), since: try since.map { try at($0) }, now: try at(now))
  }

  /// Half a minute plus minutes from the byte sum of the item (habits reference §7.1).
  private func pause(_ item: String) -> Int64 {
    30_000 + Int64(item.utf8.reduce(0) { $0 + Int($1) } % 59 % 10) * 60_000
  }

  @Test("Reminders over two hours late at the start are caught up on, later ones are given at once")
  func boundary() throws {
    let candidates = [try candidate("a", "08:00")]
    #expect(try missed(candidates, now: "09:59:00").isEmpty)
    #expect(try missed(candidates, now: "10:00:00").isEmpty, "it comes late, at once")
    let inputs = try Sample.inputs(candidates)
    #expect(
      DueReminders.find(inputs, since: try at("08:00:00").advanced(by: -1), now: try at("10:00:00")).reminders.count
        == 1)
    #expect(try missed(candidates, now: "10:00:01") == [candidates[0].id: at("10:00:01").advanced(by: pause("a"))])
    #expect(try missed(candidates, now: "23:40:00").count == 1)
  }

  @Test("Items are caught up on with different delays of 0.5 to 9.5 minutes")
  func pauses() throws {
    let items = (0..<10).map { "\($0)" }
    let missed = try missed(items.map { try candidate($0, "08:00") }, now: "12:00:00")
    let start = try at("12:00:00").milliseconds
    let pauses = missed.values.map { $0.milliseconds - start }.sorted()
    #expect(pauses.count == 10 && Set(pauses).count > 5)
    #expect(pauses.allSatisfy { (30_000...570_000).contains($0) && $0 % 60_000 == 30_000 })
  }

  @Test("No catching up for yesterday, without `catchesUp`, for given or settled reminders, or past midnight")
  func left() throws {
    #expect(try missed([try candidate("a", "08:00", catchesUp: false)], now: "12:00:00").isEmpty)
    let yesterday = ReminderCandidate(
      id: try Sample.id("a", "2026-05-09", "08:00"), isOver: true, catchesUp: true,
      text: { _ in ReminderText(title: "a") })
    #expect(try missed([yesterday], now: "12:00:00").isEmpty)
    let one = try candidate("a", "08:00")
    #expect(try missed([one], now: "12:00:00", state: ReminderState().fired(one.id, at: try at("08:00:00"))).isEmpty)
    let skipped = try ReminderState().handled(one.id, outcome: .skip, at: at("08:00:00"))
    #expect(try missed([one], now: "12:00:00", state: skipped).isEmpty)
    #expect(try missed([one], now: "23:59:45").isEmpty)
    #expect(try missed([one], now: "21:59:45", quiet: QuietHours(start: 22 * 60, end: 7 * 60)).isEmpty)
  }

  @Test(
    "The day lasts until the user's next one begins, even after midnight",
    arguments: [("02:00:00", "10"), ("03:59:59", nil), ("12:00:00", "11")])
  func lateNight(time: String, caughtUp: String?) throws {
    let candidates = try ["10", "11"].map { day in
      ReminderCandidate(
        id: try Sample.id(day, "2026-05-\(day)", "08:00"), catchesUp: true,
        text: { _ in ReminderText(title: day) })
    }
    let start = try #require(DayStart(minutes: 240))
    let now = try at(time).advanced(by: 86_400_000)
    let inputs = try Sample.inputs(candidates, dayStart: start)
    let missed = DueReminders.missed(inputs, since: nil, now: now)
    #expect(missed.keys.map(\.item) == [caughtUp].compactMap { $0 })
    let later = now.advanced(by: 600_000)
    #expect(
      DueReminders.find(inputs, since: now, now: later, missed: Set(missed.keys)).reminders.count == missed.count)
  }

  @Test("Reminders before the last check are not missed")
  func since() throws {
    let candidates = [try candidate("a", "08:00"), try candidate("b", "09:00")]
    #expect(try missed(candidates, since: "08:30:00", now: "12:00:00").keys.map(\.item) == ["b"])
    #expect(try missed(candidates, since: "09:30:00", now: "12:00:00").isEmpty)
  }

  @Test("Only the latest of an item is caught up on, and none that a later one followed")
  func latest() throws {
    let candidates = [try candidate("a", "06:00"), try candidate("a", "08:00"), try candidate("a", "11:00")]
    #expect(try missed(candidates, now: "12:00:00").isEmpty, "that of 11:00 comes at once")
    let missed = try missed(candidates, now: "10:30:00")
    #expect(Array(missed.keys) == [candidates[1].id])
    let due = DueReminders.find(
      try Sample.inputs(candidates), since: try at("10:30:00"), now: try at("10:40:00"), missed: Set(missed.keys))
    #expect(due.reminders.map(\.id) == [candidates[1].id])
  }

  @Test("A missed reminder is due although the last check is as late, or later", arguments: ["12:10:00", "12:11:00"])
  func checkedNow(since: String) throws {
    let (one, two) = (try candidate("a", "08:00"), try candidate("b", "12:10"))
    let due = DueReminders.find(
      try Sample.inputs([one, two]), since: try at(since), now: try at("12:10:00"), missed: [one.id])
    #expect(due.reminders.map(\.id) == [one.id])
  }

  @Test("Reminders given or settled meanwhile are no longer due")
  func meanwhile() throws {
    let one = try candidate("a", "08:00")
    func due(_ candidates: [ReminderCandidate], _ state: ReminderState = ReminderState()) throws -> Int {
      DueReminders.find(
        try Sample.inputs(candidates, state: state), since: try at("12:00:00"), now: try at("12:10:00"),
        missed: [one.id]
      ).reminders.count
    }
    #expect(try due([one]) == 1)
    #expect(try due([]) == 0)
    #expect(try due([one], ReminderState().fired(one.id, at: try at("12:01:00"))) == 0)
    #expect(try due([one], ReminderState().handled(one.id, outcome: .done, at: at("12:01:00"))) == 0)
  }
}
