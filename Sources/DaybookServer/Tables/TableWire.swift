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
  init(_ row: ImportedRow, _ outcome: TablePlan.Outcome) {
    self =
      switch outcome {
      case .new(let id): .init(row: row.number, outcome: .new, id: id)
      case .present(let id, _): .init(row: row.number, outcome: .present, id: id)
      case .different(let id, let names): .init(row: row.number, outcome: .different, id: id, differs: names)
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

extension NutritionPreviewImportResult {
  /// A table and its plan, as clients see them.
  init(_ table: ImportedTable, _ plan: TablePlan, limit: Int, revision: Int) {
    let encoding: TableEncoding =
      switch table.encoding {
      case .utf8: .utf8
      case .utf16LittleEndian: .utf16LittleEndian
      case .utf16BigEndian: .utf16BigEndian
      case .windows1252: .windows1252
      }
    let order: TableDateFormat? =
      switch table.style.order {
      case .yearMonthDay: .ymd
      case .monthDayYear: .mdy
      case .dayMonthYear: .dmy
      case nil: nil
      }
    self.init(
      format: table.format, table: table.name, kind: table.kind, encoding: encoding,
      delimiter: String(decoding: [table.delimiter], as: UTF8.self), dateFormat: order,
      decimalMark: table.style.mark.map { $0 == .comma ? .comma : .point },
      columns: table.mapping.headers.enumerated().map { index, header in
        TableColumn(number: index + 1, header: header.text, field: table.mapping.field(at: index))
      },
      fields: table.fields, rows: table.rows.count, new: plan.new, present: plan.present, different: plan.different,
      ignored: table.ignored, refused: table.refused, problems: table.problems.map { TableProblem($0) },
      first: zip(table.rows, plan.outcomes).prefix(limit).map { DaybookProtocol.TableRow($0, $1) }, revision: revision)
  }
}
