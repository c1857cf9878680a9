import DaybookProtocol

/// Maps the fields of a table to its columns.
package struct ColumnMapping: Sendable, Equatable {
  package let headers: [TableHeader]
  /// The column index of each mapped field.
  package let columns: [String: Int]
  /// The mapped columns, ascending: the cells of a row to keep.
  package let kept: [Int]
  /// The field of each mapped column. Of two that share it, the day.
  private let fields: [Int: String]
  /// The index in `kept` of each mapped field.
  let slots: [String: Int]

  /// Why a mapping fails.
  package enum Problem: Error, Sendable, Equatable {
    case unknownField(String)
    case unknownColumn(field: String, column: String)
    /// Two fields that cannot share a column do.
    case usedTwice(field: String, other: String)
    /// Required fields have no column.
    case missing([String])
  }

  /// Maps fields to columns by the headers.
  ///
  /// - Parameter wanted: The stated columns of fields: a header, `#` and a number from 1, or an empty text to leave a field out.
  package init(
    _ headers: [TableHeader], _ fields: [TableField], wanted: [String: String] = [:]
  ) throws(Problem) {
    var columns: [String: Int] = [:]
    /// The field that has the column already, so that this one cannot.
    func holder(of index: Int, against name: String) -> String? {
      columns.filter { $0.value == index && !ColumnMapping.canShare(name, $0.key, fields) }.keys.min()
    }
    for (name, column) in wanted.sorted(by: { $0.key < $1.key }) {
      guard fields.contains(where: { $0.name == name }) else { throw .unknownField(name) }
      guard !column.isEmpty else { continue }
      guard let index = ColumnMapping.index(of: column, in: headers) else {
        throw .unknownColumn(field: name, column: column)
      }
      if let other = holder(of: index, against: name) { throw .usedTwice(field: name, other: other) }
      columns[name] = index
    }
    for field in fields where wanted[field.name] == nil {
      // In the order of the spellings, so that “Carbs (g)” precedes “Net Carbs (g)”.
      for spelling in field.headers {
        let key = TableHeader.key(spelling)
        let index = headers.firstIndex { $0.key == key } ?? headers.firstIndex { $0.base == key }
        guard let index, holder(of: index, against: field.name) == nil else { continue }
        columns[field.name] = index
        break
      }
    }
    let missing = fields.filter { $0.isRequired && columns[$0.name] == nil }.map(\.name)
    guard missing.isEmpty else { throw .missing(missing) }
    self.headers = headers
    self.columns = columns
    let kept = Set(columns.values).sorted()
    self.kept = kept
    self.fields = Dictionary(
      fields.compactMap { field in columns[field.name].map { ($0, field) } }
    ) { first, second in second.companion == first.name ? first : second }.mapValues(\.name)
    slots = columns.mapValues { column in kept.firstIndex(of: column) ?? 0 }
  }

  package func header(of field: String) -> TableHeader? { columns[field].map { headers[$0] } }

  package func field(at column: Int) -> String? { fields[column] }

  private static func canShare(_ name: String, _ other: String, _ fields: [TableField]) -> Bool {
    fields.contains { $0.name == name && $0.companion == other || $0.name == other && $0.companion == name }
  }

  private static func index(of column: String, in headers: [TableHeader]) -> Int? {
    if column.hasPrefix("#"), let number = Int(column.dropFirst()), headers.indices.contains(number - 1) {
      return number - 1
    }
    let key = TableHeader.key(column)
    return headers.firstIndex { $0.text == column } ?? headers.firstIndex { $0.key == key }
  }
}
