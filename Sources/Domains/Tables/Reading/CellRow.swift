/// A row of a table.
package struct CellRow: Sendable {
  /// Its cells one behind the other, without quotes.
  let bytes: [UInt8]
  /// Where each cell ends in them.
  let ends: [Int]
  /// The number of the row as a spreadsheet counts them: the header is 1.
  package let number: Int
  /// The number of the line that it begins on, from 1.
  package let line: Int

  /// How many cells it has.
  package var count: Int { ends.count }

  /// The text of a cell; empty beyond the last one.
  package subscript(index: Int) -> String {
    withCell(index) { String(decoding: $0, as: UTF8.self) }
  }

  /// All its cells.
  package var cells: [String] { ends.indices.map { self[$0] } }

  /// Lends the bytes of a cell, which are UTF-8; none beyond the last cell.
  package func withCell<Value>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
    guard ends.indices.contains(index) else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
    let start = index == 0 ? 0 : ends[index - 1]
    return bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[start..<ends[index]])) }
  }
}
