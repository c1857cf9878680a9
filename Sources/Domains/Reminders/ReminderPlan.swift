import DaybookProtocol

/// The reminders after an instant. The same inputs give the same plan in any order of the candidates.
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
  /// Reminders that are past, given, handled or disabled do not count against the limit. Those that quiet hours move to one instant become one summary. O(n log limit) in the number of candidates; only
  /// texts within the limit are made.
  package static func make(
    _ inputs: ReminderInputs, now: Instant, through end: CivilDay, limit: Int? = nil
  ) -> ReminderPlan {
    var scheduled = inputs.scheduled(from: now, through: end)
      .filter { $0.fireAt > now && inputs.state.fired[$0.candidate.id] == nil }
    if inputs.settings.quietHours != nil { scheduled = Set(Array(scheduled).summarized(in: inputs.zone)) }
    let nearest = scheduled.nearest(limit ?? scheduled.count)
    return ReminderPlan(
      madeAt: now, entries: nearest.map { PlannedReminder($0, inputs) }, total: scheduled.count,
      changesAt: scheduled.lazy.map(\.fireAt).min())
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

/// A reminder with its fire time and texts.
package struct PlannedReminder: Hashable, Sendable {
  /// Stable even when the reminder is moved.
  package let id: ReminderID
  package let fireAt: Instant
  /// The day of `fireAt` in the plan's zone.
  package let localDay: CivilDay
  /// The minute of that day, 0…1,439.
  package let localMinute: Int
  /// The name of the plan's zone.
  package let zone: String
  package let title: String
  /// One sentence; may be empty.
  package let body: String
  /// The actions offered, in display order.
  package let actions: [ReminderAction]
  package let isSnoozed: Bool
  /// The reminders that a summary stands for, ascending by their own times and then id; empty for a single reminder.
  package let parts: [PlannedReminder]

  /// The ids of its parts, or its own.
  package var ids: [ReminderID] { parts.isEmpty ? [id] : parts.map(\.id) }
  package var source: ReminderSource { id.source }
  /// The subject within the domain.
  package var item: String { id.item }
  /// The day of the occurrence it is about.
  package var day: CivilDay { id.day }

  /// The scheduled reminder as shown in the plan's zone.
  init(_ scheduled: ScheduledReminder, _ inputs: ReminderInputs) {
    let shown = inputs.zone.wallClock(at: scheduled.fireAt)
    let text = scheduled.candidate.text(inputs.day(at: scheduled.fireAt))
    id = scheduled.candidate.id
    fireAt = scheduled.fireAt
    localDay = shown.day
    localMinute = shown.secondOfDay / 60
    zone = inputs.zone.name
    title = text.title
    body = text.body
    actions = scheduled.candidate.actions
    isSnoozed = scheduled.isSnoozed
    parts = scheduled.parts.map { PlannedReminder($0, inputs) }
  }
}
