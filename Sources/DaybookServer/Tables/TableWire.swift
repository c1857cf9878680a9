import DaybookProtocol
import NutritionTables
import Tables

extension TableProblem {
  /// A problem as clients see it.
  init(_ problem: CellProblem) {
    let kind = TableProblemKind.known.first { $0.rawValue == problem.code.rawValue }
    self.init(
      kind: kind ?? .unknown(problem.code.rawValue), row: problem.row, line: problem.line, column: problem.column,
      header: problem.header, field: problem.field, value: problem.value, reason: problem.message,
      allowed: problem.allowed, readings: problem.readings.isEmpty ? nil : problem.readings)
  }
}

extension DaybookProtocol.TableRow {
  /// A row and what becomes of it, as clients see it.
  init(_ row: ImportedRow<RowContent>, _ outcome: TablePlan.Outcome) {
    self =
      switch outcome {
      case .new(let id): .init(row: row.number, outcome: .new, id: id)
      case .present(let id, _): .init(row: row.number, outcome: .present, id: id)
      case .different(let id, let names, _): .init(row: row.number, outcome: .different, id: id, differs: names)
      case .ignored: .init(row: row.number, outcome: .ignored)
      case .refused: .init(row: row.number, outcome: .refused)
      }
    switch row.content {
    case .meal(let meal): self.meal = meal
    case .weight(let weight): self.weight = weight
    case .day(let entry): self.entry = entry
    case .ignored, .refused: break
    }
  }
}

extension TableEncoding {
  /// An encoding as clients see it.
  init(_ encoding: TextEncoding) {
    self =
      switch encoding {
      case .utf8: .utf8
      case .utf16LittleEndian: .utf16LittleEndian
      case .utf16BigEndian: .utf16BigEndian
      case .windows1252: .windows1252
      }
  }
}

extension TableDateFormat {
  /// An order as clients see it.
  init?(_ order: DateOrder?) {
    switch order {
    case .yearMonthDay: self = .ymd
    case .monthDayYear: self = .mdy
    case .dayMonthYear: self = .dmy
    case nil: return nil
    }
  }
}

extension TableDecimalMark {
  /// A mark as clients see it.
  init?(_ mark: DecimalMark?) {
    guard let mark else { return nil }
    self = mark == .comma ? .comma : .point
  }
}

extension TableColumn {
  /// The columns of a table, in order.
  static func all(_ mapping: ColumnMapping) -> [TableColumn] {
    mapping.headers.enumerated().map { index, header in
      TableColumn(number: index + 1, header: header.text, field: mapping.field(at: index))
    }
  }
}

extension NutritionPreviewImportResult {
  /// A table and its plan, as clients see them.
  init(_ table: ImportedTable, _ plan: TablePlan, limit: Int, revision: Int) {
    self.init(
      format: table.format, table: table.name, kind: table.kind, encoding: TableEncoding(table.encoding),
      delimiter: String(decoding: [table.delimiter], as: UTF8.self), dateFormat: TableDateFormat(table.style.order),
      decimalMark: TableDecimalMark(table.style.mark),
      columns: TableColumn.all(table.mapping),
      fields: table.fields, rows: table.rows.count, new: plan.new, present: plan.present, different: plan.different,
      ignored: table.ignored, refused: table.refused, problems: table.problems.map { TableProblem($0) },
      first: zip(table.rows, plan.outcomes).prefix(limit).map { DaybookProtocol.TableRow($0, $1) }, revision: revision)
  }
}
