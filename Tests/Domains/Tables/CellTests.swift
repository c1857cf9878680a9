import DaybookProtocol
import Testing

@testable import Tables

@Suite("Numbers, days and times in cells")
struct CellTests {
  @Test(
    "A number has one interpretation, two or none",
    arguments: [
      ("350", nil, ["350"]), ("12.5", nil, ["12.5"]), ("12,5", nil, ["12.5"]), ("1,234.5", nil, ["1234.5"]),
      ("1.234,5", nil, ["1234.5"]), ("1.234", nil, ["1.234", "1234"]), ("1,234", nil, ["1234", "1.234"]),
      ("1.234", .point, ["1.234"]), ("1.234", .comma, ["1234"]), ("1,234", .point, ["1234"]),
      ("1.234.567", nil, ["1234567"]),
      ("1 234,5", nil, ["1234.5"]), ("1\u{202F}234", nil, ["1234"]), ("1'234.5", nil, ["1234.5"]),
      ("0.500", nil, ["0.500"]),
      ("12.3456", nil, ["12.3456"]), ("1234.567", nil, ["1234.567"]), (" -5 ", nil, ["-5"]), ("\u{2212}5", nil, ["-5"]),
      ("+5", nil, ["5"]), (".5", nil, ["0.5"]), ("242.76999999999998", nil, ["242.769999999"]), ("000", nil, ["0"]),
      ("12,5", .point, []), ("1,23,456", nil, []), ("12.", nil, []), ("", nil, []), ("-", nil, []), ("1e3", nil, []),
      ("120/80", nil, []), ("5 kcal", nil, []), ("99999999999999999999", nil, []), ("1.2,3.4", nil, []),
      ("--5", nil, []),
    ] as [(String, TableDecimalMark?, [String])])
  func numbers(_ text: String, _ mark: TableDecimalMark?, _ expected: [String]) {
    #expect(NumberText.reading(text, mark: mark).readings.map { "\($0)" } == expected)
  }

  @Test("A number proves its decimal mark only if it has one interpretation")
  func numberEvidence() {
    #expect(NumberText.evidence("12.5") == .point && NumberText.evidence("12,5") == .comma)
    #expect(NumberText.evidence("1.234.567") == .comma && NumberText.evidence("1,234.5") == .point)
    #expect(
      NumberText.evidence("1.234") == nil && NumberText.evidence("350") == nil && NumberText.evidence("x.5") == nil)
  }

  @Test(
    "A day has one interpretation, two or none",
    arguments: [
      ("2026-01-05", nil, ["2026-01-05"]), ("2026/1/5", nil, ["2026-01-05"]), ("2026-01-05 07:10", nil, ["2026-01-05"]),
      ("2026-01-05T07:10:00Z", nil, ["2026-01-05"]), ("03/04/2025", nil, ["2025-03-04", "2025-04-03"]),
      ("03/04/2025", .dmy, ["2025-04-03"]), ("03/04/2025", .mdy, ["2025-03-04"]),
      ("25/04/2025", nil, ["2025-04-25"]), ("04/25/2025", nil, ["2025-04-25"]), ("5/5/2025", nil, ["2025-05-05"]),
      ("5.1.2026", nil, ["2026-01-05"]), ("05-01-2026", nil, ["2026-05-01", "2026-01-05"]),
      ("Jan 5, 2026", nil, ["2026-01-05"]), ("5 January 2026", nil, ["2026-01-05"]),
      ("05-Jan-2026", .dmy, ["2026-01-05"]),
      ("Sept 5 2026", nil, ["2026-09-05"]), ("1/5/2026 8:30 AM", .mdy, ["2026-01-05"]),
      ("25/04/2025", .mdy, []), ("2026-02-30", nil, []), ("1/5/26", nil, []), ("13/13/2026", nil, []),
      ("", nil, []),
      ("yesterday", nil, []), ("2026-01", nil, []), ("2026-01-05x", nil, []), ("1800-01-05", nil, []),
      ("2026.01/05", nil, []),
      ("20260105", nil, []), ("Foo 5, 2026", nil, []), ("2026-01-05-06", nil, []),
    ] as [(String, TableDateFormat?, [String])])
  func days(_ text: String, _ order: TableDateFormat?, _ expected: [String]) {
    #expect(DateText.reading(text, order: order).readings.map { "\($0)" } == expected)
  }

  @Test(
    "Times are read with and without AM and PM",
    arguments: [
      ("07:10", "07:10"), ("7:10 AM", "07:10"), ("12:05 am", "00:05"), ("12:05 PM", "12:05"),
      ("11:59:59 p.m.", "23:59"),
      ("8 PM", "20:00"), ("08:15 ", "08:15"), ("24:00", nil), ("13:00 PM", nil), ("8", nil), ("7:5:61", nil), ("", nil),
    ])
  func times(_ text: String, _ expected: String?) { #expect(TimeText.time(text).map { "\($0)" } == expected) }

  @Test("Unambiguous rows decide for the whole table, unless they contradict each other")
  func style() {
    var style = TableStyle()
    for text in ["03/04/2025", "25/04/2025"] { style.note(day: text) }
    for text in ["1.234", "12.5", "350"] { style.note(number: text) }
    #expect(style.order == .dmy && style.mark == .point)
    style.note(day: "04/25/2025")
    style.note(number: "12,5")
    #expect(style.order == nil && style.mark == nil)
    style.note(day: "25/04/2025")
    style.note(number: "12.5")
    #expect(style.order == nil && style.mark == nil, "it stays undecided")
    var stated = TableStyle(order: .mdy, mark: .comma)
    stated.note(day: "25/04/2025")
    stated.note(number: "12.5")
    #expect(stated.order == .mdy && stated.mark == .comma)
  }
}
