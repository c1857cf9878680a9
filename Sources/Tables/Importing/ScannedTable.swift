/// A table of which it is known whose it is, with all its rows, none of which is read yet.
package struct ScannedTable: Sendable {
  /// Which of the shapes it has.
  package let shape: Int
  package let mapping: ColumnMapping
  package let style: TableStyle
  package let encoding: TextEncoding
  package let delimiter: UInt8
  package let rows: [Row]

  /// A row of which only the cells that have fields are kept.
  package struct Row: Sendable {
    let number: Int
    let line: Int
    /// How many cells it has, empty ones beyond the header aside.
    package let count: Int
    let cells: [String]
  }

  /// Opens a row for reading.
  package func reader(_ row: Row) -> RowReader {
    RowReader(mapping, style, row: row.number, line: row.line, cells: row.cells)
  }

  /// Whether a row has as many cells as the header; if not, that is noted, with what may help.
  package func isWhole(_ row: Row, _ reader: inout RowReader, hint: String? = nil) -> Bool {
    guard row.count != mapping.headers.count else { return true }
    reader.refuse(
      .raggedRow, nil,
      "it has \(row.count) cells, the header has \(mapping.headers.count)\(hint.map { "; \($0)" } ?? "")",
      allowed: "as many cells as the header has")
    return false
  }
}
