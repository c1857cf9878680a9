import CivilTime
import DaybookProtocol
import Tables
import Values

/// What a row comes to.
package enum RowContent: Sendable, Equatable {
  case meal(TableMeal)
  case weight(TableWeight)
  case day(TableDay)
  /// It has nothing that is imported.
  case ignored
  /// It cannot be used.
  case refused
}

/// A row that was read.
package struct ImportedRow: Sendable, Equatable {
  /// The row as a spreadsheet counts.
  package let number: Int
  package let content: RowContent
  /// The identity that it states.
  package let id: EntityID?
  /// What tells it from all other rows, and is the same whenever the same table, or a longer one of the same diary, is read. Empty
  /// when it states an identity, or comes to nothing.
  package let key: String
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
  package private(set) var rows: [ImportedRow] = []
  /// How many rows come to nothing, and how many cannot be used.
  package private(set) var ignored = 0
  package private(set) var refused = 0
  /// What is wrong with them: all problems of the first rows.
  package private(set) var problems: [CellProblem] = []

  /// So many problems are told.
  package static let longestProblemList = 100

  init(
    _ known: KnownTable, _ mapping: ColumnMapping, _ style: TableStyle, encoding: TextEncoding, delimiter: UInt8
  ) {
    format = known.format
    name = known.name
    kind = known.kind
    fields = known.fields.map(\.name)
    self.mapping = mapping
    self.style = style
    self.encoding = encoding
    self.delimiter = delimiter
  }

  mutating func add(_ row: ImportedRow, _ found: [CellProblem]) {
    rows.append(row)
    switch row.content {
    case .ignored: ignored += 1
    case .refused:
      refused += 1
      problems += found.prefix(ImportedTable.longestProblemList - problems.count)
    default: break
    }
  }
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
