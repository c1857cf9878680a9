import DaybookProtocol
import Subscriptions
import Tables
import Testing

@testable import SubscriptionTables

@Suite("Tables of subscriptions with something wrong")
struct BadTableTests {
  private static let head =
    "Name,Amount,Currency,Every,Unit,Category,Start,Trial End,End,Contract End,Notice,Share,Tags,URL,Usage,Reminder Days\n"

  @Test(
    "A cell that breaks a rule is refused with its place and what is allowed",
    arguments: [
      (",1,EUR,1,month,,,,,,,,,,,", "name", .missing), ("A,,EUR,1,month,,,,,,,,,,,", "amount", .missing),
      ("\(String(repeating: "x", count: 201)),1,EUR,1,month,,,,,,,,,,,", "name", .tooLong),
      ("A,0,EUR,1,month,,,,,,,,,,,", "amount", .outOfRange), ("A,-1,EUR,1,month,,,,,,,,,,,", "amount", .outOfRange),
      ("A,1.00001,EUR,1,month,,,,,,,,,,,", "amount", .tooPrecise),
      ("A,many,EUR,1,month,,,,,,,,,,,", "amount", .notANumber),
      ("A,$1,EUR,1,month,,,,,,,,,,,", "amount", .contradiction),
      ("A,1,EURO5,1,month,,,,,,,,,,,", "currency", .unknownValue),
      ("A,1,XQX,1,month,,,,,,,,,,,", "currency", .unknownValue), ("A,1,EUR,0,month,,,,,,,,,,,", "every", .outOfRange),
      ("A,1,EUR,1001,month,,,,,,,,,,,", "every", .outOfRange), ("A,1,EUR,1.5,month,,,,,,,,,,,", "every", .outOfRange),
      ("A,1,EUR,1,moon,,,,,,,,,,,", "unit", .unknownValue), ("A,1,EUR,2,once,,,,,,,,,,,", "every", .contradiction),
      ("A,1,EUR,1,month,food,,,,,,,,,,", "category", .unknownValue),
      ("A,1,EUR,1,month,,2026-02-30,,,,,,,,,", "start", .notADay),
      ("A,1,EUR,1,month,,2026-02-01,,2026-01-01,,,,,,,", "end", .contradiction),
      ("A,1,EUR,1,month,,2026-02-01,2026-02-01,,,,,,,,", "trialEnd", .contradiction),
      ("A,1,EUR,1,month,,2026-02-01,,,2026-01-01,,,,,,", "contractEnd", .contradiction),
      ("A,1,EUR,1,month,,,,,,3 months,,,,,", "notice", .contradiction),
      ("A,1,EUR,1,month,,,,,2027-01-01,soon,,,,,", "notice", .malformed),
      ("A,1,EUR,1,month,,,,,,,2 of 1,,,,", "share", .malformed),
      ("A,1,EUR,1,month,,,,,,,,tv; TV,,,", "tags", .repeated), ("A,1,EUR,1,month,,,,,,,,,ftp://x,,", "url", .malformed),
      ("A,1,EUR,1,month,,,,,,,,,,much,", "usage", .unknownValue),
      ("A,1,EUR,1,month,,,,,,,,,,,31", "reminderDays", .outOfRange),
      ("A,1,EUR,1,month,,,,,,,,,,,soon", "reminderDays", .malformed),
      ("A,1,EUR,1,month", nil, .raggedRow), ("A,1,EUR,1,month,,,,,,,,,,,,x", nil, .raggedRow),
    ] as [(String, String?, TableProblemKind)])
  func cells(_ row: String, _ field: String?, _ code: TableProblemKind) throws {
    let good = "Good,1,EUR,1,month,,,,,,,,,,,\n"
    let table = try Some.read(BadTableTests.head + good + row + "\n" + good)
    let problem = try #require(table.problems.first)
    #expect(problem.kind == code && problem.field == field && problem.row == 3 && problem.line == 3, "\(problem)")
    #expect(problem.allowed != nil && table.refused == 1 && table.rows.count == 3)
    #expect((problem.column != nil) == (field != nil) && (problem.header != nil) == (field != nil))
  }

  @Test("A price of 0 is allowed with a trial")
  func freeTrial() throws {
    let head = "Name,Amount,Currency,Every,Unit,Start,Trial End\n"
    #expect(try Some.read(head + "A,0,EUR,1,month,2026-03-01,2026-04-01\n").refused == 0)
  }

  @Test("Cells of other tables are checked by the same rules")
  func foreignCells() throws {
    let table = try Some.read(
      "Name,Price,Frequency\nA,0,monthly\nB,5,bimonthly\nC,5,\n\(String(repeating: "x", count: 201)),5,yearly\n,,\n")
    #expect(table.problems.map(\.kind) == [.outOfRange, .unknownValue, .missing, .tooLong])
    #expect(table.problems.map(\.row) == [2, 3, 4, 5] && table.ignored == 1)
  }

  @Test("Line numbers count line breaks in cells")
  func lines() throws {
    let table = try Some.read("Name,Price,Notes\n\"A\nB\",5,\"x\ny\"\nC,none,\n")
    let problem = try #require(table.problems.first)
    #expect(problem.row == 3 && problem.line == 5 && problem.value == "none")
  }

