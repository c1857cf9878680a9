import DaybookProtocol

/// A table that a known program exports.
package protocol KnownTable: Sendable {
  /// How it is recognized.
  var shape: TableShape { get }
  /// A remedy when a row has another number of cells than the header.
  var raggedHint: String? { get }
}

extension KnownTable {
  package var raggedHint: String? { nil }
}

/// Reads the rows of a table as a domain's drafts.
package protocol RowDrafts {
  associatedtype Draft: Sendable & Equatable
  /// Reads a row. Its problems are added to the reader.
  mutating func draft(_ reader: inout RowReader) -> ImportedRow<Draft>
}

package enum RowContent<Draft: Sendable & Equatable>: Sendable, Equatable {
  case draft(Draft)
  /// Nothing in the row is imported.
  case ignored
  /// The row has problems.
  case refused
}

package struct ImportedRow<Draft: Sendable & Equatable>: Sendable, Equatable {
  /// The row's number as spreadsheets count.
  package let number: Int
  package let content: RowContent<Draft>
  /// The id that the row states.
  package let id: EntityID?
  /// What identifies a row with a draft that states no id.
  package let identity: RowIdentity?

  package init(number: Int, content: RowContent<Draft>, id: EntityID? = nil, identity: RowIdentity? = nil) {
    self.number = number
    self.content = content
    self.id = id
    self.identity = identity
  }
}

/// A table that was read to be imported.
package struct ImportedTable<Known: KnownTable, Draft: Sendable & Equatable>: Sendable {
  package let known: Known
  package let encoding: TableEncoding
  package let delimiter: UInt8
  package let style: TableStyle
  package let mapping: ColumnMapping
  /// The beginnings of the lines above the header, which were skipped.
  package let skippedLines: [String]
  package private(set) var rows: [ImportedRow<Draft>] = []
  package private(set) var ignored = 0
  package private(set) var refused = 0
  /// The problems of the refused rows, up to the limit.
  package private(set) var problems: [TableProblem] = []
  /// The ignored rows whose reason is told, up to the limit.
  package private(set) var ignoredRows: [TableIgnoredRow] = []

  private init(_ known: Known, _ scanned: ScannedTable) {
    self.known = known
    encoding = scanned.encoding
    delimiter = scanned.delimiter
    style = scanned.style
    mapping = scanned.mapping
    skippedLines = scanned.skippedLines
  }

  /// Reads a table of one of the wanted kinds. `shouldContinue` receives the percentage, and returns false to cancel.
  package static func read<Drafts: RowDrafts>(
    _ text: DecodedText, as wanted: [Known], isStated: Bool, _ options: ScanOptions, limits: TableLimits,
    shouldContinue: (Int) -> Bool, drafts make: (Known, ScannedTable) -> Drafts
  ) throws(TableRefusal) -> ImportedTable where Drafts.Draft == Draft {
    let scanned = try TableScan.scan(
      text, for: wanted.map(\.shape), options, isStated: isStated, limits: limits, shouldContinue: shouldContinue)
    let known = wanted[scanned.shape]
    var table = ImportedTable(known, scanned)
    var drafts = make(known, scanned)
    try scanned.readRows(shouldContinue: shouldContinue) { row, reader in
      let isWhole = scanned.isWhole(row, &reader, hint: known.raggedHint)
      let read = isWhole ? drafts.draft(&reader) : ImportedRow(number: reader.row, content: .refused)
      table.add(read, reader.problems)
      if read.content == .ignored, let reason = reader.ignoredReason,
        table.ignoredRows.count < TableProblem.mostTold
      {
        table.ignoredRows.append(TableIgnoredRow(row: reader.row, reason: reason))
      }
    }
    return table
  }

  /// Regroups rows that together make one thing. `regroup` returns as many rows as it receives, and the new problems.
  package mutating func regroup(
    _ regroup: ([ImportedRow<Draft>]) throws(TableRefusal) -> (rows: [ImportedRow<Draft>], problems: [TableProblem])
  ) throws(TableRefusal) {
    let (grouped, found) = try regroup(rows)
    (rows, ignored, refused) = ([], 0, 0)
    for row in grouped { add(row, []) }
    problems = Array((problems + found).sorted { $0.row < $1.row }.prefix(TableProblem.mostTold))
  }

  /// Releases the memory of the rows.
  package mutating func dropRows() { rows = [] }

  private mutating func add(_ row: ImportedRow<Draft>, _ found: [TableProblem]) {
    rows.append(row)
    switch row.content {
    case .draft: break
    case .ignored: ignored += 1
    case .refused:
      refused += 1
      problems += found.prefix(TableProblem.mostTold - problems.count)
    }
  }
}
