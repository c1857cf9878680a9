/// Names that a column may hold. They tell how to read a row in which such a name has a delimiter but no quotes.
package struct KnownNames: Sendable {
  /// The field of the column.
  let field: String
  private let isKnown: @Sendable (String) -> Bool

  package init(_ field: String, isKnown: @escaping @Sendable (String) -> Bool) {
    (self.field, self.isKnown) = (field, isKnown)
  }

  /// The kept cells of a row with more cells than the header, the parts of its name joined; nil where that is not the only
  /// reading: the name must be known, and no part that it begins with.
  func cells(_ row: CellRow, _ column: Int, _ mapping: ColumnMapping, _ delimiter: UInt8) -> [String]? {
    let most = row.count - mapping.headers.count
    guard most > 0 else { return nil }
    var filled = most
    while filled > 0, row.isEmpty(mapping.headers.count + filled - 1) { filled -= 1 }
    let mark = String(decoding: [delimiter], as: UTF8.self)
    func name(_ excess: Int) -> String { (column...column + excess).map { row[$0] }.joined(separator: mark) }
    guard !isKnown(name(0)), most <= KnownNames.mostParts else { return nil }
    let readings = (1...most).filter { isKnown(name($0)) }
    guard let excess = readings.first, readings.count == 1, excess >= filled else { return nil }
    return mapping.kept.map { $0 < column ? row[$0] : $0 == column ? name(excess) : row[$0 + excess] }
  }

  private static let mostParts = 20
}
