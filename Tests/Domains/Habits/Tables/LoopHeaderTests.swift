import DaybookProtocol
import FileStoreTesting
import Habits
import Tables
import Testing

@testable import HabitTables

@Suite("Headers of Loop's marks")
struct LoopHeaderTests {
  private static func shelf(_ names: [String]) -> Shelf {
    var shelf = Shelf()
    for (index, name) in names.enumerated() {
      var habit = HabitDrafts.blankHabit(name, Shelf.today)
      habit.id = EntityID(high: 0x4000, low: 1 << 63 | UInt64(index))
      shelf.habits[habit.id] = habit
    }
    return shelf
  }

  @Test("A name with an unquoted comma makes every row ragged, and no habit")
  func ragged() throws {
    var shelf = Shelf()
    let text = "Date,Read, write,Run,\n2026-01-04,YES_MANUAL,NO,\n2026-01-03,NO,NO,\n"
    let table = try shelf.read(text)
    #expect(table.problems.map(\.kind) == [.raggedRow, .raggedRow] && table.problems.map(\.row) == [2, 3])
    #expect(
      table.problems.allSatisfy { $0.column == nil && $0.reason.contains(text: "it has 3 cells, the header has 4") })
    try shelf.take(text)
    #expect(shelf.habits.isEmpty && shelf.logs.isEmpty)
  }

  @Test(
    "Known names with commas are joined if exactly one way has as many columns as the rows",
    arguments: [
      (["Read, write"], "Read, write,Run", 2, ["Read, write", "Run"]),
      (["Read, write"], "Run,Read,  WRITE", 2, ["Run", "Read,  WRITE"]),
      // The rows say that these are two habits.
      (["Read, write"], "Read, write,Run", 3, ["Read", "write", "Run"]),
      (["A,B", "C,D"], "A,B,C,D", 3, nil), (["A,B", "C,D"], "A,B,C,D", 2, ["A,B", "C,D"]),
      (["A,B", "B,C"], "A,B,C", 2, nil), (["A,B", "A,B,C"], "A,B,C", 1, ["A,B,C"]), (["A,B,C"], "A,B,C", 2, nil),
      (["A,B", "C,D", "A,B,C"], "A,B,C,D", 2, nil), ([], "Read, write", 1, nil),
      (["Read, write"], "Read, write", 0, nil),
    ] as [([String], String, Int, [String]?)])
  func joined(_ known: [String], _ header: String, _ count: Int, _ expected: [String]?) throws {
    let marks = (0..<count).map { _ in "YES_MANUAL," }.joined()
    let table = try LoopHeaderTests.shelf(known).read("Date,\(header),\n2026-01-04,\(marks)\n2026-01-03,\(marks)\n")
    #expect((table.refused == 0) == (expected != nil))
    if let expected { #expect(table.mapping.headers.dropFirst().map(\.text) == expected) }
  }

  @Test("The joined names are those of an exhaustive search", arguments: 0..<200)
  func exhaustive(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed), number: 41)
    let parts = (0..<random.among(1...7)).map { _ in ["a", "b", "c"][random.below(3)] }
    let known = (0..<random.below(5)).map { _ in
      (0..<random.among(2...3)).map { _ in ["a", "b", "c"][random.below(3)] }.joined(separator: ",")
    }
    func ways(_ rest: ArraySlice<String>) -> [[String]] {
      guard !rest.isEmpty else { return [[]] }
      return (1...rest.count).flatMap { width -> [[String]] in
        let name = rest.prefix(width).joined(separator: ",")
        return width == 1 || known.contains(name) ? ways(rest.dropFirst(width)).map { [name] + $0 } : []
      }
    }
    for count in 1...parts.count {
      let found = ways(parts[...]).filter { $0.count == count }
      let joined = LoopNames(parts, ",", known).joined(to: count)
      #expect(joined == (found.count == 1 ? found[0] : parts), "\(parts) \(known) \(count)")
    }
  }

  @Test("A header is decoded and checked like a body", arguments: ["Übung", "Café €", "読書"])
  func encodings(_ name: String) throws {
    let text = "Date,\(name),\n2026-01-04,YES_MANUAL,\n"
    var options = Shelf().options
    func names(_ bytes: [UInt8], _ encoding: TableEncoding? = nil) throws -> [String] {
      options.scan.encoding = encoding
      return try HabitTable.read(bytes, options).mapping.headers.map(\.text)
    }
    for isBig in [false, true] {
      for mark in ["", "\u{FEFF}"] {
        let bytes = Array((mark + text).utf16).flatMap {
          isBig ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)]
        }
        #expect(try names(bytes) == ["Date", name])
      }
    }
    #expect(try names(Array(("\u{FEFF}" + text).utf8)) == ["Date", name])
    guard name != "読書" else { return }
    let latin = text.unicodeScalars.map { $0 == "€" ? 0x80 : UInt8(truncatingIfNeeded: $0.value) }
    #expect(try names(latin, .windows1252) == ["Date", name])
    do {
      _ = try names(latin)
      Issue.record("the header was read")
    } catch TableRefusal.unreadable(let error) {
      #expect(error.code == .notText && error.place?.line == 1 && error.place?.column == 2 && error.hint != nil)
    }
  }

  @Test("A title above the marks is skipped; a table above them is another table")
  func titles() throws {
    let table = try Shelf().read("My habits\nDate,Sit,\n2026-01-04,YES_MANUAL,\n")
    #expect(table.known.format == .loop && table.skippedLines == ["My habits"] && table.rows.map(\.number) == [3])
    let other = try Shelf().read("Habit,When,\nDate,2026-01-04,\n") { $0.scan.mapping = ["day": "When"] }
    #expect(other.known.format == .other && other.skippedLines.isEmpty)
    let semicolons = try Shelf().read("Habits, by day\nDate;Sit;\n2026-01-04;YES_MANUAL;\n")
    #expect(semicolons.known.format == .loop && semicolons.refused == 0)
  }
}
