import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Reminders

/// Random candidates, settings and histories against rules that always hold.
struct ReminderHistoryTests {
  /// Candidates around 10 May 2026, with duplicates, leads, days that are over and two sources.
  private func candidates(_ generator: inout SeededGenerator) throws -> [ReminderCandidate] {
    let first = try Sample.day("2026-05-05")
    var all: [ReminderCandidate] = []
    for _ in 0..<generator.among(0...120) {
      let day = first.advanced(by: generator.below(12))
      let id = try ReminderID(
        source: generator.below(4) == 0 ? .habits : .meals, item: "i\(generator.below(5))", day: day,
        minute: generator.below(48) * 30, leadDays: generator.below(3))
      let title = "t\(generator.below(3))"
      all.append(
        ReminderCandidate(id: id, isOver: generator.below(3) == 0) { _ in ReminderText(title: title) })
    }
    return all
  }

  /// Random settings: sometimes with quiet hours, sometimes without habits.
  private func settings(_ generator: inout SeededGenerator) throws -> ReminderSettings {
    let start = generator.below(1440)
    let quiet = try QuietHours(start: start, end: (start + 60 + generator.below(900)) % 1440)
    return ReminderSettings(
      quietHours: generator.below(2) == 0 ? quiet : nil, disabledSources: generator.below(4) == 0 ? [.habits] : [])
  }

  @Test("After any history, a plan keeps its rules and is the same in any order", arguments: 0..<150)
  func plans(_ seed: Int) throws {
    var generator = SeededGenerator(seed: 4, number: seed)
    let names = ReminderClockTests.zones
    let candidates = try candidates(&generator)
    var inputs = ReminderInputs(
      candidates: candidates, zone: try Sample.zone(names[generator.below(names.count)]),
      settings: try settings(&generator))
    let now = try Sample.instant("2026-05-09T00:00:00.000Z").advanced(by: Int64(generator.below(172_800)) * 1000)
    for candidate in candidates where generator.below(4) == 0 {
      switch generator.below(3) {
      case 0: inputs.state = inputs.state.fired(candidate.id, at: now)
      case 1: inputs.state = try inputs.state.handled(candidate.id, outcome: .done, at: now)
      default:
        guard inputs.state.handled[candidate.id] == nil else { continue }
        inputs.state = try inputs.state.snoozed(candidate.id, minutes: generator.among(1...1440), now: now)
      }
    }
    let end = try Sample.day("2026-05-14")
    let plan = ReminderPlan.make(inputs, now: now, through: end)
    #expect(plan.total == plan.entries.count)
    let ids = plan.entries.flatMap(\.ids)
    #expect(ids.count == Set(ids).count)
    #expect(plan.changesAt == plan.entries.first?.fireAt)
    for entry in plan.entries {
      #expect(entry.fireAt > now)
      #expect(inputs.settings.quietHours?.contains(minute: entry.localMinute) != true)
      for part in entry.ids {
        #expect(inputs.state.handled[part] == nil && inputs.state.fired[part] == nil)
        #expect(!inputs.settings.disabledSources.contains(part.source))
        #expect(part.fireDay <= end)
      }
    }
    for (left, right) in zip(plan.entries, plan.entries.dropFirst()) {
      #expect(left.fireAt < right.fireAt || left.fireAt == right.fireAt && "\(left.id)" < "\(right.id)")
    }
    for limit in [0, 1, generator.below(30)] {
      var shuffled = inputs
      shuffled.candidates = candidates.shuffled(using: &generator)
      let limited = ReminderPlan.make(shuffled, now: now, through: end, limit: limit)
      #expect(limited.entries == Array(plan.entries.prefix(limit)))
      #expect(limited.total == plan.total)
    }
    #expect(!plan.difference(from: plan).isNews)
  }

  @Test(
    "However often it is checked, each reminder is given once, in plan order, and not again after the clock is set back",
    arguments: 0..<20)
  func giving(_ seed: Int) throws {
    var generator = SeededGenerator(seed: 7, number: seed)
    let candidates = try candidates(&generator)
    var inputs = ReminderInputs(
      candidates: candidates, zone: try Sample.zone(), settings: try settings(&generator))
    let start = try Sample.instant("2026-05-06T00:00:00.000Z")
    let through = try Sample.day("2026-05-20")
    let expected = inputs.scheduled(from: start, through: through).filter { $0.fireAt > start }
    var now = start
    var since = start
    var given: [ReminderID] = []
    while now < start.advanced(by: 12 * 86_400_000) {
      // At most half an hour, so that all are within the grace; sometimes the clock is set back.
      now = now.advanced(by: Int64(generator.among(1...1800)) * 1000)
      let due = DueReminders.find(inputs, since: since, now: now)
      let ids = due.reminders.flatMap(\.ids)
      given += ids
      for id in ids + due.superseded { inputs.state = inputs.state.fired(id, at: now) }
      since = now
      if generator.below(50) == 0 {
        now = now.advanced(by: -3_600_000)
        since = now
      }
    }
    #expect(given.count == Set(given).count)
    #expect(Set(inputs.state.fired.keys) == Set(expected.map(\.candidate.id)))
  }
}
