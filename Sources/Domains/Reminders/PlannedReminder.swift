import CivilTime
import DaybookProtocol

/// A reminder with the instant at which it comes and what it says.
package struct PlannedReminder: Hashable, Sendable {
  /// The same for as long as it is the same reminder, wherever it was moved.
  package let id: ReminderID
  /// When it comes.
  package let fireAt: Instant
  /// The day the plan's clock shows then.
  package let localDay: CivilDay
  /// The minute of that day, 0…1,439.
  package let localMinute: Int
  /// The name of the plan's zone.
  package let zone: String
  /// A few words.
  package let title: String
  /// One sentence; may be empty.
  package let body: String
  /// What a person can do about it, in the order to be shown.
  package let actions: [ReminderAction]
  /// Whether it comes when it does because it was put off.
  package let isSnoozed: Bool
  /// Those that it sums up, ascending by their own clocks and then by id; empty for a reminder of one thing.
  package let parts: [PlannedReminder]

  /// The reminders that it is: itself, or its parts.
  package var ids: [ReminderID] { parts.isEmpty ? [id] : parts.map(\.id) }
  /// The domain it comes from.
  package var source: ReminderSource { id.source }
  /// What it is about within the domain.
  package var item: String { id.item }
  /// The day of the occurrence it is about.
  package var day: CivilDay { id.day }

  /// What was scheduled, told in the plan's zone.
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
