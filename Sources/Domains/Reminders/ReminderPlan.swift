import CivilTime

/// The reminders after an instant. The same inputs give the same plan, whatever the order of the candidates.
package struct ReminderPlan: Equatable, Sendable {
  /// The time of planning; every entry is later.
  package let madeAt: Instant
  /// The nearest reminders, ascending by fire time and then id.
  package let entries: [PlannedReminder]
  /// The number of reminders, including those beyond the limit.
  package let total: Int
  /// The instant of the next reminder, which changes the plan; nil when it is empty. A new day may bring new candidates
  /// too.
  package let changesAt: Instant?

  package static func empty(madeAt: Instant) -> ReminderPlan {
    ReminderPlan(madeAt: madeAt, entries: [], total: 0, changesAt: nil)
  }

  /// The plan of reminders after `now` and up to the fire day `end`: the nearest `limit` of them, nil for all.
  ///
  /// Reminders that are past, given, handled, disabled or moved past their last day do not count against the limit.
  /// Those that quiet hours move to one instant become one summary. O(n log limit) in the number of candidates; only
  /// texts within the limit are made.
  package static func make(
    _ inputs: ReminderInputs, now: Instant, through end: CivilDay, limit: Int? = nil
  ) -> ReminderPlan {
    var scheduled = inputs.scheduled(from: now, through: end)
      .filter { $0.fireAt > now && inputs.state.fired[$0.candidate.id] == nil }
    if inputs.settings.quietHours != nil { scheduled = Set(Array(scheduled).united(in: inputs.zone)) }
    var nearest = NearestReminders(limit: limit ?? scheduled.count)
    var total = 0
    var first: Instant?
    for reminder in scheduled {
      total += 1
      first = first.map { min($0, reminder.fireAt) } ?? reminder.fireAt
      nearest.take(reminder)
    }
    let entries = nearest.ascending.map { PlannedReminder($0, zone: inputs.zone) }
    return ReminderPlan(madeAt: now, entries: entries, total: total, changesAt: first)
  }

  /// The reminder with an id, alone or as part of a summary.
  package func reminder(_ id: ReminderID) -> PlannedReminder? {
    for entry in entries {
      if entry.id == id { return entry }
      if let part = entry.parts.first(where: { $0.id == id }) { return part }
    }
    return nil
  }
}
