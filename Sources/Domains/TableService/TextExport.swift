import DomainKit
import Tables

/// The result of writing a text. `text` is empty if it was written to a file or sent in parts.
package struct WrittenText<Value: Sendable>: Sendable {
  package var value: Value
  package var bytes: Int
  package var text: String
}

/// Writes texts to files, as partial results, or into results.
package enum TextExport {
  /// The approximate size of a part, bytes.
  package static let piece = 256 << 10

  /// Writes the text that `run` produces in pieces.
  package static func write<Value: Sendable>(
    _ work: any Work, _ path: String?, _ overwrite: Bool?,
    _ run: @escaping @Sendable (WorkMonitor, ([UInt8]) throws(StoreError) -> Void) throws(StoreError) -> Value
  ) async throws(RPCError) -> WrittenText<Value> {
    let configuration = work.configuration
    return try await work.onThread("Exporting") { monitor throws(StoreError) in
      var bytes = 0
      if let path {
        return try OutsideFile(path, configuration).write(overwrites: overwrite ?? false) {
          write throws(StoreError) in
          let value = try run(monitor) { piece throws(StoreError) in
            bytes += piece.count
            try write(piece)
          }
          return WrittenText(value: value, bytes: bytes, text: "")
        }
      }
      var text: [UInt8] = []
      let value = try run(monitor) { piece throws(StoreError) in
        bytes += piece.count
        if work.sendsParts { work.send(part: String(decoding: piece, as: UTF8.self)) } else { text += piece }
      }
      return WrittenText(value: value, bytes: bytes, text: String(decoding: text, as: UTF8.self))
    }
  }

  /// Writes stored values as a table, and returns the number of rows. An unreadable value fails the export.
  package static func write<Source: Collection & SendableMetatype, Row>(
    _ table: TableExport<Row>, _ work: any Work, _ path: String?, _ overwrite: Bool?,
    of source: @escaping @Sendable () throws(RPCError) -> Source,
    row: @escaping @Sendable (Source.Element) throws(RPCError) -> Row
  ) async throws(RPCError) -> WrittenText<Int> {
    try await write(work, path, overwrite) { monitor, write throws(StoreError) in
      func reading<Value>(_ body: () throws(RPCError) -> Value) throws(StoreError) -> Value {
        do throws(RPCError) { return try body() } catch { throw StoreError(.storeUnavailable, error.message) }
      }
      var table = table
      let source = try reading { () throws(RPCError) in try source() }
      for (index, element) in source.enumerated() {
        if index & 255 == 0 { try check(index, of: source.count, monitor) }
        table.append(try reading { () throws(RPCError) in try row(element) })
        if table.pending >= piece { try write(table.take()) }
      }
      try write(table.take())
      return table.rows
    }
  }

  /// Reports progress.
  ///
  /// - Throws: `cancelled`.
  package static func check(_ index: Int, of count: Int, _ monitor: WorkMonitor) throws(StoreError) {
    try monitor.check()
    monitor.report(index * 100 / max(count, 1))
  }
}
