import DaybookProtocol

/// What is said of a table before it is read; what is nil is found out.
package struct ScanOptions: Sendable {
  /// Of fields, the header of their column, or `#` and its number.
  package var mapping: [String: String] = [:]
  package var delimiter: UInt8?
  package var encoding: TableEncoding?
  package var order: TableDateFormat?
  package var mark: TableDecimalMark?

  package init() {}
}
