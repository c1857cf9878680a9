import Testing

@testable import DaybookServer

@Suite("Log messages")
struct LogMessageTests {
  private let name = "Anna's knee"

  @Test("Private values are hidden, and shown only on demand")
  func privateValues() {
    let message: LogMessage = "“\(private: name)” has \(3) entries, \(true), in \(public: "meals")"
    #expect(message.text(revealing: false) == "“…” has 3 entries, true, in meals")
    #expect(message.text(revealing: true) == "“Anna's knee” has 3 entries, true, in meals")
  }

  @Test("The length of hidden text does not show")
  func length() {
    let (short, long): (LogMessage, LogMessage) = ("\(private: "")", "\(private: String(repeating: "a", count: 99))")
    #expect(short.text(revealing: false) == long.text(revealing: false))
  }

  @Test(
    "Quotations are hidden from the first mark to the last",
    arguments: [
      ("no marks", "no marks"), ("the member “x” is unknown", "the member “…” is unknown"),
      ("“a” and “b” differ", "“…” differ"), ("a “text that never ends", "a “…"), ("” before “", "” before “…"),
      ("“”", "“…”"), ("“", "“…"), ("a “b” c” d", "a “…” d"),
    ])
  func quotations(_ text: String, _ hidden: String) {
    let message: LogMessage = "\(unquoted: text)"
    #expect(message.text(revealing: false) == hidden)
    #expect(message.text(revealing: true) == text)
  }

  @Test("Cases of closed sets are written by name")
  func cases() {
    let message: LogMessage = "\(LogCategory.premiumCache) \(LogCategory.protocol)"
    #expect(message.text(revealing: false) == "premiumCache protocol")
  }

  @Test(
    "Names of categories and levels are read back, and other names are not",
    arguments: ["", "Store", "premium-cache", "none"])
  func names(_ wrong: String) {
    for category in LogCategory.allCases { #expect(LogCategory(rawValue: category.rawValue) == category) }
    for level in Log.Level.allCases { #expect(Log.Level(name: level.name) == level) }
    #expect(LogCategory(rawValue: wrong) == nil && Log.Level(name: wrong) == nil)
  }
}
