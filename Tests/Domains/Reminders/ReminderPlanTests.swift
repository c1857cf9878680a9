import DaybookProtocol
import Synchronization
import Testing

@testable import Reminders

struct ReminderPlanTests {
  private let now = "2026-05-10T08:00:00.000Z"

  @Test("The plan has the coming reminders, nearest first, with all their members")
  func plain() throws {
    let inputs = try Sample.inputs([
      Sample.candidate("b", "2026-05-11", "09:00"), Sample.candidate("a", "2026-05-10", "12:30"),
    ])
    let plan = try inputs.plan(at: now)
    #expect(plan.brief == ["a 2026-05-10T10:30:00.000Z", "b 2026-05-11T07:00:00.000Z"])
    #expect(plan.total == 2)
    #expect(plan.changesAt == plan.entries.first?.fireAt)
    let first = try #require(plan.entries.first)
    #expect(first.title == "a")
    #expect(first.body == "2026-05-10 12:30")
    #expect(first.localDay.description == "2026-05-10")
    #expect(first.localMinute == 750)
    #expect(first.actions == [.done, .skip, .snooze, .open])
    #expect(!first.isSnoozed)
  }

  @Test("A charge has a reminder on each requested day before it")
  func lead() throws {
    let inputs = try Sample.inputs([
      Sample.candidate("x", "2026-05-20", "09:00", lead: 3), Sample.candidate("x", "2026-05-20", "09:00", lead: 7),
      Sample.candidate("x", "2026-05-20", "09:00", lead: 11),
    ])
    let plan = try inputs.plan(at: now)
    #expect(plan.brief == ["x 2026-05-13T07:00:00.000Z", "x 2026-05-17T07:00:00.000Z"])
    #expect(plan.entries.allSatisfy { $0.day.description == "2026-05-20" })
  }

  @Test("Nothing comes at or before now")
  func past() throws {
    let inputs = try Sample.inputs([Sample.candidate("a", "2026-05-10", "10:00")])
    #expect(try inputs.plan(at: "2026-05-10T07:59:59.999Z").total == 1)
    #expect(try inputs.plan(at: "2026-05-10T08:00:00.000Z") == .empty(madeAt: Sample.instant(now)))
  }

  @Test("Nothing comes after the requested last day")
  func horizon() throws {
    let inputs = try Sample.inputs([
      Sample.candidate("a", "2026-05-12", "23:59"), Sample.candidate("b", "2026-05-13", "00:00"),
    ])
    let plan = ReminderPlan.make(inputs, now: try Sample.instant(now), through: try Sample.day("2026-05-12"))
    #expect(plan.entries.map(\.item) == ["a"])
  }

  @Test("Disabled reminders give an empty plan, and disabled domains are left out")
  func off() throws {
    var inputs = try Sample.inputs([
      Sample.candidate("a", "2026-05-11", "09:00"), Sample.candidate("b", "2026-05-11", "09:00", source: .habits),
    ])
    inputs.settings.disabledSources = [.habits]
    #expect(try inputs.plan(at: now).entries.map(\.item) == ["a"])
    inputs.settings.isEnabled = false
    #expect(try inputs.plan(at: now) == .empty(madeAt: Sample.instant(now)))
  }

  @Test("The limit counts only reminders that are not past, done, given or disabled")
  func limit() throws {
    var candidates: [ReminderCandidate] = []
    for minute in 0..<10 { candidates.append(try Sample.candidate("past\(minute)", "2026-05-10", "09:0\(minute)")) }
    for minute in 0..<10 { candidates.append(try Sample.candidate("next\(minute)", "2026-05-10", "11:0\(minute)")) }
    candidates.append(try Sample.candidate("off", "2026-05-10", "10:30", source: .habits))
    var inputs = try Sample.inputs(candidates)
    inputs.settings.disabledSources = [.habits]
    inputs.state = try inputs.state.handled(candidates[10].id, outcome: .done, at: Sample.instant(now))
      .fired(candidates[11].id, at: Sample.instant(now))
    let plan = try inputs.plan(at: now, limit: 3)
    #expect(plan.entries.map(\.item) == ["next2", "next3", "next4"])
    #expect(plan.total == 8)
    #expect(try inputs.plan(at: now, limit: 0).changesAt == plan.changesAt)
    #expect(try inputs.plan(at: now, limit: -1).entries.isEmpty)
    #expect(try inputs.plan(at: now, limit: .max) == inputs.plan(at: now))
  }

  @Test("Texts are made only for reminders within the limit")
  func lazyTexts() throws {
    let made = Counter()
    var candidates: [ReminderCandidate] = []
    let day = try Sample.day("2026-05-11")
    for number in 0..<500 {
      let id = try ReminderID(source: .habits, item: "\(number)", day: day.advanced(by: number % 60), minute: 540)
      candidates.append(
        ReminderCandidate(id: id) { _ in
          made.count.add(1, ordering: .relaxed)
          return ReminderText(title: "a")
        })
    }
    #expect(try Sample.inputs(candidates).plan(at: now, limit: 20).total == 500)
    #expect(made.count.load(ordering: .relaxed) == 20)
  }

  /// Counts calls.
  private final class Counter: Sendable {
    let count = Atomic(0)
  }

  @Test("A repeated reminder is planned once, whichever copy comes first")
  func duplicates() throws {
    let id = try Sample.id("a", "2026-05-11", "09:00")
    // The last two look alike but differ in bytes.
    let candidates = ["b", "a", "\u{E9}", "e\u{301}"].map { title in
      ReminderCandidate(id: id) { _ in ReminderText(title: title) }
    }
    let alike = Array(candidates[2...])
    let plans = try [alike, alike.reversed()].map { try Sample.inputs($0).plan(at: now) }
    #expect(plans[0].entries.map { Array($0.title.utf8) } == plans[1].entries.map { Array($0.title.utf8) })
    let plan = try Sample.inputs(candidates).plan(at: now)
    #expect(plan.entries.map(\.title) == ["a"])
    #expect(plan.total == 1)
  }

  @Test("Several domains are planned as one")
  func joined() throws {
    let joined = JoinedReminderCandidates([
      [try Sample.candidate("a", "2026-05-12", "09:00", source: .habits)],
      [try Sample.candidate("b", "2026-05-11", "09:00")],
    ])
    let plan = try ReminderInputs(candidates: joined, zone: Sample.zone()).plan(at: now)
    #expect(plan.entries.map(\.item) == ["b", "a"])
  }
}
