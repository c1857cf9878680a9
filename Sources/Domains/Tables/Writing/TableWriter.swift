import CivilTime
import DaybookProtocol
import Values

/// Writes a table as RFC 4180 has it: rows end in CR LF, cells are quoted when they have to be, days are ISO 8601. A text that a
/// spreadsheet would take for a formula is written with an apostrophe in front (`CellText`); a number stays one, negative or not.
package struct TableWriter: Sendable {
  /// What was written and not taken yet.
  package private(set) var bytes: [UInt8] = []
  /// Rows so far.
  package private(set) var rows = 0
  private let delimiter: UInt8
  private var cells = 0
  private var isBlank = true

  /// - Parameter hasMark: Whether it begins with a byte order mark, by which some spreadsheets know UTF-8.
  package init(delimiter: UInt8 = UInt8(ascii: ","), hasMark: Bool = false) {
    self.delimiter = delimiter
    if hasMark { bytes = [0xEF, 0xBB, 0xBF] }
  }

  /// Adds a cell with a text.
  package mutating func text(_ text: String?) {
    var text = CellText.protected(text ?? "")
    text.withUTF8 { cell($0) }
  }

  /// Adds a cell with a number.
  package mutating func number(_ number: Decimal?) { plain(number.map { $0.description } ?? "") }

  /// Adds a cell with a number.
  package mutating func number(_ number: Int) { plain(String(number)) }

  /// Adds a cell with a day.
  package mutating func day(_ day: CivilDay?) { plain(day?.description ?? "") }

  /// Adds a cell with a text that is no free text: a name of ours, an id, a time.
  package mutating func plain(_ text: String) {
    var text = text
    text.withUTF8 { cell($0) }
  }

  /// Ends the row.
  package mutating func endRow() {
    // One empty cell is not the same as nothing.
    if cells == 1, isBlank { bytes += [UInt8(ascii: "\""), UInt8(ascii: "\"")] }
    bytes += [0x0D, 0x0A]
    rows += 1
    cells = 0
    isBlank = true
  }

  /// Hands out what was written.
  package mutating func take() -> [UInt8] {
    let taken = bytes
    bytes = []
    return taken
  }

  private mutating func cell(_ text: UnsafeBufferPointer<UInt8>) {
    if cells > 0 { bytes.append(delimiter) }
    cells += 1
    if !text.isEmpty { isBlank = false }
    guard needsQuotes(text) else {
      bytes += text
      return
    }
    bytes.append(UInt8(ascii: "\""))
    for byte in text {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private func needsQuotes(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    // Some programs take spaces away where no quotes are.
    if text.first == 0x20 || text.last == 0x20 { return true }
    return text.contains { $0 == delimiter || $0 == UInt8(ascii: "\"") || $0 == 0x0A || $0 == 0x0D }
  }
}
