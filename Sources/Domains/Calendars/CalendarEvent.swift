import CivilTime

/// An all-day event.
package struct CalendarEvent: Hashable, Sendable {
  /// Identifies the event across feeds. Characters other than ASCII letters, digits, `-`, `.`, `_` and `@` are dropped.
  package var uid: String
  package var day: CivilDay
  package var summary: String
  package var details: String?
  package var url: String?
  package var categories: [String]
  /// Reminder times in minutes from the start of the day; negative before it.
  package var alarms: [Int]

  package init(
    uid: String, day: CivilDay, summary: String, details: String? = nil, url: String? = nil, categories: [String] = [],
    alarms: [Int] = []
  ) {
    self.uid = uid
    self.day = day
    self.summary = summary
    self.details = details
    self.url = url
    self.categories = categories
    self.alarms = alarms
  }
}

/// A calendar of events that others can subscribe to.
package struct CalendarFeed: Hashable, Sendable {
  package var name: String
  /// When the feed was made.
  package var stamp: Instant
  /// The events, in output order.
  package var events: [CalendarEvent]

  package init(name: String, stamp: Instant, events: [CalendarEvent]) {
    self.name = name
    self.stamp = stamp
    self.events = events
  }

  /// The feed as iCalendar (RFC 5545): UTF-8, CR LF line ends, at most 75 octets a line. Deterministic.
  package var bytes: [UInt8] {
    var lines = ContentLines()
    lines.add("BEGIN", "VCALENDAR")
    lines.add("VERSION", "2.0")
    lines.add("PRODID", "-//Daybook//Daybook//EN")
    lines.add("CALSCALE", "GREGORIAN")
    // RFC 7986, and its nonstandard predecessor.
    lines.add("NAME", ContentText.escaped(name))
    lines.add("X-WR-CALNAME", ContentText.escaped(name))
    let stamp = ContentText.stamp(stamp)
    for event in events { lines.add(event, stamp: stamp) }
    lines.add("END", "VCALENDAR")
    return lines.bytes
  }
}
