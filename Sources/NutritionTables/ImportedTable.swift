import DaybookProtocol
import Tables

/// What a row comes to.
package enum RowContent: ImportedContent {
  case meal(TableMeal)
  case weight(TableWeight)
  case day(TableDay)
  /// It has nothing that is imported.
  case ignored
  /// It cannot be used.
  case refused
}

/// A table that was read to be imported.
package struct ImportedTable: Sendable {
  package let format: TableFormat
  /// Which of the program's tables.
  package let name: String
  package let kind: TableKind
  package let encoding: TextEncoding
  package let delimiter: UInt8
  package let style: TableStyle
  package let mapping: ColumnMapping
  /// The fields that there could be.
  package let fields: [String]
  package let read: ImportedRows<RowContent>

  init(_ known: KnownTable, _ scanned: ScannedTable, _ rows: ImportedRows<RowContent>) {
    format = known.format
    name = known.name
    kind = known.kind
    fields = known.fields.map(\.name)
    mapping = scanned.mapping
    style = scanned.style
    encoding = scanned.encoding
    delimiter = scanned.delimiter
    read = rows
  }

  /// Its rows.
  package var rows: [ImportedRow<RowContent>] { read.list }
  /// How many rows come to nothing.
  package var ignored: Int { read.ignored }
  /// How many rows cannot be used.
  package var refused: Int { read.refused }
  /// What is wrong with them.
  package var problems: [CellProblem] { read.problems }
}

/// Members of a meal or weight that a table has columns for: what it says nothing of is no difference.
package struct CoveredMembers: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let mealType = CoveredMembers(rawValue: 1)
  package static let protein = CoveredMembers(rawValue: 2)
  package static let carbs = CoveredMembers(rawValue: 4)
  package static let fat = CoveredMembers(rawValue: 8)
  package static let note = CoveredMembers(rawValue: 16)
  package static let at = CoveredMembers(rawValue: 32)
}

extension ImportedTable {
  /// What its rows speak of.
  package var covered: CoveredMembers {
    var covered: CoveredMembers = []
    for (field, member) in [
      ("mealType", CoveredMembers.mealType), ("protein", .protein), ("carbs", .carbs), ("fat", .fat), ("note", .note),
      ("amount", .note), ("at", .at),
    ] where mapping.columns[field] != nil {
      covered.insert(member)
    }
    return covered
  }
}
