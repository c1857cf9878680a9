import CivilTime
import DaybookProtocol

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
  init(_ scheduled: ScheduledReminder, zone: TimeZoneRules) {
    let shown = zone.wallClock(at: scheduled.fireAt)
    let text = scheduled.candidate.text(shown.day)
    id = scheduled.candidate.id
    fireAt = scheduled.fireAt
    localDay = shown.day
    localMinute = shown.secondOfDay / 60
    self.zone = zone.name
    title = text.title
    body = text.body
    actions = scheduled.candidate.actions
    isSnoozed = scheduled.isSnoozed
    parts = scheduled.parts.map { PlannedReminder($0, zone: zone) }
  }
}
