import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Tables

@Suite("Finding the header and the rows of tables")
struct TableScanTests {
  private static let shape = TableShape(
    signature: [],
    fields: [
      TableField("day", ["Date"], isRequired: true), TableField("name", ["Name"], isRequired: true),
      TableField("note", ["Note"]),
    ], isAnybodys: true, days: ["day"], numbers: [])

  private func scan(_ text: String, _ change: (inout ScanOptions) -> Void = { _ in }) throws -> ScannedTable {
    var options = ScanOptions()
    change(&options)
    return try TableScan.scan(
      try DecodedText(Array(text.utf8), stated: nil), for: [TableScanTests.shape], options)
  }

  /// The rows in short: their number, line and cells; `!` for ragged ones.
  private func rows(_ table: ScannedTable) -> [String] {
    table.rows.map { row in
      var reader = table.reader(row)
      guard table.isWhole(row, &reader) else {
        let isOne = reader.problems.map(\.kind) == [.raggedRow] && reader.problems[0].row == row.number
        return isOne ? "\(row.number)/\(row.line)!" : "?"
      }
      return "\(row.number)/\(row.line) \(row.cells.joined(separator: "|"))"
    }
  }

  @Test(
    "Up to ten lines above a known header are skipped and told; rows and lines count them",
    arguments: [
      ("Date,Name\n2026-01-05,a\n", [], ["2/2 2026-01-05|a"]),
      ("My table\nDate,Name\n2026-01-05,a\n", ["My table"], ["3/3 2026-01-05|a"]),
      (
        "My table; 2026\r\n#Units: kg\r\n\r\nDate;Name\r\n2026-01-05;a\r\n", ["My table; 2026", "#Units: kg", ""],
        ["5/5 2026-01-05|a"]
      ),
      ("a,b,c\r\rDate\tName\r2026-01-05\ta", ["a,b,c", ""], ["4/4 2026-01-05|a"]),
      ("\"Never closed\nDate,Name\n2026-01-05,a\n", ["\"Never closed"], ["3/3 2026-01-05|a"]),
      (
        "1\n2\n3\n4\n\n5\n6\n7\n8\n9\n10\n\nDate,Name\n2026-01-05,a\n",
        ["1", "2", "3", "4", "", "5", "6", "7", "8", "9", "10", ""], ["14/14 2026-01-05|a"]
      ),
      ("\n\nDate,Name\n2026-01-05,a\n", [], ["2/4 2026-01-05|a"]),
      ("sep=;\nTitle\nDate;Name\n2026-01-05;a\n", ["Title"], ["3/4 2026-01-05|a"]),
      ("Title,,\n,,\nDate,Name,\n2026-01-05,a,\n", ["Title,,", ",,"], ["4/4 2026-01-05|a"]),
    ] as [(String, [String], [String])])
  func skipped(_ text: String, _ lines: [String], _ expected: [String]) throws {
    let table = try scan(text)
    #expect(table.skippedLines == lines && rows(table) == expected)
    // Stating it says the same.
    let stated = try scan(text) { $0.skipLines = lines.count }
    #expect(stated.skippedLines == lines && rows(stated) == expected)
  }

  @Test("A stated number of lines is skipped, whatever they are")
  func stated() throws {
    let text = "Date,Name\nDate;Name\n2026-01-05;a\n"
    #expect(try scan(text).delimiter == UInt8(ascii: ","))
    let table = try scan(text) { $0.skipLines = 1 }
    #expect(table.delimiter == UInt8(ascii: ";") && rows(table) == ["3/3 2026-01-05|a"])
    #expect(throws: TableRefusal.self) { try scan("Title\nDate,Name\n2026-01-05,a\n") { $0.skipLines = 0 } }
    #expect(throws: TableRefusal.self) { try scan("Title\nDate,Name\n2026-01-05,a\n") { $0.skipLines = 2 } }
  }

  private func refusal(_ text: String, _ change: (inout ScanOptions) -> Void = { _ in }) -> TableRefusal? {
    do {
      _ = try scan(text, change)
      return nil
    } catch { return error as? TableRefusal }
  }

