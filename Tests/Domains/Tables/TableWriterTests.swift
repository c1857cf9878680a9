import CivilTime
import FileStoreTesting
import Testing
import Values

@testable import Tables

@Suite("Writing tables")
struct TableWriterTests {
  @Test("Rows end in CR LF, cells are quoted where necessary, days are ISO 8601, numbers stay numbers")
  func form() throws {
    var writer = TableWriter()
    writer.text("Oats, \"rolled\"")
    writer.number(Decimal("-12.50"))
    writer.number(-3)
    writer.day(CivilDay("2026-01-05"))
    writer.text(nil)
    writer.endRow()
    writer.text("")
    writer.endRow()
    #expect(
      String(decoding: writer.take(), as: UTF8.self) == "\"Oats, \"\"rolled\"\"\",-12.50,-3,2026-01-05,\r\n\"\"\r\n")
    #expect(TableWriter(hasMark: true).bytes == [0xEF, 0xBB, 0xBF])
  }

  @Test(
    "A text that a spreadsheet would run as a formula gets an apostrophe, and is restored",
    arguments: [
      ("=1+1", "'=1+1"), ("+49", "'+49"), ("-5", "'-5"), ("@x", "'@x"), ("\tx", "'\tx"), ("\rx", "'\rx"),
      ("'=1", "''=1"), ("''-", "'''-"), ("'hello", "'hello"), ("'", "'"), ("", ""), ("a=b", "a=b"), ("\r\nx", "'\r\nx"),
    ])
  func formulas(_ text: String, _ written: String) {
    #expect(CellText.protected(text) == written)
    #expect(CellText.restored(written) == text)
  }

  @Test("Any texts survive a round trip with any delimiter", arguments: 0..<60)
  func roundTrip(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed), number: 3)
    let parts = [
      ",", "\"", "\n", "\r\n", "\r", "🍛", "ü", "=", "+", "-", "@", "\t", "'", " ", "a", "1", ";", "e\u{301}",
    ]
    let delimiter = [UInt8(ascii: ","), UInt8(ascii: ";"), 9, UInt8(ascii: " ")][random.below(4)]
    let width = random.among(1...4)
    let rows = (0..<random.among(1...12)).map { _ in
      (0..<width).map { _ in (0..<random.below(6)).map { _ in parts[random.below(parts.count)] }.joined() }
    }
    var writer = TableWriter(delimiter: delimiter, hasMark: random.once(in: 2))
    for row in rows {
      for cell in row { writer.text(cell) }
      writer.endRow()
    }
    let read = try TableReader.rows(writer.take(), delimiter: delimiter).map { $0.map { CellText.restored($0) } }
    #expect(read == rows)
    #expect(zip(read.joined(), rows.joined()).allSatisfy { $0.utf8.elementsEqual($1.utf8) })
  }

  @Test("Names of any characters are read again below a header", arguments: 0..<60)
  func characters(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed), number: 4)
    let wide: [UInt32] = [0x80, 0x85, 0xA0, 0xAD, 0x200B, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF, 0x1F95B, 0x10FFFF]
    let names = (0..<random.among(1...12)).map { _ in
      let scalars = (0..<random.below(8)).compactMap { _ in
        // Mostly control characters, and mostly the null character.
        Unicode.Scalar(
          [0, UInt32(random.below(0x20)), UInt32(random.below(0x80)), wide[random.below(wide.count)]][random.below(4)])
      }
      return scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
    }
    var writer = TableWriter(hasMark: random.once(in: 2))
    for row in [["name", "note"]] + names.map({ [$0, "x"] }) {
      for cell in row { writer.text(cell) }
      writer.endRow()
    }
    let bytes = writer.take()
    let read = try TableReader.rows(bytes).map { CellText.restored($0[0]) }
    #expect(read.dropFirst().map { Array($0.utf8) } == names.map { Array($0.utf8) })
  }
}
