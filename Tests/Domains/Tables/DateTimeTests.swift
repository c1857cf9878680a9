import CivilTime
import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Tables

@Suite("Days with times in cells")
struct DateTimeTests {
  /// Central Europe: an hour east of UTC, two in summer.
  private static func berlin() throws -> TimeZoneRules { try TimeZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3") }

  /// `2026-01-19 00:00:00`, without a time `2026-01-19`.
  private static func shown(_ day: CellDay?) -> String? {
    day.map { day in
      guard let second = day.second else { return "\(day.day)" }
      let parts = [second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
      return "\(day.day) \(parts.joined(separator: ":"))"
    }
  }

  private static func read(_ text: String, order: TableDateFormat? = nil) throws -> CellDay? {
    let moment = DateText.moment(text, order: order).readings.first
    let zone = try berlin()
    return moment.flatMap { CellDay($0, in: zone) }
  }

  @Test(
    "A date-time with Z or an offset is an instant on the user's calendar; any other is the user's wall time",
    arguments: [
      ("2026-01-18T23:00:00.000Z", "2026-01-19 00:00:00"), ("2026-01-18T22:59:59Z", "2026-01-18 23:59:59"),
      ("2026-06-30T22:00Z", "2026-07-01 00:00:00"), ("2026-01-19T00:30:00+02:00", "2026-01-18 23:30:00"),
      ("2026-01-18 20:10:00 -0500", "2026-01-19 02:10:00"), ("2026-01-18 07:10 +01", "2026-01-18 07:10:00"),
      ("2026-01-18 23:00:00 UTC", "2026-01-19 00:00:00"), ("20.1.2026 23:30 GMT", "2026-01-21 00:30:00"),
      ("Jan 18, 2026 11:15 PM Z", "2026-01-19 00:15:00"), ("2026-01-18T2300Z", "2026-01-19 00:00:00"),
      ("2026-01-18T23:00:00,5z", "2026-01-19 00:00:00"),
      ("2026-01-18T23:00:00.000", "2026-01-18 23:00:00"), ("2026-01-18 7:10", "2026-01-18 07:10:00"),
      ("1/18/2026 7:10 PM", "2026-01-18 19:10:00"), ("18 Jan 2026, 09:00", "2026-01-18 09:00:00"),
      ("2026-01-18 7:10:05\u{202F}am", "2026-01-18 07:10:05"), ("2026-01-18 7 pm", "2026-01-18 19:00:00"),
      ("2026-01-18T071005", "2026-01-18 07:10:05"), ("2026-01-18", "2026-01-18"), ("2026-01-18 7.30", "2026-01-18"),
    ])
  func zones(_ text: String, _ expected: String) throws {
    #expect(DateTimeTests.shown(try DateTimeTests.read(text)) == expected)
  }

  @Test(
    "An impossible time behind a day is refused as a time",
    arguments: [
      "2026-01-18 25:00", "2026-01-18T07:60Z", "2026-01-18T07:10:00+99:00", "2026-01-18T07:10:61",
      "2026-01-18 13:00 PM",
      "2026-01-18T07:10:00+01:75", "2026-01-18 10:30 - 11", "2026-01-18 7:1:1:1",
    ])
  func badTimes(_ text: String) throws {
    #expect(DateText.moment(text, order: nil) == .invalid && DateText.reading(text, order: nil) == .invalid)
    let mapping = try ColumnMapping([TableHeader("Date")], [TableField("day", ["Date"])])
    var reader = RowReader(mapping, TableStyle(), row: 2, line: 2, cells: [text])
    #expect(reader.moment("day") == nil && reader.problems.map(\.kind) == [.notATime])
    #expect(reader.problems.first?.allowed != nil)
  }

  @Test("Ids are derived from the instant, wherever the user is")
  func keys() throws {
    let text = "2026-01-18T23:00:00.000Z"
    let there = try DateTimeTests.read(text)
    let home = DateText.moment(text, order: nil).readings.first.flatMap { CellDay($0, in: .utc) }
    #expect(there?.day != home?.day && there?.keyDay == home?.keyDay && there?.keySecond == home?.keySecond)
    #expect(there?.instant == home?.instant && there?.instant.map { "\($0)" } == text)
    let other = try DateTimeTests.read("2026-01-19T01:00:00+02:00")
    #expect(other?.instant == there?.instant && other?.keyDay == there?.keyDay)
  }

  @Test("An instant in a repeated hour stays the one it is")
  func repeated() throws {
    let (first, second) = (
      try DateTimeTests.read("2026-10-25T02:30:00+02:00"), try DateTimeTests.read("2026-10-25T02:30:00+01:00")
    )
    #expect(DateTimeTests.shown(first) == DateTimeTests.shown(second) && first?.instant != second?.instant)
  }

  @Test("A day that leaves the allowed range in the user's zone is refused")
  func edges() throws {
    #expect(try DateTimeTests.read("2200-12-31T23:30:00Z") == nil)
    #expect(try DateTimeTests.read("1900-01-01T00:30:00+05:00") == nil)
    #expect(DateTimeTests.shown(try DateTimeTests.read("2200-12-31T23:30:00")) == "2200-12-31 23:30:00")
  }

  @Test(
    "With points the day is first, whatever the order; if that is impossible, it is no day",
    arguments: [nil, .dmy, .mdy, .ymd] as [TableDateFormat?])
  func points(_ order: TableDateFormat?) {
    #expect(DateText.reading("05.01.2026", order: order).readings.map { "\($0)" } == ["2026-01-05"])
    #expect(DateText.reading("5.1.2026 07:10", order: order).readings.map { "\($0)" } == ["2026-01-05"])
    #expect(DateText.reading("10.13.2026", order: order) == .invalid)
    #expect(DateText.reading("2026.01.05", order: order).readings.map { "\($0)" } == ["2026-01-05"])
  }

  @Test("Midnight in every row is no time; beside other times it is one")
  func midnights() throws {
    var style = TableStyle(zone: try DateTimeTests.berlin())
    for text in ["2026-01-05 00:00:00", "2026-01-18T23:00:00Z", "2026-07-01T22:00:00.000Z", "2026-01-05", "soon"] {
      style.note(day: text)
    }
    #expect(!style.hasTimes)
    style.note(day: "2026-01-05T00:00:00Z")
    #expect(style.hasTimes)
  }

  private static let fields = [
    TableField("day", ["Date"], isRequired: true), TableField("at", ["Time"], sharing: "day"),
    TableField("note", ["Note"]),
  ]

  private func reader(_ headers: [String], _ cells: [String], _ wanted: [String: String] = [:]) throws -> RowReader {
    let mapping = try ColumnMapping(headers.map { TableHeader($0) }, DateTimeTests.fields, wanted: wanted)
    var style = TableStyle(zone: try DateTimeTests.berlin())
    style.note(day: cells[0])
    return RowReader(mapping, style, row: 2, line: 2, cells: mapping.kept.map { cells[$0] })
  }

  @Test("A time has its own column, that of the day if the mapping says so, or stands behind the day")
  func times() throws {
    func time(_ headers: [String], _ cells: [String], _ wanted: [String: String] = [:]) throws -> [String?] {
      var reader = try reader(headers, cells, wanted)
      let day = reader.moment("day")
      let time = reader.time("at", behind: day)
      #expect(reader.problems.isEmpty)
      return [time.time.map { "\($0)" }, time.key]
    }
    #expect(try time(["Date"], ["2026-01-05 07:10"]) == ["07:10", ""])
    #expect(try time(["Date", "Time"], ["2026-01-05 07:10", "8:30 PM"]) == ["20:30", "20:30"])
    #expect(try time(["Date", "Time"], ["2026-01-05 07:10", "-"]) == ["07:10", ""])
    #expect(try time(["Date"], ["2026-01-05 07:10"], ["at": "Date"]) == ["07:10", ""])
    #expect(try time(["Date", "X"], ["2026-01-05", "2026-01-05T07:10:00Z"], ["at": "X"]) == ["08:10", "07:10"])
    #expect(try time(["Date"], ["2026-01-05"]) == [nil, ""])
  }

  @Test("A time may share the day's column, which is shown as the day's; other fields share none")
  func shared() throws {
    let headers = [TableHeader("Date"), TableHeader("Note")]
    for wanted in [["at": "Date", "day": "Date"], ["at": "#1"], ["day": "Date", "at": "date"]] {
      let mapping = try ColumnMapping(headers, DateTimeTests.fields, wanted: wanted)
      #expect(mapping.kept == [0, 1] && mapping.field(at: 0) == "day" && mapping.field(at: 1) == "note", "\(wanted)")
      #expect(mapping.columns["at"] == 0 && mapping.columns["day"] == 0)
    }
    #expect(throws: ColumnMapping.Problem.usedTwice(field: "note", other: "day")) {
      try ColumnMapping(headers, DateTimeTests.fields, wanted: ["note": "Date", "day": "Date"])
    }
  }

  @Test("Any text is a day, a day with a time, or refused, without trapping", arguments: 0..<200)
  func anything(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed), number: 31)
    let parts = [
      "2026", "-", "/", ".", "01", "13", "5", "T", "Z", "+", "+01:00", "-0500", ":", "07", "99", " ", ",", "am", "PM",
      "UTC",
      "Jan", "1900-01-01", "2200-12-31", "23:59:59", "24:00", "é", "\u{202F}", "0", "9999",
    ]
    let zone = try DateTimeTests.berlin()
    for _ in 0..<50 {
      let text = (0..<random.among(1...9)).map { _ in parts[random.below(parts.count)] }.joined()
      for order in [nil, .dmy, .mdy] as [TableDateFormat?] {
        for moment in DateText.moment(text, order: order).readings {
          let day = CellDay(moment, in: zone)
          #expect(day.map { CivilDay.allowed.contains($0.day) } ?? true, "\(text)")
          #expect(day?.second.map { (0..<86_400).contains($0) } ?? true, "\(text)")
        }
      }
    }
  }
}
