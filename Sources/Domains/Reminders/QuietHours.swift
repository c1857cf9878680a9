import CivilTime

/// The hours of the day in which nothing may disturb, by the wall clock; over midnight when they end before they start.
package struct QuietHours: Hashable, Sendable {
  /// The first quiet minute of the day, 0…1,439.
  package let start: Int
  /// The first minute after them, 0…1,439, another than `start`.
  package let end: Int

  /// Throws `outOfRange` for minutes outside the day, and for hours without end: for those there is the switch that turns
  /// reminders off.
  package init(start: Int, end: Int) throws(ReminderError) {
    guard TimeZoneRules.minutesOfDay.contains(start), TimeZoneRules.minutesOfDay.contains(end) else {
      throw ReminderError(.outOfRange, "quiet hours start and end at 0 to 1439 minutes")
    }
    guard start != end else { throw ReminderError(.outOfRange, "quiet hours end at another time than they start") }
    self.start = start
    self.end = end
  }

  /// Whether a minute of the day is quiet.
  package func contains(minute: Int) -> Bool {
    start < end ? (start..<end).contains(minute) : minute >= start || minute < end
  }

  /// The instant itself, or the end of the quiet hours it lies in.
  package func firstAllowed(from instant: Instant, in rules: TimeZoneRules) -> Instant {
    var instant = instant
    // An end that the clock was set forward over may be followed by quiet hours again, and by their end a day later.
    for _ in 0..<3 {
      let shown = rules.wallClock(at: instant)
      let minute = shown.secondOfDay / 60
      guard contains(minute: minute) else { break }
      let day = minute < end ? shown.day : shown.day.advanced(by: 1)
      let first = rules.instant(day, minuteOfDay: end)
      // Between two showings of the end it is the second that is still to come.
      instant = first > instant ? first : rules.instant(day, minuteOfDay: end, overlap: .second)
    }
    return instant
  }
}
