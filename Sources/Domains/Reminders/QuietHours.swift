import CivilTime

/// The hours of the day without reminders, by wall clock; they span midnight when `end` is before `start`.
package struct QuietHours: Hashable, Sendable {
  /// The first quiet minute of the day, 0…1,439.
  package let start: Int
  /// The first minute after the quiet hours, 0…1,439; differs from `start`.
  package let end: Int

  /// Throws `outOfRange` for minutes outside the day, and for equal minutes: all-day quiet is what disabling reminders
  /// is for.
  package init(start: Int, end: Int) throws(ReminderError) {
    guard TimeZoneRules.minutesOfDay.contains(start), TimeZoneRules.minutesOfDay.contains(end) else {
      throw ReminderError(.outOfRange, "quiet hours start and end at minute 0 to 1439 of the day")
    }
    guard start != end else { throw ReminderError(.outOfRange, "quiet hours must not end when they start") }
    self.start = start
    self.end = end
  }

  package func contains(minute: Int) -> Bool {
    start < end ? (start..<end).contains(minute) : minute >= start || minute < end
  }

  /// The instant itself, or the end of the quiet hours that contain it.
  package func firstAllowed(from instant: Instant, in rules: TimeZoneRules) -> Instant {
    var instant = instant
    // If the clock skips over the end, quiet hours may follow again, with an end a day later.
    for _ in 0..<3 {
      let shown = rules.wallClock(at: instant)
      let minute = shown.secondOfDay / 60
      guard contains(minute: minute) else { break }
      let day = minute < end ? shown.day : shown.day.advanced(by: 1)
      let first = rules.instant(day, minuteOfDay: end)
      // If the clock shows the end twice and the first is past, the second counts.
      instant = first > instant ? first : rules.instant(day, minuteOfDay: end, overlap: .second)
    }
    return instant
  }
}
