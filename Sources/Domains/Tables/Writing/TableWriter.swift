import DaybookProtocol

/// Writes a table in RFC 4180 form: rows end in CR LF, cells are quoted where necessary, days are ISO 8601. `CellText` protects
/// free texts from being run as formulas.
package struct TableWriter: Sendable {
  /// The bytes not yet taken.
  package private(set) var bytes: [UInt8] = []
  package private(set) var rows = 0
  private let delimiter: UInt8
  private var cells = 0
  private var isBlank = true

  /// - Parameter hasMark: Whether to begin with a byte order mark, by which some spreadsheets detect UTF-8.
  package init(delimiter: UInt8 = UInt8(ascii: ","), hasMark: Bool = false) {
    self.delimiter = delimiter
    if hasMark { bytes = [0xEF, 0xBB, 0xBF] }
  }

  /// Adds a cell with a free text.
  package mutating func text(_ text: String?) {
    var text = CellText.protected(text ?? "")
    text.withUTF8 { cell($0) }
  }

  package mutating func number(_ number: Decimal?) { plain(number.map { $0.description } ?? "") }

  package mutating func number(_ number: Int) { plain(String(number)) }

  package mutating func day(_ day: CivilDay?) { plain(day?.description ?? "") }

  /// Adds a cell with a text that cannot be a formula, such as a name of the protocol.
  package mutating func plain(_ text: String) {
    var text = text
    text.withUTF8 { cell($0) }
  }

  /// Adds a cell with a value that cannot be a formula, such as an id or a time.
  package mutating func plain(_ value: (some CustomStringConvertible)?) { plain(value?.description ?? "") }

  package mutating func endRow() {
    // Unquoted, a single empty cell would be a blank line.
    if cells == 1, isBlank { bytes += [UInt8(ascii: "\""), UInt8(ascii: "\"")] }
    bytes += [0x0D, 0x0A]
    rows += 1
    cells = 0
    isBlank = true
  }

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
    // Some programs trim unquoted cells.
    if text.first == 0x20 || text.last == 0x20 { return true }
    return text.contains { $0 == delimiter || $0 == UInt8(ascii: "\"") || $0 == 0x0A || $0 == 0x0D }
  }
}
