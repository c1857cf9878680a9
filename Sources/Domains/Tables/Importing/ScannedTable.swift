import DaybookProtocol

/// A table of which it is known whose it is, with all its rows, none of which is read yet.
package struct ScannedTable: Sendable {
  /// Which of the shapes it has.
  package let shape: Int
  package let mapping: ColumnMapping
  package let style: TableStyle
  package let encoding: TableEncoding
  package let delimiter: UInt8
  package let rows: [Row]

  /// A row of which only the cells that have fields are kept.
  package struct Row: Sendable {
    let number: Int
    let line: Int
    /// How many cells it has, empty ones beyond the header aside.
    package let count: Int
    let cells: [String]

    /// Its bytes in the table as far as they are kept, with what separates its cells.
    fileprivate var size: Int { cells.reduce(count) { $0 + $1.utf8.count } }
  }

  /// Opens a row for reading.
  package func reader(_ row: Row) -> RowReader {
    RowReader(mapping, style, row: row.number, line: row.line, cells: row.cells)
  }

  /// Calls `body` with each row in order, opened for reading. `goesOn` is asked before the first, and again after rows of 64 KiB
  /// together: it is told the percentage, from 50 on, and says whether the table is still wanted.
  package func readRows(
    goesOn: (Int) -> Bool, _ body: (Row, inout RowReader) -> Void
  ) throws(TableRefusal) {
    var size = ScannedTable.piece
    for (index, row) in rows.enumerated() {
      if size >= ScannedTable.piece {
        guard goesOn(50 + index * 50 / rows.count) else { throw .cancelled }
        size = 0
      }
      var reader = reader(row)
      body(row, &reader)
      size += row.size
    }
  }

  /// Bytes of rows that are read before it is asked again whether to go on. A row can have a megabyte, so rows do not tell how
  /// long that takes.
  private static let piece = 1 << 16

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
