import Tables

/// Reads a table of subscriptions in order to import it.
package enum SubscriptionTableImport {
  /// Reads a whole table. `goesOn` is told the percentage, and says whether the table is still wanted.
  package static func read(
    _ bytes: [UInt8], _ options: SubscriptionTableOptions, limits: TableLimits = TableLimits(),
    goesOn: (Int) -> Bool = { _ in true }
  ) throws(TableRefusal) -> ImportedSubscriptions {
    let wanted = KnownTable.all.filter { options.format == nil || $0.format == options.format }
    let isSubsums = options.format == nil || options.format == .subsum
    let scanned = try TableScan.scan(
      isSubsums && bytes.count <= limits.bytes ? SubsumText.repaired(bytes) : bytes, for: wanted.map(\.shape),
      options.scan, isStated: options.format != nil, limits: limits, goesOn: goesOn)
    let known = wanted[scanned.shape]
    var drafts = SubscriptionDrafts(known, scanned.mapping, options)
    var rows = ImportedRows<SubscriptionContent>()
    try scanned.readRows(goesOn: goesOn) { row, reader in
      // What could be put together again was, before.
      let hint = known.format == .subsum ? "a date such as “Feb 12, 2026” needs quotes around it" : nil
      if scanned.isWhole(row, &reader, hint: hint) {
        let draft = drafts.draft(&reader)
        rows.add(draft, reader.problems)
      } else {
        rows.add(ImportedRow(number: reader.row, content: .refused), reader.problems)
      }
    }
    return ImportedSubscriptions(known, scanned, rows)
  }
}
