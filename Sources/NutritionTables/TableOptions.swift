import DaybookProtocol
import Tables

/// What a caller says of a table; what is nil is found out.
package struct TableOptions: Sendable {
  /// Whose it is; nil or `auto` to be told by the headers.
  package var format: TableFormat?
  package var scan = ScanOptions()
  package var energyUnit: TableEnergyUnit?
  package var weightUnit: WeightUnit?

  package init() {}
}