  @Test("A byte order mark, every line ending, UTF-16 and a line that names the delimiter are read")
  func encodings() throws {
    let lines = ["Name,Price,Category", "Ünï 🎬,\"1,50\",News", "B,2,Music"]
    let expected = ["Ünï 🎬|1.50 USD|1 month|2026-03-10|news|active", "B|2 USD|1 month|2026-03-10|music|active"]
    for end in ["\n", "\r\n", "\r"] {
      #expect(Some.contents(try Some.read("\u{FEFF}" + lines.joined(separator: end) + end)) == expected)
    }
    let text = lines.joined(separator: "\r\n")
    var options = SubscriptionTableOptions(today: Some.today)
    options.currency = .usd
    for isBig in [false, true] {
      for hasMark in [false, true] {
        let units = Array((hasMark ? "\u{FEFF}\(text)" : text).utf16)
        let bytes = units.flatMap { isBig ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let table = try SubscriptionTable.read(bytes, options)
        #expect(Some.contents(table) == expected && table.encoding == (isBig ? .utf16BigEndian : .utf16LittleEndian))
      }
    }
    let named = "sep=;\r\nName;Price;Category\r\nÜnï 🎬;1,50;News\r\nB;2;Music\r\n"
    #expect(Some.contents(try Some.read(named)) == expected)
  }

  @Test("A table of something else, or without a required column, is refused as a whole")
  func unrecognized() throws {
    for text in ["Artist,Album\nBach,Partitas\n", "Name,Category\nA,News\n", "Amount,Currency\n5,EUR\n"] {
      #expect(throws: TableRefusal.self) { try Some.read(text) }
    }
    #expect(throws: TableRefusal.self) { try Some.read("") }
    #expect(throws: TableRefusal.self) { try Some.read("Name,Price\n\"A,5\n") }
    #expect(throws: TableRefusal.self) { try Some.read("Name,Price\nA,5\n") { $0.format = .wallos } }
    #expect(throws: TableRefusal.self) { try Some.read("Name,Price\nA,5\n") { $0.scan.mapping = ["x": "Price"] } }
    let mapped = try Some.read("Was,Wieviel\nA,5\n") { $0.scan.mapping = ["name": "Was", "amount": "#2"] }
    #expect(Some.contents(mapped) == ["A|5 USD|1 month|2026-03-10|other|active"])
  }

  @Test("Fifty thousand rows are read; of as many bad ones a hundred are reported")
  func many() throws {
    var text = "Name,Price,Cycle,Next Payment\n"
    for number in 0..<50_000 { text += "Service \(number),\(number % 90 + 1).99,Monthly,2026-0\(number % 9 + 1)-15\n" }
    let table = try Some.read(text)
    #expect(table.rows.count == 50_000 && table.refused == 0)
    #expect(Set(table.rows.map(\.identity?.key)).count == 50_000)
    let bad = try Some.read("Name,Price\n" + String(repeating: "A,none\n", count: 50_000))
    #expect(bad.refused == 50_000 && bad.problems.count == 100)
  }

  @Test("Cancellation is checked by the amount read, not by rows")
  func askedByBytes() throws {
    /// How often cancellation is checked for rows with notes of that many bytes.
    func asked(rows: Int, bytes: Int) throws -> Int {
      let row = "A,5,\(String(repeating: "x", count: bytes))\n"
      var asked = 0
      let table = try SubscriptionTable.read(
        Array(("Name,Price,Notes\n" + String(repeating: row, count: rows)).utf8),
        SubscriptionTableOptions(today: Some.today)
      ) { percentage in
        if percentage >= 50 { asked += 1 }
        return true
      }
      #expect(table.rows.count == rows)
      return asked
    }
    #expect(try asked(rows: 7, bytes: 70_000) == 7)
    #expect(try asked(rows: 8, bytes: 40_000) == 4)
    #expect(try asked(rows: 1000, bytes: 1) == 1)
  }

  @Test("Of ten thousand faults in a cell of a megabyte a hundred are reported, with the beginning of the cell")
  func longCell() throws {
    let mark = "2026-01-31 \(String(repeating: " ", count: 80)) skipped,"
    let cell = " \(String(repeating: mark, count: 9999))2026-01-31 skipped"
    let table = try Some.read(BadTableTests.marked(cell))
    #expect(cell.utf8.count > 950_000 && table.refused == 1 && table.problems.count == 100)
    let beginning = String("\(mark)2026-01-31".prefix(100))
    #expect(
      table.problems.allSatisfy {
        $0.kind == .repeated && $0.field == "charges" && $0.row == 2 && $0.value == beginning
          && $0.reason == "marks are not in order"
      })
  }

  @Test("A list with too many items is refused with the limit")
  func tooManyItems() throws {
    let table = try Some.read(BadTableTests.marked(" \(String(repeating: "2026-01-31 skipped,", count: 50_000))"))
    let problem = try #require(table.problems.first)
    #expect(table.refused == 1 && table.problems.count == 1)
    #expect(problem.kind == .tooLong && problem.field == "charges" && problem.allowed == "at most 10000")
    #expect(problem.reason == "it has too many items" && problem.value?.hasPrefix("2026-01-31 skipped") == true)
  }

  /// A table of one row with these marks.
  private static func marked(_ cell: String) -> String {
    "Name,Amount,Currency,Every,Unit,Start,Charges\nA,1,EUR,1,month,2026-01-31,\"\(cell)\"\n"
  }

  @Test("Reading a table can be cancelled")
  func cancelled() {
    #expect(throws: TableRefusal.self) {
      try SubscriptionTable.read(
        Array(Samples.wallos.utf8), SubscriptionTableOptions(today: Some.today), shouldContinue: { $0 < 50 })
    }
  }
}
