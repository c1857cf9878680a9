import CivilTime

/// The reminders to give now. Only one process gives reminders.
package struct DueReminders: Equatable, Sendable {
  /// The reminders to give, ascending by due time and then id. Those that quiet hours moved to one instant are one
  /// summary. The caller marks each, or each of its parts, as fired before giving it.
  package let reminders: [PlannedReminder]
  /// Missed reminders superseded by a later one of the same item, ascending; the caller marks them as fired too.
  package let superseded: [ReminderID]

  /// How long after its time a reminder is still given, in milliseconds: 2 h.
  package static let defaultGrace: Int64 = 2 * 3_600_000

  /// The reminders that became due after `since`, the last check, and up to `now`: each id once, without those already
  /// given, handled or snoozed further, or overdue by more than `grace` milliseconds.
  ///
  /// Only the latest of each item remains, and none if a later one was given or handled meanwhile. Reminders in `missed`
  /// are due at any time today. Only they are due when `since` is not before `now`: a plan was made at this moment, or
  /// the clock was set back, and the next check starts from this `now`.
  package static func find(
    _ inputs: ReminderInputs, since: Instant, now: Instant, grace: Int64 = defaultGrace, missed: Set<ReminderID> = []
  ) -> DueReminders {
    let start = max(since, now.advanced(by: -max(grace, 0) - 1))
    guard start < now || !missed.isEmpty else { return DueReminders(reminders: [], superseded: []) }
    let earliest = missed.isEmpty ? start : min(start, inputs.dayStart.start(of: inputs.day(at: now), in: inputs.zone))
    // Handled reminders supersede others, so they are filtered out below instead.
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
      reminders: due.summarized(in: inputs.zone).sorted { $0.isNearer(than: $1) }.map {
        PlannedReminder($0, inputs)
      },
      superseded: superseded.sorted())
  }
}

/// Reminders that nobody could give in time are caught up on the same day.
extension DueReminders {
  /// Today's catch-up reminders that nobody could give since the last check, or all day, and that are past their grace;
  /// each with the time to give it: 0.5 to 9.5 minutes from `now`, but neither in quiet hours nor on another day. Only the latest of each item
  /// counts, unless a later one came after it.
  ///
  /// The delay gives the user time to act in the frontend just started; it differs by item, so that reminders do not
  /// come in a burst.
  package static func missed(
    _ inputs: ReminderInputs, since: Instant?, now: Instant, grace: Int64 = defaultGrace
  ) -> [ReminderID: Instant] {
    let begin = inputs.dayStart.start(of: inputs.day(at: now), in: inputs.zone).advanced(by: -1)
    let start = max(since ?? begin, begin)
    let end = now.advanced(by: -max(grace, 0))
    guard start < end else { return [:] }
    var open = inputs
    open.state.handled = [:]
    let past = open.scheduled(from: start, through: inputs.zone.day(at: now)).filter {
      $0.fireAt > start && $0.fireAt <= now
    }
    var missed: [ReminderID: Instant] = [:]
    for (_, reminder) in ReminderItem.latest(of: past) {
      let id = reminder.candidate.id
      guard reminder.candidate.catchesUp, reminder.fireAt < end, inputs.state.fired[id] == nil,
        inputs.state.handled[id] == nil
      else { continue }
      let wanted = now.advanced(by: pause(id.item))
      let instant = inputs.settings.quietHours?.firstAllowed(from: wanted, in: inputs.zone) ?? wanted
      guard inputs.day(at: instant) == inputs.day(at: now) else { continue }
      missed[id] = instant
    }
    return missed
  }

  /// The catch-up delay of an item, in milliseconds.
  private static func pause(_ item: String) -> Int64 {
    30_000 + Int64(item.utf8.reduce(0) { $0 + Int($1) } % 59 % 10) * 60_000
  }
}
