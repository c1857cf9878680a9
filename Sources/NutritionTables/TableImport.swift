import DaybookProtocol
import Tables

/// Reads a table in order to import it.
package enum TableImport {
  /// A row of which only the cells that have fields are kept.
  private struct KeptRow {
    let number: Int
    let line: Int
    /// How many cells it has, and whether those beyond the header are all empty.
    let count: Int
    let cells: [String]
  }

  /// What is known after the first pass.
  private struct FirstPass {
    var known: KnownTable?
    var mapping: ColumnMapping?
    var headers: [TableHeader] = []
    var refusal: TableRefusal?
    var style: TableStyle
    var rows: [KeptRow] = []
    /// Which kept cells are days, and which are numbers.
    var dayPlace: Int?
    var numberPlaces: [Int] = []
  }

  /// Bytes that are read before it is asked again whether to go on.
  private static let piece = 1 << 20

  /// Reads a whole table. `goesOn` is told the percentage, and says whether the table is still wanted.
  package static func read(
    _ bytes: [UInt8], _ options: TableOptions, limits: TableLimits = TableLimits(),
    goesOn: (Int) -> Bool = { _ in true }
  ) throws(TableRefusal) -> ImportedTable {
    var reader = TableReader(encoding: options.encoding, delimiter: options.delimiter, limits: limits)
    var pass = FirstPass(style: TableStyle(order: options.order, mark: options.mark))
    var at = 0
    repeat {
      let end = min(bytes.count, at + piece)
      guard goesOn(at * 50 / max(1, bytes.count)) else { throw .cancelled }
      do throws(TableError) {
        try bytes.withUnsafeBufferPointer { all throws(TableError) in
          let slice = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: all[at..<end]))
          try reader.take(slice, isLast: end == bytes.count) { take($0, options, &pass) }
        }
      } catch { throw .unreadable(error) }
      if let refusal = pass.refusal { throw refusal }
      at = end
    } while at < bytes.count
    guard let known = pass.known, let mapping = pass.mapping else {
      throw .unreadable(TableError(.empty, "There is nothing in the text."))
    }
    // What we wrote ourselves has points before fractions; with another delimiter somebody else has written it anew.
    if known.format == .daybook, options.mark == nil, reader.delimiter == UInt8(ascii: ",") { pass.style.mark = .point }
    var table = ImportedTable(
      known, mapping, pass.style, encoding: reader.encoding ?? .utf8, delimiter: reader.delimiter ?? 0)
    var drafts = RowDrafts(known, mapping, options)
    let rows = pass.rows
    if known.name == KnownTable.dailySummary.name {
      for row in rows { drafts.lookAhead(self.reader(row, mapping, pass.style)) }
    }
    for (index, row) in rows.enumerated() {
      if index & 4095 == 0, !goesOn(50 + index * 50 / rows.count) { throw .cancelled }
      var reader = self.reader(row, mapping, pass.style)
      if row.count != mapping.headers.count {
        reader.refuse(
          .raggedRow, nil, "it has \(row.count) cells, the header has \(mapping.headers.count)",
          allowed: "as many cells as the header has")
        table.add(ImportedRow(number: row.number, content: .refused, id: nil, key: ""), reader.problems)
        continue
      }
      let draft = drafts.draft(&reader)
      table.add(draft, reader.problems)
    }
    return table
  }

  private static func reader(_ row: KeptRow, _ mapping: ColumnMapping, _ style: TableStyle) -> RowReader {
    RowReader(mapping, style, row: row.number, line: row.line, cells: row.cells)
  }

  private static func take(_ row: CellRow, _ options: TableOptions, _ pass: inout FirstPass) {
    guard pass.refusal == nil else { return }
    guard let mapping = pass.mapping else { return recognize(row, options, &pass) }
    let cells = mapping.kept.map { row[$0] }
    if let place = pass.dayPlace { pass.style.note(day: cells[place]) }
    for place in pass.numberPlaces { pass.style.note(number: cells[place]) }
    // Cells beyond the header that are empty are nothing.
    var count = row.count
    while count > mapping.headers.count, row.withCell(count - 1, { $0.isEmpty }) { count -= 1 }
    pass.rows.append(KeptRow(number: row.number, line: row.line, count: count, cells: cells))
  }

  /// Finds out whose table it is by its header.
  private static func recognize(_ row: CellRow, _ options: TableOptions, _ pass: inout FirstPass) {
    var headers = row.cells.map { TableHeader($0) }
    // Delimiters at the end of a header are no columns.
    while headers.count > 1, headers.last?.text.isEmpty == true { headers.removeLast() }
    let format = options.format == .auto ? nil : options.format
    let wanted = KnownTable.all.filter { format == nil || $0.format == format }
    var candidates = wanted.filter { $0.matches(headers) }
    for table in wanted where !candidates.contains(where: { $0.name == table.name && $0.format == table.format }) {
      // Where it is said which column has what, headers need not be known.
      if table.format == .other || (format != nil && !options.mapping.isEmpty) { candidates.append(table) }
    }
    var problems: [(ColumnMapping.Problem, KnownTable)] = []
    for table in candidates {
      do throws(ColumnMapping.Problem) {
        let mapping = try ColumnMapping(headers, table.fields, wanted: options.mapping)
        accept(table, mapping, &pass)
        return
      } catch { problems.append((error, table)) }
    }
    pass.refusal = refusal(problems, headers)
  }

  private static func accept(_ table: KnownTable, _ mapping: ColumnMapping, _ pass: inout FirstPass) {
    pass.known = table
    pass.mapping = mapping
    func place(_ field: String) -> Int? { mapping.columns[field].flatMap { mapping.kept.firstIndex(of: $0) } }
    pass.dayPlace = place("day")
    pass.numberPlaces = ["calories", "protein", "carbs", "fat", "weight"].compactMap(place)
  }

  private static func refusal(
    _ problems: [(ColumnMapping.Problem, KnownTable)], _ headers: [TableHeader]
  ) -> TableRefusal {
    let texts = headers.map(\.text)
    // What was said about columns is told before what is missing.
    for (problem, table) in problems {
      if case .missing = problem { continue }
      if case .unknownField(let field) = problem,
        problems.contains(where: { $0.1.fields.contains { $0.name == field } })
      {
        continue
      }
      return .mapping(problem, headers: texts, fields: table.fields.map(\.name))
    }
    var fewest: [String]?
    for (problem, _) in problems {
      if case .missing(let fields) = problem, fields.count < fewest?.count ?? .max { fewest = fields }
    }
    return .unrecognized(headers: texts, missing: fewest ?? [])
  }
}
