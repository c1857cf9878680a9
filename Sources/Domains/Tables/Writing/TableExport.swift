/// Writes stored values as a table that the import reads again.
package struct TableExport<Row>: Sendable {
  package typealias Column = (name: String, write: @Sendable (Row, inout TableWriter) -> Void)

  private var writer: TableWriter
  private let write: @Sendable (Row, inout TableWriter) -> Void

  /// Begins with the header.
  package init(
    header: [String], hasMark: Bool = false, _ write: @escaping @Sendable (Row, inout TableWriter) -> Void
  ) {
    self.write = write
    writer = TableWriter(hasMark: hasMark)
    for name in header { writer.plain(name) }
    writer.endRow()
  }

  package init(_ columns: [Column], hasMark: Bool = false) {
    self.init(header: columns.map(\.name), hasMark: hasMark) { row, writer in
      for column in columns { column.write(row, &writer) }
    }
  }

  /// The rows below the header.
  package var rows: Int { writer.rows - 1 }

  /// The number of bytes not yet taken.
  package var pending: Int { writer.bytes.count }

  /// Returns the bytes written since the last call.
  package mutating func take() -> [UInt8] { writer.take() }

  package mutating func append(_ row: Row) {
    write(row, &writer)
    writer.endRow()
  }
}
