import CivilTime

/// Reminders that nobody could give in time are caught up on the same day.
extension DueReminders {
  /// Today's catch-up reminders that nobody could give since the last check, or all day, and that are past their grace;
  /// each with the time to give it: 0.5 to 9.5 minutes from `now`, but not in quiet hours. Only the latest of each item
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
      if let lastDay = reminder.candidate.lastDay, inputs.day(at: instant) > lastDay { continue }
      missed[id] = instant
    }
    return missed
  }

  /// The catch-up delay of an item, in milliseconds.
  private static func pause(_ item: String) -> Int64 {
    30_000 + Int64(item.utf8.reduce(0) { $0 + Int($1) } % 59 % 10) * 60_000
  }
}
