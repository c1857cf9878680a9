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
