import DaybookProtocol
import Tables

/// What a caller says of a table; what is nil is found out.
package struct TableOptions: Sendable {
  /// Whose it is; nil or `auto` to be told by the headers.
  package var format: TableFormat?
  /// Of fields, the header of their column, or `#` and its number.
  package var mapping: [String: String] = [:]
  package var delimiter: UInt8?
  package var encoding: TextEncoding?
  package var order: DateOrder?
  package var mark: DecimalMark?
  package var energyUnit: TableEnergyUnit?
  package var weightUnit: WeightUnit?

  package init() {}
}

/// Why a table cannot be used as a whole.
package enum TableRefusal: Error, Sendable {
  /// It cannot be read.
  case unreadable(TableError)
  /// Its headers are of no table that is known; of the likeliest, these fields have no column.
  case unrecognized(headers: [String], missing: [String])
  /// What was said about its columns cannot be; `fields` are those there are.
  case mapping(ColumnMapping.Problem, headers: [String], fields: [String])
  /// It was not wanted any more.
  case cancelled
}
