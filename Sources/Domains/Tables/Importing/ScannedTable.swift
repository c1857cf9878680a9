import DaybookProtocol

/// A recognized table with its unread rows.
package struct ScannedTable: Sendable {
  /// The index of its shape.
  package let shape: Int
  package let mapping: ColumnMapping
  package let style: TableStyle
  package let encoding: TableEncoding
  package let delimiter: UInt8
  /// The beginnings of the lines above the header.
  package let skippedLines: [String]
  package let rows: [Row]
  let widths: RowWidths

  /// A row's mapped cells.
  package struct Row: Sendable {
    let number: Int
    let line: Int
    /// The number of its cells, without empty ones beyond the header.
    package let count: Int
    /// Whether it may lack its last cell, which is empty.
    let isOpen: Bool
    let cells: [String]

    /// The kept bytes, delimiters included.
    fileprivate var size: Int { cells.reduce(count) { $0 + $1.utf8.count } }
  }

  package func reader(_ row: Row) -> RowReader {
    RowReader(mapping, style, row: row.number, line: row.line, cells: row.cells)
  }

  /// Calls `body` with each row in order. `shouldContinue` is called first and then every 64 KiB; it receives the percentage, from 50 on,
  /// and returns false to cancel.
  package func readRows(
    shouldContinue: (Int) -> Bool, _ body: (Row, inout RowReader) -> Void
  ) throws(TableRefusal) {
    var size = ScannedTable.piece
    for (index, row) in rows.enumerated() {
      if size >= ScannedTable.piece {
        guard shouldContinue(50 + index * 50 / rows.count) else { throw .cancelled }
        size = 0
      }
      var reader = reader(row)
      body(row, &reader)
      size += row.size
    }
  }

  /// Bytes between two calls of `shouldContinue`. Rows would be no measure of time: one can have a megabyte.
  private static let piece = 1 << 16

  /// The rows with as many cells as the header.
  package var wholeRows: some Sequence<Row> { rows.lazy.filter { isWhole($0) } }

  private func isWhole(_ row: Row) -> Bool { row.count == widths.headers && (!row.isOpen || widths.arePlain) }

  /// Whether a row has as many cells as the header; otherwise adds a problem with the hint.
  package func isWhole(_ row: Row, _ reader: inout RowReader, hint: String? = nil) -> Bool {
    guard !isWhole(row) else { return true }
    let count = row.isOpen ? row.count - 1 : row.count
    reader.refuse(
      .raggedRow, nil,
      "it has \(count) cells, the header has \(widths.headers)\(hint.map { "; \($0)" } ?? "")",
      allowed: "as many cells as the header has")
    return false
  }
}
