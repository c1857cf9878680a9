import CivilTime
import DaybookProtocol
import Subscriptions
import Tables
import Values

/// What a caller says of a table of subscriptions; what is nil is found out.
package struct SubscriptionTableOptions: Sendable {
  /// Whose it is; nil or `auto` to be told by the headers.
  package var format: SubscriptionTableFormat?
  package var scan = ScanOptions()
  /// What amounts are in where nothing says it.
  package var currency: Currency?
  /// The currency of the place, which a symbol that several share means there; nil where none is.
  package var home: Currency?
  /// Whether `currency` was named for this table, so that no place decides.
  package var isCurrencyNamed = false
  /// What a symbol that several share means: the first of these that it can.
  var usual: [Currency] { (isCurrencyNamed ? [currency] : [home, currency]).compactMap { $0 } }
  /// Of what is there, the currencies of its prices that ISO 4217 does not list, or no longer: a row of our own with
  /// its id may keep them.
  package var unlisted: [EntityID: Set<Currency>] = [:]
  /// The day that it is read on: what has no day at all begins on it, and what is said to be over or paused is from then on.
  package var today: CivilDay

  package init(today: CivilDay) { self.today = today }
}

/// A table of subscriptions.
package typealias SubscriptionTable = ImportedTable<KnownSubscriptionTable, SubscriptionDraft>

extension SubscriptionTable {
  /// Reads a table, or a list of JSON objects that stands for one, in order to import it. `goesOn` is told the percentage, and says whether the table is still wanted.
  package static func read(
    _ bytes: [UInt8], _ options: SubscriptionTableOptions, limits: TableLimits = TableLimits(),
    goesOn: (Int) -> Bool = { _ in true }
  ) throws(TableRefusal) -> SubscriptionTable {
    let format = options.format == .auto ? nil : options.format
    var (bytes, options) = (bytes, options)
    if bytes.count <= limits.bytes, let table = JSONLists.table(bytes) {
      bytes = table
      (options.scan.delimiter, options.scan.encoding, options.scan.mark) = (nil, .utf8, .point)
    }
    let told = options
    let isSubsums = format == nil || format == .subsum
    return try read(
      isSubsums && bytes.count <= limits.bytes ? SubsumText.repaired(bytes) : bytes,
      as: KnownSubscriptionTable.all.filter { format == nil || $0.format == format }, isStated: format != nil,
      options.scan, limits: limits, goesOn: goesOn
    ) { SubscriptionDrafts($0, $1, told) }
  }
}
