/// Names that a column may hold. They tell how to read a row in which such a name has a delimiter but no quotes.
package struct KnownNames: Sendable {
  /// The field of the column.
  let field: String
  private let isKnown: @Sendable (String) -> Bool

  package init(_ field: String, isKnown: @escaping @Sendable (String) -> Bool) {
    (self.field, self.isKnown) = (field, isKnown)
  }

  /// How to read a row with more cells than the header.
  enum Reading: Equatable {
    /// Its name has no delimiter.
    case plain
    /// The kept cells, the parts of its name joined: the only reading.
    case joined([String])
    /// There are several readings.
    case unclear
  }

  /// How to read a row: with its name joined where that gives a known name, and neither another number of parts does nor
  /// the first part alone. The latter does not if the next column is a number or a day, and the next cell is none.
  ///
  /// - Parameter measured: The columns of numbers and days.
  func reading(
    _ row: CellRow, _ column: Int, _ mapping: ColumnMapping, _ delimiter: UInt8, measured: Set<Int>
  ) -> Reading {
    let most = row.count - mapping.headers.count
    guard (1...KnownNames.mostParts).contains(most) else { return .plain }
    var filled = most
    while filled > 0, row.isEmpty(mapping.headers.count + filled - 1) { filled -= 1 }
    let mark = String(decoding: [delimiter], as: UTF8.self)
    func name(_ excess: Int) -> String { (column...column + excess).map { row[$0] }.joined(separator: mark) }
    // A name may be found without regard to punctuation, and does not end with a delimiter.
    let readings = (max(filled, 1)...most).filter { !row.isEmpty(column + $0) && isKnown(name($0)) }
    guard let excess = readings.first else { return .plain }
    let isNext = !measured.contains(column + 1) || KnownNames.isMeasure(row[column + 1])
    guard readings.count == 1, !isNext || !isKnown(name(0)) else { return .unclear }
    return .joined(mapping.kept.map { $0 < column ? row[$0] : $0 == column ? name(excess) : row[$0 + excess] })
  }

  /// Whether a cell of a number or a day can be one, or has none.
  private static func isMeasure(_ cell: String) -> Bool {
    cell.trimmedCell.isEmpty || cell.isNoValue || cell.utf8.contains { (0x30...0x39).contains($0) }
  }

  private static let mostParts = 20
}
