import CivilTime

/// Content lines of iCalendar (RFC 5545, §3.1).
struct ContentLines {
  private(set) var bytes: [UInt8] = []

  /// The maximum line length in octets, without the line end.
  static let maxLength = 75

  /// Adds a line, folded after at most 75 octets; continuation lines begin with a space. Folds only between grapheme
  /// clusters, unless one alone is longer than a line.
  mutating func add(_ name: String, _ value: String) {
    var length = 0
    for character in "\(name):\(value)" {
      let octets = character.utf8
      if octets.count < ContentLines.maxLength {
        add(octets, &length)
      } else {
        for scalar in character.unicodeScalars { add(String(scalar).utf8, &length) }
      }
    }
    bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
  }

  /// Adds octets that must not be split; `length` is that of the current line.
  private mutating func add(_ octets: some Collection<UInt8>, _ length: inout Int) {
    if length + octets.count > ContentLines.maxLength {
      bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: " ")]
      length = 1
    }
    bytes += octets
    length += octets.count
  }

  /// Adds an event that does not block time.
  mutating func add(_ event: CalendarEvent, stamp: String) {
    add("BEGIN", "VEVENT")
    add("UID", ContentText.identifier(event.uid))
    add("DTSTAMP", stamp)
    add("DTSTART;VALUE=DATE", ContentText.date(event.day))
    add("SUMMARY", ContentText.escaped(event.summary))
    if let details = event.details { add("DESCRIPTION", ContentText.escaped(details)) }
    if let url = event.url.map(ContentText.address), !url.isEmpty { add("URL", url) }
    if !event.categories.isEmpty {
      add("CATEGORIES", event.categories.map(ContentText.escaped).joined(separator: ","))
    }
    add("TRANSP", "TRANSPARENT")
    for minutes in event.alarms {
      add("BEGIN", "VALARM")
      add("ACTION", "DISPLAY")
      add("DESCRIPTION", ContentText.escaped(event.summary))
      add("TRIGGER", "\(minutes < 0 ? "-" : "")PT\(minutes.magnitude)M")
      add("END", "VALARM")
    }
    add("END", "VEVENT")
  }
}

enum ContentText {
  /// Escapes backslashes, semicolons, commas and line breaks, and drops other control characters (RFC 5545, §3.3.11).
  static func escaped(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      defer { previous = scalar }
      switch scalar {
      case "\\", ";", ",": escaped.append(contentsOf: ["\\", scalar])
      case "\n" where previous == "\r": continue
      case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": escaped.append(contentsOf: ["\\", "n"])
      case "\t": escaped.append(scalar)
      default: if scalar.properties.generalCategory != .control { escaped.append(scalar) }
      }
    }
    return String(escaped)
  }

  /// The characters of an identifier that are allowed.
  static func identifier(_ text: String) -> String {
    text.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-._@".contains($0)) }
  }

  /// A URL without white space and control characters; URLs are not escaped.
  static func address(_ text: String) -> String {
    String(text.unicodeScalars.filter { $0.value > 0x20 && $0.properties.generalCategory != .control })
  }

  /// A day as `YYYYMMDD`.
  static func date(_ day: CivilDay) -> String { day.description.filter { $0 != "-" } }

  /// An instant as `YYYYMMDDTHHMMSSZ`, truncated to seconds.
  static func stamp(_ instant: Instant) -> String {
    let (day, millisecond) = instant.utc
    let second = millisecond / 1000
    let parts = [second / 3600, second / 60 % 60, second % 60]
    return "\(date(day))T\(parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined())Z"
  }
}
