import CivilTime

/// What there is to be reminded of from an instant on: the same inputs give the same plan, in any order of the candidates.
package struct ReminderPlan: Equatable, Sendable {
  /// The instant it was made for; everything in it is later.
  package let madeAt: Instant
  /// The nearest reminders, ascending by when they come and then by id.
  package let entries: [PlannedReminder]
  /// How many there are, those beyond the limit counted.
  package let total: Int
  /// The instant at which it changes by itself, as its first reminder comes; nil when it is empty. Besides, a new day may
  /// bring new candidates.
  package let changesAt: Instant?

  /// A plan of nothing.
  package static func empty(madeAt: Instant) -> ReminderPlan {
    ReminderPlan(madeAt: madeAt, entries: [], total: 0, changesAt: nil)
  }

  /// The plan of what comes after `now` by candidates that fire up to the day `end`, the nearest `limit` of it; nil for all.
  ///
  /// What is past, given, handled, disabled or moved past its last day takes no place of the limit; several that quiet hours move to
  /// one instant are one summary. O(n log limit) in the
  /// number of candidates; texts are made for those within the limit only.
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

  /// The reminder of that id, alone or as a part of a summary.
  package func reminder(_ id: ReminderID) -> PlannedReminder? {
    for entry in entries {
      if entry.id == id { return entry }
      if let part = entry.parts.first(where: { $0.id == id }) { return part }
    }
    return nil
  }
}
