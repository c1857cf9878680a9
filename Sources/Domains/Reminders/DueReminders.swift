import CivilTime
import DaybookProtocol

/// What has to be given now, by the one process that gives reminders.
package struct DueReminders: Equatable, Sendable {
  /// To be given, ascending by when they should have come and then by id; what quiet hours kept back until one instant as one
  /// summary. Each, or each of its parts, is to be marked as fired before it is given.
  package let reminders: [PlannedReminder]
  /// Missed ones that are passed over for a later one of the same item, ascending; to be marked as fired as well.
  package let superseded: [ReminderID]

  /// How long after its time a reminder is still worth giving, in milliseconds: 2 h.
  package static let defaultGrace: Int64 = 2 * 3_600_000

  /// What came due after `since`, the last time this was asked, up to `now`: each id once, none that was given or handled or
  /// is put off further, and none older than `grace` milliseconds.
  ///
  /// Of one item only the latest is left, and none when a later one was given or handled meanwhile. A `since` after `now`
  /// tells that the clock was set back: nothing is due, and the next question asks from this `now`. Those of `missed` are due
  /// whenever they came today.
  package static func find(
    _ inputs: ReminderInputs, since: Instant, now: Instant, grace: Int64 = defaultGrace, missed: Set<ReminderID> = []
  ) -> DueReminders {
    let start = max(since, now.advanced(by: -max(grace, 0) - 1))
    guard start < now else { return DueReminders(reminders: [], superseded: []) }
    let earliest = missed.isEmpty ? start : min(start, inputs.dayStart.start(of: inputs.day(at: now), in: inputs.zone))
    // Handled ones have to be seen too: they supersede. So they are taken out here instead.
    var open = inputs
    open.state.handled = [:]
    let window = open.scheduled(from: earliest, through: inputs.zone.day(at: now).advanced(by: 1))
      .filter { ($0.fireAt > start || missed.contains($0.candidate.id)) && $0.fireAt <= now }
    let latest = ReminderItem.latest(of: window)
    var due: [ScheduledReminder] = []
    var superseded: [ReminderID] = []
    for reminder in window {
      let id = reminder.candidate.id
      guard inputs.state.fired[id] == nil, inputs.state.handled[id] == nil else { continue }
      if let last = latest[ReminderItem(reminder)], reminder.isFollowed(by: last) {
        superseded.append(id)
      } else {
        due.append(reminder)
      }
    }
    return DueReminders(
      reminders: due.united(in: inputs.zone).sorted { $0.isNearer(than: $1) }.map {
        PlannedReminder($0, zone: inputs.zone)
      },
      superseded: superseded.sorted())
  }
}
