import DaybookProtocol

/// Which column says what.
package struct ColumnMapping: Sendable, Equatable {
  /// The headers, in order.
  package let headers: [TableHeader]
  /// Of each field that is there, the number of its column, from 0.
  package let columns: [String: Int]
  /// The numbers of those columns, ascending: what of a row has to be kept.
  package let kept: [Int]
  /// Of each field that is there, its place in `kept`.
  let slots: [String: Int]

  /// Why a mapping that was asked for cannot be.
  package enum Problem: Error, Sendable, Equatable {
    /// There is no field of that name.
    case unknownField(String)
    /// There is no column of that name or number.
    case unknownColumn(field: String, column: String)
    /// Two fields are to come from one column.
    case usedTwice(field: String, other: String)
    /// Required fields have no column.
    case missing([String])
  }

  /// Finds the columns of fields by their headers.
  ///
  /// - Parameter wanted: What is said about it: for a field the header of its column, or `#` and the number of it from 1; an empty text
  ///   for a field that is to be left out.
  package init(
    _ headers: [TableHeader], _ fields: [TableField], wanted: [String: String] = [:]
  ) throws(Problem) {
    var columns: [String: Int] = [:]
    for (name, column) in wanted.sorted(by: { $0.key < $1.key }) {
      guard fields.contains(where: { $0.name == name }) else { throw .unknownField(name) }
      guard !column.isEmpty else { continue }
      guard let index = ColumnMapping.index(of: column, in: headers) else {
        throw .unknownColumn(field: name, column: column)
      }
      if let other = columns.first(where: { $0.value == index }) { throw .usedTwice(field: name, other: other.key) }
      columns[name] = index
    }
    for field in fields where wanted[field.name] == nil {
      // In the order of the spellings, so that “Carbs (g)” is found before “Net Carbs (g)” would be.
      for spelling in field.headers {
        let key = TableHeader.key(spelling)
        let index = headers.firstIndex { $0.key == key } ?? headers.firstIndex { $0.base == key }
        guard let index, !columns.values.contains(index) else { continue }
        columns[field.name] = index
        break
      }
    }
    let missing = fields.filter { $0.isRequired && columns[$0.name] == nil }.map(\.name)
    guard missing.isEmpty else { throw .missing(missing) }
    self.headers = headers
    self.columns = columns
    let kept = columns.values.sorted()
    self.kept = kept
    slots = columns.mapValues { column in kept.firstIndex(of: column) ?? 0 }
  }

  /// The header of the column that has a field.
  package func header(of field: String) -> TableHeader? { columns[field].map { headers[$0] } }

  /// The field that a column has.
  package func field(at column: Int) -> String? { columns.first { $0.value == column }?.key }

  private static func index(of column: String, in headers: [TableHeader]) -> Int? {
    if column.hasPrefix("#"), let number = Int(column.dropFirst()), headers.indices.contains(number - 1) {
      return number - 1
    }
    let key = TableHeader.key(column)
    return headers.firstIndex { $0.text == column } ?? headers.firstIndex { $0.key == key }
  }
}
