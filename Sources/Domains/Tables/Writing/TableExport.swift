/// Writes what a domain stores as a table that it reads again.
package struct TableExport<Row>: Sendable {
  private var writer: TableWriter
  private let write: @Sendable (Row, inout TableWriter) -> Void
  /// Bytes so far, those that were taken among them.
  package private(set) var byteCount = 0

  /// Begins with the header.
  package init(
    header: [String], hasMark: Bool = false, _ write: @escaping @Sendable (Row, inout TableWriter) -> Void
  ) {
    self.write = write
    writer = TableWriter(hasMark: hasMark)
    for name in header { writer.plain(name) }
    writer.endRow()
  }

  /// Rows below the header.
  package var rows: Int { writer.rows - 1 }

  /// Bytes that were not taken yet.
  package var pending: Int { writer.bytes.count }

  /// Hands out what was written since.
  package mutating func take() -> [UInt8] {
    byteCount += writer.bytes.count
    return writer.take()
  }

  package mutating func append(_ row: Row) {
    write(row, &writer)
    writer.endRow()
  }
}
