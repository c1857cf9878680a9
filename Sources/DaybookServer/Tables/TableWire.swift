import DaybookProtocol
import Tables
import Values

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

extension TableOutcome {
  /// What becomes of a row, as clients see it: the kind, the identity, and the members that differ.
  var wire: (outcome: TableRowOutcome, id: EntityID?, differs: [String]?) {
    switch self {
    case .new(let id): (.new, id, nil)
    case .present(let id, _): (.present, id, nil)
    case .different(let id, let names, _): (.different, id, names)
    case .ignored: (.ignored, nil, nil)
    case .refused: (.refused, nil, nil)
    }
  }
}

extension ImportedTable {
  /// Its columns as clients see them, in order.
  var columns: [TableColumn] {
    mapping.headers.enumerated().map { index, header in
      TableColumn(number: index + 1, header: header.text, field: mapping.field(at: index))
    }
  }

  /// What separates its cells, as clients see it.
  var delimiterText: String { String(decoding: [delimiter], as: UTF8.self) }

  /// What is wrong with its rows, as clients see it.
  var wireProblems: [TableProblem] { problems.map { TableProblem($0) } }
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
