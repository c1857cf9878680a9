import CivilTime

/// Reminders that nobody could give are caught up on the same day.
extension DueReminders {
  /// What nobody could give of today's reminders that catch up, since the last check or all day, and what is too late
  /// for its grace: with when each is to be given, a half to nine and a half minutes from `now`, behind quiet hours. Of one item only the
  /// latest, and none that a later one came after.
  ///
  /// The pause leaves time to do in the frontend that has just begun what it is about; it differs by item so that they do not come in
  /// a burst.
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

  /// After how many milliseconds a reminder of an item is caught up on.
  private static func pause(_ item: String) -> Int64 {
    30_000 + Int64(item.utf8.reduce(0) { $0 + Int($1) } % 59 % 10) * 60_000
  }
}
