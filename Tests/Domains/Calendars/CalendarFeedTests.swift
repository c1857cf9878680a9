import CivilTime
import FileStoreTesting
import Testing

@testable import Calendars

struct CalendarFeedTests {
  private func day(_ text: String) throws -> CivilDay { try #require(CivilDay(text)) }

  private func feed(_ events: [CalendarEvent], name: String = "Charges") -> CalendarFeed {
    CalendarFeed(name: name, stamp: Instant(milliseconds: 1_773_133_445_678), events: events)
  }

  /// The unfolded lines of a feed. Fails on a line that is too long or has another end.
  private func unfolded(_ bytes: [UInt8]) throws -> [String] {
    let text = try #require(String(validating: bytes, as: UTF8.self))
    var physical = text.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
    #expect(physical.popLast() == "")
    var lines: [String] = []
    for line in physical {
      #expect(line.utf8.count <= 75)
      #expect(!line.unicodeScalars.contains { $0 == "\r" || $0 == "\n" })
      if line.unicodeScalars.first == " " {
        lines[lines.count - 1].unicodeScalars += line.unicodeScalars.dropFirst()
      } else {
        lines.append(line)
      }
    }
    return lines
  }

  /// A text value as parsed by a reader.
  private func unescaped(_ value: Substring) -> String {
    var text = ""
    var isEscaped = false
    for scalar in value.unicodeScalars {
      if isEscaped {
        text.unicodeScalars.append(scalar == "n" || scalar == "N" ? "\n" : scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  @Test("A feed of one event, byte by byte")
  func oneEvent() throws {
    let event = CalendarEvent(
      uid: "a-20260331@daybook", day: try day("2026-03-31"), summary: "Netflix — $15.49",
      details: "Paid; by card, twice",
      url: "https://example.com/a,b;c", categories: ["streaming", "a,b"])
    let expected = """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//Daybook//Daybook//EN
      CALSCALE:GREGORIAN
      NAME:Charges
      X-WR-CALNAME:Charges
      BEGIN:VEVENT
      UID:a-20260331@daybook
      DTSTAMP:20260310T090405Z
      DTSTART;VALUE=DATE:20260331
      SUMMARY:Netflix — $15.49
      DESCRIPTION:Paid\\; by card\\, twice
      URL:https://example.com/a,b;c
      CATEGORIES:streaming,a\\,b
      TRANSP:TRANSPARENT
      END:VEVENT
      END:VCALENDAR

      """.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
    #expect(String(decoding: feed([event]).bytes, as: UTF8.self) == expected)
  }

  @Test("A feed without events is valid")
  func empty() throws {
    #expect(try unfolded(feed([]).bytes).last == "END:VCALENDAR")
  }

  @Test("Lines are folded at 75 octets, never inside a character", arguments: 55...80)
  func folding(_ length: Int) throws {
    for letter in ["x", "é", "€", "👍", "e\u{301}", "a" + String(repeating: "\u{301}", count: 60)] {
      let summary = String(repeating: "a", count: length) + String(repeating: letter, count: 40)
      let event = CalendarEvent(uid: "u", day: try day("2026-01-01"), summary: summary)
      #expect(try unfolded(feed([event]).bytes).contains("SUMMARY:\(summary)"))
    }
  }

  @Test("A line of exactly 75 octets is not folded")
  func exactly75() throws {
    let summary = String(repeating: "a", count: 75 - "SUMMARY:".count)
    let event = CalendarEvent(uid: "u", day: try day("2026-01-01"), summary: summary)
    let text = String(decoding: feed([event]).bytes, as: UTF8.self)
    #expect(text.contains("\r\nSUMMARY:\(summary)\r\n"))
  }

  @Test(
    "Nothing in a text ends a line or begins a property",
    arguments: [
      ("a\nEND:VEVENT", "a\nEND:VEVENT"), ("a\r\nb", "a\nb"), ("a\rb", "a\nb"), ("a\u{2028}b", "a\nb"),
      ("\\n;,:\"", "\\n;,:\""),
      ("\u{0}\u{7}\u{7F}x\u{9B}", "x"), ("tab\tbed", "tab\tbed"), ("", ""),
    ])
  func escaping(_ text: String, _ expected: String) throws {
    let event = CalendarEvent(uid: "u\r\nX:1", day: try day("2026-01-01"), summary: text, url: "https://a\r\nX:1")
    let lines = try unfolded(feed([event], name: text).bytes)
    #expect(lines.count == 15)
    let summary = try #require(lines.first { $0.hasPrefix("SUMMARY:") })
    #expect(unescaped(summary.dropFirst("SUMMARY:".count)) == expected)
    #expect(lines.contains("UID:uX1") && lines.contains("URL:https://aX:1"))
  }

  @Test("Any text survives a round trip", arguments: 0..<100)
  func anyText(_ seed: Int) throws {
    var random = SeededGenerator(seed: 21, number: seed)
    let letters = Array("ab ,;:\\\n\"é€👍🇩🇪\u{301}").map(String.init)
    let text = (0..<random.below(300)).map { _ in letters[random.below(letters.count)] }.joined()
    let event = CalendarEvent(uid: "u", day: try day("2026-01-01"), summary: text, details: text)
    let lines = try unfolded(feed([event]).bytes)
    for name in ["SUMMARY:", "DESCRIPTION:"] {
      let line = try #require(lines.first { $0.hasPrefix(name) })
      #expect(
        unescaped(Substring(line.unicodeScalars.dropFirst(name.unicodeScalars.count))).unicodeScalars.elementsEqual(
          text.unicodeScalars))
    }
  }
}
