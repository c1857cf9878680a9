import CivilTime

/// Something that falls on a day as a whole.
package struct CalendarEvent: Hashable, Sendable {
  /// What makes it the same event in the next feed: of ASCII letters, digits and `-`, `.`, `_`, `@`; others are left out.
  package var uid: String
  /// The day.
  package var day: CivilDay
  /// A few words.
  package var summary: String
  /// More of it; nil for nothing.
  package var details: String?
  /// An address of a page; nil for none.
  package var url: String?
  /// Words it is filed under.
  package var categories: [String]
  /// When to remind of it: minutes after its day begins, negative before it.
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

/// Events as a calendar that others can subscribe to.
package struct CalendarFeed: Hashable, Sendable {
  /// What calendars show as its name.
  package var name: String
  /// When it was made.
  package var stamp: Instant
  /// The events, in the order to be written.
  package var events: [CalendarEvent]

  package init(name: String, stamp: Instant, events: [CalendarEvent]) {
    self.name = name
    self.stamp = stamp
    self.events = events
  }

  /// The feed as iCalendar (RFC 5545): UTF-8, lines that end with CR LF and have at most 75 octets. The same feed gives the same
  /// bytes.
  package var bytes: [UInt8] {
    var lines = ContentLines()
    lines.add("BEGIN", "VCALENDAR")
    lines.add("VERSION", "2.0")
    lines.add("PRODID", "-//Daybook//Daybook//EN")
    lines.add("CALSCALE", "GREGORIAN")
    // RFC 7986, and what was usual before it.
    lines.add("NAME", ContentText.escaped(name))
    lines.add("X-WR-CALNAME", ContentText.escaped(name))
    let stamp = ContentText.stamp(stamp)
    for event in events { lines.add(event, stamp: stamp) }
    lines.add("END", "VCALENDAR")
    return lines.bytes
  }
}
