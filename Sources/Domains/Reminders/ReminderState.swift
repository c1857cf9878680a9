import CivilTime
import DaybookProtocol
import JSON

/// What happened to reminders: which were given, put off, done or skipped. Kept beside the plan, which is computed each time.
///
/// Transitions give a new state. What was given is not given again by any later plan, even if the clock was set back, unless it
/// is put off.
package struct ReminderState: Equatable, Sendable {
  /// What settled a reminder, and when.
  package struct Settlement: Hashable, Sendable {
    /// `done` or `skip`; another when a newer version wrote it.
    package let outcome: ReminderAction
    /// When that was.
    package let at: Instant

    package init(outcome: ReminderAction, at: Instant) {
      self.outcome = outcome
      self.at = at
    }
  }

  /// Those that were given, with when.
  package internal(set) var fired: [ReminderID: Instant] = [:]
  /// Those that were put off, with until when.
  package internal(set) var snoozes: [ReminderID: Instant] = [:]
  /// Those that were done or skipped.
  package internal(set) var handled: [ReminderID: Settlement] = [:]
  /// Members of its JSON that a newer version wrote.
  var unknown = JSONObject()

  /// For how many minutes a reminder may be put off.
  package static let allowedSnooze = 1...1440
  /// For how many minutes it is put off when nothing is said.
  package static let defaultSnooze = 20
  /// For how many days what happened is kept.
  package static let retainedDays = 60

  package init() {}

  /// The state after a reminder was given, or passed over for a later one of the same item.
  package func fired(_ id: ReminderID, at instant: Instant) -> ReminderState {
    var state = self
    state.snoozes[id] = nil
    // The first time counts, so that a clock set forward once keeps nothing for ever.
    if state.fired[id] == nil { state.fired[id] = instant }
    return state
  }

  /// The state after a reminder was put off until so many minutes from `now`; the latest snooze counts. Throws `outOfRange`
  /// for other than 1…1,440 minutes, and `alreadyHandled`.
  package func snoozed(
    _ id: ReminderID, minutes: Int = defaultSnooze, now: Instant
  ) throws(ReminderError) -> ReminderState {
    guard ReminderState.allowedSnooze.contains(minutes) else {
      throw ReminderError(.outOfRange, "a reminder is put off by 1 to 1440 minutes")
    }
    guard handled[id] == nil else { throw ReminderError(.alreadyHandled, "the reminder was done or skipped before") }
    var state = self
    state.fired[id] = nil
    state.snoozes[id] = now.advanced(by: Int64(minutes) * 60_000)
    return state
  }

  /// The state after a reminder was done or skipped, which ends it for this occurrence only. Doing it again changes nothing.
  /// Throws `notAnOutcome` for another action.
  package func handled(
    _ id: ReminderID, outcome: ReminderAction, at instant: Instant
  ) throws(ReminderError) -> ReminderState {
    guard outcome.isOutcome else {
      throw ReminderError(.notAnOutcome, "a reminder is settled by done or skip")
    }
    var state = self
    state.snoozes[id] = nil
    if state.handled[id]?.outcome != outcome { state.handled[id] = Settlement(outcome: outcome, at: instant) }
    return state
  }

  /// The state without what is over: more than 60 days back by the reminder's own day and by when it happened.
  package func pruned(now: Instant) -> ReminderState {
    let limit = now.advanced(by: Int64(-ReminderState.retainedDays) * 86_400_000)
    let day = limit.utc.day
    var state = self
    state.fired = fired.filter { $0.key.fireDay >= day || $0.value >= limit }
    state.snoozes = snoozes.filter { $0.key.fireDay >= day || $0.value >= limit }
    state.handled = handled.filter { $0.key.fireDay >= day || $0.value.at >= limit }
    return state
  }
}

extension ReminderAction {
  /// Whether the reminder does not come again after it.
  package var isOutcome: Bool { self == .done || self == .skip }
}
