import CivilTime
import TerminalPages
import Testing

@Suite("What a page is printed on, and which days it is about")
struct SurfaceTests {
  private func surface(
    _ width: Int? = nil, colours: Surface.Colours = .auto, terminal: Bool = true, columns: Int? = nil,
    in environment: [String: String] = [:]
  ) -> Surface {
    Surface(width: width, colours: colours, isASCII: false, terminal: (terminal, columns)) { environment[$0] }
  }

  @Test(
    "The width is the option, the terminal's, COLUMNS, 80, and between 20 and 400",
    arguments: [
      (nil, true, 120, nil, 120), (nil, true, nil, "90", 90), (nil, true, nil, "0", 80), (nil, true, nil, "-3", 80),
      (nil, true, nil, "x", 80), (nil, true, nil, nil, 80), (nil, true, 1, nil, 20), (nil, true, 9999, nil, 400),
      (50, true, 120, nil, 50), (50, false, nil, nil, 50), (3, false, nil, nil, 20), (nil, false, nil, "90", nil),
    ] as [(Int?, Bool, Int?, String?, Int?)])
  func width(_ option: Int?, _ terminal: Bool, _ columns: Int?, _ variable: String?, _ width: Int?) {
    let environment = variable.map { ["COLUMNS": $0] } ?? [:]
    #expect(surface(option, terminal: terminal, columns: columns, in: environment).width == width)
  }

  @Test(
    "Colours follow the option, NO_COLOR, CLICOLOR_FORCE, TERM and the terminal, in this order",
    arguments: [
      (.auto, true, ["TERM": "xterm"], true), (.auto, false, ["TERM": "xterm"], false), (.auto, true, [:], false),
      (.auto, true, ["TERM": "dumb"], false), (.auto, true, ["TERM": "xterm", "NO_COLOR": "1"], false),
      (.auto, false, ["TERM": "dumb", "CLICOLOR_FORCE": "1"], true), (.auto, false, ["CLICOLOR_FORCE": "0"], false),
      (.auto, true, ["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], false), (.always, false, ["NO_COLOR": "1"], true),
      (.never, true, ["TERM": "xterm", "CLICOLOR_FORCE": "1"], false),
    ] as [(Surface.Colours, Bool, [String: String], Bool)])
  func colours(_ option: Surface.Colours, _ terminal: Bool, _ environment: [String: String], _ has: Bool) {
    #expect(surface(colours: option, terminal: terminal, in: environment).hasColours == has)
  }

  @Test(
    "A locale that is not UTF-8 has only ASCII",
    arguments: [
      (["LANG": "de_DE.UTF-8"], false), (["LANG": "en_US.utf8"], false), (["LANG": "C"], true), ([:], true),
      (["LANG": "de_DE.UTF-8", "LC_ALL": "C"], true), (["LANG": "C", "LC_CTYPE": "C.UTF-8"], false),
      (["LANG": "de_DE.ISO-8859-1"], true),
    ])
  func locale(_ environment: [String: String], _ isASCII: Bool) {
    #expect(surface(in: environment).isASCII == isASCII)
  }

  // 2026-01-05 is a Monday.
  private static let today = CivilDay(year: 2026, month: 1, day: 5) ?? CivilDay(daysSinceEpoch: 0)

  @Test(
    "Days are words, distances, weekdays and dates",
    arguments: [
      ("today", "2026-01-05"), ("Yesterday", "2026-01-04"), ("tomorrow", "2026-01-06"), ("-1", "2026-01-04"),
      ("+2", "2026-01-07"), ("mon", "2026-01-05"), ("tue", "2025-12-30"), ("sun", "2026-01-04"),
      ("sunday", "2026-01-04"), ("2200-12-31", "2200-12-31"), ("2026-02-30", nil), ("-99999999", nil), ("-999999", nil),
      ("mo", nil), ("monda", nil), ("5", nil), ("", nil), ("-", nil), ("+-1", nil), ("１", nil), ("2201-01-01", nil),
    ])
  func day(_ word: String, _ day: String?) {
    #expect(DayWords.day(word, today: SurfaceTests.today).map { "\($0)" } == day)
  }

  private func range(_ text: String, _ anchor: CivilDay = today) throws -> String {
    let range = try DayWords.range(text, today: SurfaceTests.today, anchor: anchor) { $0.week(from: 0) }
    return "\(range.lowerBound)..\(range.upperBound)"
  }

  @Test(
    "Ranges are days, pairs of days, and periods of the calendar",
    arguments: [
      ("today", "2026-01-05..2026-01-05"), ("-3..+1", "2026-01-02..2026-01-06"), ("week", "2026-01-05..2026-01-11"),
      ("month", "2026-01-01..2026-01-31"), ("YEAR", "2026-01-01..2026-12-31"),
      ("2026-01-01..today", "2026-01-01..2026-01-05"),
    ])
  func ranges(_ text: String, _ days: String) throws {
    #expect(try range(text) == days)
  }

  @Test("What is no range says why", arguments: ["", "..", "today..", "x", "today..yesterday", "2026-02-30", "1...2"])
  func noRange(_ text: String) {
    #expect(throws: DayWords.Problem.self) { try range(text) }
  }

  @Test("A sparkline has a bar a value, and averages what does not fit")
  func sparkline() {
    #expect(Sparkline.text([1, nil, 2, 3], on: Surface()) == "▁ ▅█")
    #expect(Sparkline.text([1, 2, 3], on: Surface(isASCII: true)) == "_=#")
    #expect(Sparkline.text([5, 5], on: Surface()) == "▅▅")
    #expect(Sparkline.text([nil], on: Surface()) == "")
    #expect(Sparkline.text((0..<400).map { Double($0) }, on: Surface(width: 20)).count == 20)
  }

  @Test("A heat map has a row a weekday, and the latest weeks that fit", arguments: [nil, 20, 40, 80])
  func heatMap(_ width: Int?) {
    let days = (0..<400).map { SurfaceTests.today.advanced(by: -$0) }
    let levels = Dictionary(uniqueKeysWithValues: days.map { ($0, 100) })
    let lines = HeatMap.lines(levels, last: SurfaceTests.today, firstWeekday: 0, on: Surface(width: width))
    #expect(lines.count == 7)
    let weeks = min(53, (width ?? 57) - 4)
    #expect(lines.first == "Mon " + String(repeating: "█", count: weeks))
    #expect(lines.last == "Sun " + String(repeating: "█", count: weeks - 1))
  }
}