  /// The headers of an unrecognized table, and the fields that it lacks.
  private func lacking(_ text: String) -> [[String]] {
    if case .unrecognized(let headers, let missing) = refusal(text) { [headers, missing] } else { [] }
  }

  @Test("A header below ten lines, or behind the end, is not found")
  func tooFar() throws {
    let lines = (0..<11).map { "line \($0)\n" }.joined()
    #expect(lacking("\(lines)Date,Name\n2026-01-05,a\n") == [["line 0"], ["day", "name"]])
    #expect(try scan("\(lines.dropFirst(7))Date,Name\n2026-01-05,a\n").skippedLines.count == 10)
    guard case .unreadable(let error) = refusal("Date,Name\n2026-01-05,a", { $0.skipLines = 5 }) else {
      Issue.record("there was a row")
      return
    }
    #expect(error.code == .empty && error.hint != nil)
  }

  @Test("Without a known header, the line that lacks the fewest fields tells what is missing")
  func closest() { #expect(lacking("Title\nDate,Food\n2026-01-05,a\n") == [["Date", "Food"], ["name"]]) }

  @Test(
    "A row with more or fewer cells than the header is ragged; a delimiter at the end has no cell behind it",
    arguments: [
      ("Date,Name,Note\n1,a\n1,a,x\n1,a,x,y\n1,a,,y\n", ["2/2!", "3/3 1|a|x", "4/4!", "5/5!"]),
      ("Date,Name,Note\n1,a,x, \n1,a,,\n1,a,\n", ["2/2 1|a|x", "3/3 1|a|", "4/4 1|a|"]),
      ("Date,Name,Note,\n1,a,x,\n1,a,,\n1,a,\n1,a\n", ["2/2 1|a|x", "3/3 1|a|", "4/4!", "5/5!"]),
      // Only the header ends with a delimiter: some row shows it.
      ("Date,Name,Note,\n1,a,x\n1,a,\n1,a\n", ["2/2 1|a|x", "3/3 1|a|", "4/4!"]),
      // Nothing shows it.
      ("Date,Name,Note,\n1,a,\n", ["2/2!"]),
      // Rows of both kinds decide nothing.
      ("Date,Name,Note,\n1,a,x\n1,a,x,\n1,a,\n", ["2/2 1|a|x", "3/3 1|a|x", "4/4!"]),
      ("Date,Name,,\n1,a,,,\n1,a\n1,a,x\n", ["2/2 1|a", "3/3 1|a", "4/4!"]),
    ])
  func ragged(_ text: String, _ expected: [String]) throws { #expect(rows(try scan(text)) == expected) }

  @Test("The cells of a ragged row decide nothing about the others")
  func evidence() throws {
    #expect(try scan("Date,Name\n01/02/2026,a\n25/02/2026,a,b\n").style.order == nil)
    #expect(try scan("Date,Name\n01/02/2026,a\n25/02/2026,b\n").style.order == .dmy)
  }

  @Test(
    "A known name with an unquoted delimiter is joined where that is the only reading",
    arguments: [
      ("1,Read, write,x", "2/2 1|Read, write|x"), ("1,Read, write,", "2/2 1|Read, write|"),
      ("1,Read, write,x,", "2/2 1|Read, write|x"), ("1,A, B, C,x", "2/2 1|A, B, C|x"), ("1,Sit, walk,x", "2/2!"),
      // “Run” is a name, too.
      ("1,Run, walk,x", "2/2!"), ("1,Read, write,x,y", "2/2!"), ("1,Run,x", "2/2 1|Run|x"),
      ("1,Run, walk,", "2/2!"), ("1,Run,x,", "2/2 1|Run|x"),
    ])
  func names(_ row: String, _ expected: String) throws {
    let known: Set = ["Read, write", "A, B, C", "Run", "Run, walk"]
    let table = try scan("Date,Name,Note\n\(row)\n") { $0.names = KnownNames("name") { known.contains($0) } }
    #expect(rows(table) == [expected])
  }

  @Test(
    "A known name is joined although its beginning is a name, too, where the next column is a number",
    arguments: [
      ("1,Run, walk,5", "2/2 1|Run, walk|5"), ("1,Run, walk,5,", "2/2 1|Run, walk|5"),
      ("1,Run, walk,", "2/2 1|Run, walk|"), ("1,Run, 5,5", "2/2!"), ("1,Run,-,", "2/2!"),
      ("1,Run,5,", "2/2 1|Run|5"),
    ])
  func namesBeforeNumbers(_ row: String, _ expected: String) throws {
    let known: Set = ["Run", "Run, walk", "Run, 5", "Run,-"]
    let shape = TableShape(
      signature: [],
      fields: [TableField("day", ["Date"]), TableField("name", ["Name"]), TableField("count", ["Count"])],
      isAnybodys: true, days: ["day"], numbers: ["count"])
    var options = ScanOptions()
    options.names = KnownNames("name") { known.contains($0) }
    let text = try DecodedText(Array("Date,Name,Count\n\(row)\n".utf8), stated: nil)
    #expect(rows(try TableScan.scan(text, for: [shape], options)) == [expected])
  }

  @Test("A word for no value is none; in a text of our own tables it is a text")
  func noValue() throws {
    let mapping = try ColumnMapping(["Date", "Name", "Note"].map { TableHeader($0) }, TableScanTests.shape.fields)
    for word in ["", " ", "n/a", "N/A", "null", "NULL", "-", "--", "NaN", " nan "] {
      var reader = RowReader(mapping, TableStyle(), row: 2, line: 2, cells: [word, word, word])
      #expect(reader.raw("note") == nil && reader.text("note", longest: 5) == nil)
      #expect(reader.day("day", isRequired: false) == nil && reader.time("note") == nil && reader.flag("note") == nil)
      #expect(reader.id("note") == nil)
      #expect(reader.number("note", in: .zero...Decimal(1), allowed: "") { $0 } == nil && reader.problems.isEmpty)
      #expect(reader.day("day") == nil && reader.text("name", longest: 5, isRequired: true) == nil)
      #expect(reader.problems.map(\.kind) == [.missing, .missing], "\(word)")
      #expect(reader.text("name", longest: 5, isVerbatim: true) == (word.trimmedCell.isEmpty ? nil : word.trimmedCell))
    }
    for word in ["---", "n.a.", "none", "nil", "0", "nano"] { #expect(!word.isNoValue) }
  }

  @Test("Any mutated table is read or refused without trapping", arguments: 0..<200)
  func mutations(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed), number: 32)
    let pieces = [
      ",", ";", "\n", "\r\n", "\"", "\0", "Date", "Name", "Read, write", "-", "é", "\u{FEFF}", "sep=;\n", "Title\n",
    ]
    for _ in 0..<20 {
      var text = Array("Title\n\nDate,Name,Note,\n2026-01-05T07:10Z,Read, write,x,\n2026-01-06,Run,n/a,\n".utf8)
      for _ in 0..<random.among(0...6) {
        let at = random.below(text.count + 1)
        switch random.below(3) {
        case 0: text.insert(contentsOf: Array(pieces[random.below(pieces.count)].utf8), at: at)
        case 1: if at < text.count { text.remove(at: at) }
        default: if at < text.count { text[at] = UInt8(random.below(256)) }
        }
      }
      var options = ScanOptions()
      options.names = KnownNames("name") { $0 == "Read, write" }
      if random.once(in: 3) { options.skipLines = random.below(5) }
      for encoding in [nil, .windows1252, .utf16LittleEndian] as [TableEncoding?] {
        guard let decoded = try? DecodedText(text, stated: encoding),
          let table = try? TableScan.scan(decoded, for: [TableScanTests.shape], options)
        else { continue }
        #expect(
          rows(table).allSatisfy { $0 != "?" } && table.rows.allSatisfy { $0.cells.count == table.mapping.kept.count })
        #expect(options.skipLines.map { table.skippedLines.count == $0 } ?? (table.skippedLines.count <= 40))
      }
    }
  }
}
