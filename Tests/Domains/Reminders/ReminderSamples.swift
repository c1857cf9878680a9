import DaybookProtocol
import Testing

@testable import Reminders

/// Shorthand for test values.
enum Sample {
  static func zone(_ name: String = "Europe/Berlin") throws -> TimeZoneRules {
    try SystemTimeZoneDatabase.fromEnvironment().rules(named: name)
  }

  static func day(_ text: String) throws -> CivilDay { try #require(CivilDay(text)) }

  static func instant(_ text: String) throws -> Instant { try #require(Instant(text)) }

  /// The id of a reminder on a day at `HH:MM`.
  static func id(
    _ item: String, _ day: String, _ time: String, lead: Int = 0, source: ReminderSource = .meals
  ) throws -> ReminderID {
    let parts = time.split(separator: ":").compactMap { Int($0) }
    return try ReminderID(
      source: source, item: item, day: self.day(day), minute: parts[0] * 60 + parts[1], leadDays: lead)
  }

  /// A candidate for it with a text of its own.
  static func candidate(
    _ item: String, _ day: String, _ time: String, lead: Int = 0, isOver: Bool = false,
    source: ReminderSource = .meals
  ) throws -> ReminderCandidate {
    ReminderCandidate(
      id: try id(item, day, time, lead: lead, source: source), isOver: isOver,
      text: { _ in ReminderText(title: item, body: "\(day) \(time)") })
  }

  /// Inputs in Berlin.
  static func inputs(
    _ candidates: [ReminderCandidate], quiet: QuietHours? = nil, state: ReminderState = ReminderState(),
    zone name: String = "Europe/Berlin", dayStart: DayStart = .midnight
  ) throws -> ReminderInputs {
    ReminderInputs(
      candidates: candidates, zone: try zone(name), dayStart: dayStart, settings: ReminderSettings(quietHours: quiet),
      state: state)
  }
}

extension ReminderInputs {
  /// The plan at an instant for years ahead.
  func plan(at now: String, limit: Int? = nil) throws -> ReminderPlan {
    ReminderPlan.make(self, now: try Sample.instant(now), through: try Sample.day("2040-01-01"), limit: limit)
  }
}

extension ReminderPlan {
  /// A short form of a plan.
  var brief: [String] { entries.map { "\($0.item) \($0.fireAt)" } }
}

/// Visits only candidates within the requested window.
struct StrictCandidates: ReminderCandidates {
  let candidates: [ReminderCandidate]
  let zone: TimeZoneRules

  func visit(from start: Instant, through end: CivilDay, _ body: (ReminderCandidate) -> Void) {
    for candidate in candidates
    where zone.instant(candidate.id.fireDay, minuteOfDay: candidate.id.minute) >= start && candidate.id.fireDay <= end {
      body(candidate)
    }
  }
}

/// The type of the rules, not the wire type.
typealias QuietHours = Reminders.QuietHours
