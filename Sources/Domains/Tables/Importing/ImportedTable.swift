import DaybookProtocol
import Values

/// A table that some program exports.
package protocol KnownTable: Sendable {
  /// How it is recognized, and what its columns are.
  var shape: TableShape { get }
  /// What may help where a row has not as many cells as the header.
  var raggedHint: String? { get }
}

extension KnownTable {
  package var raggedHint: String? { nil }
}

/// Makes what a domain stores out of the rows of a table.
package protocol RowDrafts {
  associatedtype Draft: Sendable & Equatable
  /// What a row comes to; what is wrong with it is noted in the reader.
  mutating func draft(_ reader: inout RowReader) -> ImportedRow<Draft>
}

/// What a row of a table comes to.
package enum RowContent<Draft: Sendable & Equatable>: Sendable, Equatable {
  case draft(Draft)
  /// It has nothing that is imported.
  case ignored
  /// It cannot be used.
  case refused
}

/// A row that was read.
package struct ImportedRow<Draft: Sendable & Equatable>: Sendable, Equatable {
  /// The row as a spreadsheet counts.
  package let number: Int
  package let content: RowContent<Draft>
  /// The identity that it states.
  package let id: EntityID?
  /// What tells it from all other rows, and is the same whenever the same table, or a longer one of the same things, is read. Empty
  /// when it states an identity, or comes to nothing.
  package let key: String

  package init(number: Int, content: RowContent<Draft>, id: EntityID? = nil, key: String = "") {
    self.number = number
    self.content = content
    self.id = id
    self.key = key
  }
}

/// A table that was read to be imported: what it is known as, its rows, and what is wrong with them.
package struct ImportedTable<Known: KnownTable, Draft: Sendable & Equatable>: Sendable {
  package let known: Known
  package let encoding: TableEncoding
  package let delimiter: UInt8
  package let style: TableStyle
  package let mapping: ColumnMapping
  package private(set) var rows: [ImportedRow<Draft>] = []
  /// How many rows come to nothing, and how many cannot be used.
  package private(set) var ignored = 0
  package private(set) var refused = 0
  /// What is wrong with them: all problems of the first rows.
  package private(set) var problems: [TableProblem] = []

  private init(_ known: Known, _ scanned: ScannedTable) {
    self.known = known
    encoding = scanned.encoding
    delimiter = scanned.delimiter
    style = scanned.style
    mapping = scanned.mapping
  }

  /// Reads a whole table, which is one of those wanted. `goesOn` is told the percentage, and says whether the table is still wanted.
  package static func read<Drafts: RowDrafts>(
    _ bytes: [UInt8], as wanted: [Known], isStated: Bool, _ options: ScanOptions, limits: TableLimits,
    goesOn: (Int) -> Bool, drafts make: (Known, ScannedTable) -> Drafts
  ) throws(TableRefusal) -> ImportedTable where Drafts.Draft == Draft {
    let scanned = try TableScan.scan(
      bytes, for: wanted.map(\.shape), options, isStated: isStated, limits: limits, goesOn: goesOn)
    let known = wanted[scanned.shape]
    var table = ImportedTable(known, scanned)
    var drafts = make(known, scanned)
    try scanned.readRows(goesOn: goesOn) { row, reader in
      let isWhole = scanned.isWhole(row, &reader, hint: known.raggedHint)
      let read = isWhole ? drafts.draft(&reader) : ImportedRow(number: reader.row, content: .refused)
      table.add(read, reader.problems)
    }
    return table
  }

  /// Puts its rows together, where several of them are one thing: `regroup` gives as many as there were, and what is wrong with those
  /// that cannot be used after all.
  package mutating func regroup(
    _ regroup: ([ImportedRow<Draft>]) throws(TableRefusal) -> (rows: [ImportedRow<Draft>], problems: [TableProblem])
  ) throws(TableRefusal) {
    let (grouped, found) = try regroup(rows)
    (rows, ignored, refused) = ([], 0, 0)
    for row in grouped { add(row, []) }
    problems = Array((problems + found).sorted { $0.row < $1.row }.prefix(TableProblem.mostTold))
  }

  /// Gives the memory of its rows back once they are not needed any more.
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

/// Tells rows apart that state no identity, by what they are of and how many alike came before.
package struct RowKeys: Sendable {
  /// How many rows had a key so far.
  private var occurrences: [String: Int] = [:]
  /// The rows' ids so far.
  private var ids: Set<EntityID> = []

  package init() {}

  /// The row of a draft; refused where a row before it has the same identity, which the field `id` states.
  package mutating func row<Draft>(
    _ draft: Draft, id: EntityID?, field: String = "id", key: [String], of table: [String], _ reader: inout RowReader
  ) -> ImportedRow<Draft> {
    guard let id else { return ImportedRow(number: reader.row, content: .draft(draft), key: self.key(table, key)) }
    guard ids.insert(id).inserted else {
      reader.refuse(.repeatedId, field, "a row before it has the same \(field)", allowed: "each \(field) once")
      return ImportedRow(number: reader.row, content: .refused)
    }
    return ImportedRow(number: reader.row, content: .draft(draft), id: id)
  }

  /// The key of the next row that is of these parts; `table` comes before them.
  private mutating func key(_ table: [String], _ parts: [String]) -> String {
    let key = parts.joined(separator: "\u{1F}")
    let before = occurrences[key, default: 0]
    occurrences[key] = before + 1
    return (table + [key, String(before)]).joined(separator: "\u{1F}")
  }
}
