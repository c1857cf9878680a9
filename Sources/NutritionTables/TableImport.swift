import DaybookProtocol
import Tables

/// Reads a table in order to import it.
package enum TableImport {
  /// Reads a whole table. `goesOn` is told the percentage, and says whether the table is still wanted.
  package static func read(
    _ bytes: [UInt8], _ options: TableOptions, limits: TableLimits = TableLimits(),
    goesOn: (Int) -> Bool = { _ in true }
  ) throws(TableRefusal) -> ImportedTable {
    let format = options.format == .auto ? nil : options.format
    let wanted = KnownTable.all.filter { format == nil || $0.format == format }
    let scanned = try TableScan.scan(
      bytes, for: wanted.map(\.shape), options.scan, isStated: format != nil, limits: limits, goesOn: goesOn)
    let known = wanted[scanned.shape]
    var drafts = RowDrafts(known, scanned.mapping, options)
    if known.name == KnownTable.dailySummary.name {
      for row in scanned.rows { drafts.lookAhead(scanned.reader(row)) }
    }
    var rows = ImportedRows<RowContent>()
    try scanned.readRows(goesOn: goesOn) { row, reader in
      if scanned.isWhole(row, &reader) {
        let draft = drafts.draft(&reader)
        rows.add(draft, reader.problems)
      } else {
        rows.add(ImportedRow(number: reader.row, content: .refused), reader.problems)
      }
    }
    return ImportedTable(known, scanned, rows)
  }
}
