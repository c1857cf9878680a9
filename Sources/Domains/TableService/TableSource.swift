import CivilTime
import DomainKit
import Tables

/// The common params of requests that read a table.
package protocol TableParams: Sendable {
  var text: String? { get }
  var path: String? { get }
  var mapping: [String: String]? { get }
  var delimiter: String? { get }
  var encoding: TableEncoding? { get }
  var dateFormat: TableDateFormat? { get }
  var decimalMark: TableDecimalMark? { get }
  var skipLines: Int? { get }
}

/// The source of a table, and the caller's statements about it.
package struct TableSource: Sendable {
  private let text: String?
  private let path: String?
  package let options: ScanOptions
  private static let mostColumns = 100

  /// - Parameter zone: The user's, in which instants of the table have their days.
  package init(_ params: some TableParams, _ zone: TimeZoneRules) throws(RPCError) {
    guard (params.text == nil) != (params.path == nil) else {
      throw RPCError(
        .invalidParams, "exactly one of “path” and “text” is required", pointer: "", allowed: "one of “path” and “text”"
      )
    }
    if let path = params.path { try RPCError.checkAbsolute(path) }
    text = params.text
    path = params.path
    var options = ScanOptions()
    options.mapping = params.mapping ?? [:]
    try RPCError.check(options.mapping.count, atMost: TableSource.mostColumns, "/mapping")
    if let delimiter = params.delimiter {
      guard let byte = delimiter.utf8.first, delimiter.utf8.count == 1, byte != UInt8(ascii: "\""),
        byte >= 0x20 || byte == 9
      else {
        throw RPCError(
          .invalidParams, "this is not a delimiter", pointer: "/delimiter",
          allowed: "one ASCII character, such as “;”, but no quote and no line break")
      }
      options.delimiter = byte
    }
    // “text” is Unicode already.
    options.encoding = params.path == nil ? .utf8 : params.encoding
    (options.order, options.mark) = (params.dateFormat, params.decimalMark)
    (options.skipLines, options.zone) = (params.skipLines, zone)
    self.options = options
  }

  /// Reads the table and passes it to `body`.
  func read<Reading: TableReading, Value>(
    _ reading: Reading, _ configuration: FileStore.Configuration, _ monitor: WorkMonitor,
    _ body: (consuming ImportedTable<Reading.Known, Reading.Draft>) throws(StoreError) -> Result<Value, RPCError>
  ) throws(StoreError) -> Result<Value, RPCError> {
    let limits = TableLimits()
    let bytes =
      if let path {
        try OutsideFile(path, configuration).contents(limit: limits.bytes)
      } else {
        Array((text ?? "").utf8)
      }
    let table: ImportedTable<Reading.Known, Reading.Draft>
    do throws(TableRefusal) {
      table = try reading.read(bytes, limits: limits) { percentage in
        monitor.report(percentage / 2)
        return !monitor.isCancelled()
      }
    } catch { return .failure(RPCError(error, wanted: reading.wanted.words, example: reading.wanted.field)) }
    return try body(consume table)
  }
}

extension RPCError {
  /// - Throws: `invalidParams` for more entries than a member of params can have.
  package static func check(_ count: Int, atMost most: Int, _ pointer: String) throws(RPCError) {
    guard count > most else { return }
    throw RPCError(.invalidParams, "there are \(count) entries", pointer: pointer, allowed: "at most \(most)")
  }

  /// - Parameters:
  ///   - wanted: What a table needs, in words.
  ///   - example: A field that `mapping` could name.
  init(_ refusal: TableRefusal, wanted: String = "", example: String = "") {
    func list(_ names: [String]) -> String {
      names.prefix(40).map { "“\($0.prefix(60))”" }.joined(separator: ", ") + (names.count > 40 ? ", …" : "")
    }
    switch refusal {
    case .cancelled: self.init(.requestCancelled, "cancelled before anything was committed")
    case .unreadable(let error):
      self.init(
        .tableUnreadable, error.message, hint: error.hint, line: error.place?.line, column: error.place?.column)
    case .unrecognized(let headers, let missing):
      let wants = missing.isEmpty ? "" : ", and a column is missing for \(list(missing))"
      self.init(
        .tableUnrecognized, "the columns are \(list(headers))\(wants)",
        allowed: missing.isEmpty ? wanted : "\(wanted); a column for \(list(missing))",
        hint: missing.first.map { "“mapping” can name its column, as {\"\($0)\": \"…the header…\"}" }
          ?? "“mapping” can name the columns, as {\"\(example)\": \"\(headers.first ?? "Name")\"}")
    case .mapping(let problem, let headers, let fields):
      switch problem {
      case .unknownField(let field):
        self.init(
          .invalidParams, "this table has no field “\(field.prefix(100))”", pointer: "/mapping/\(field.prefix(100))",
          allowed: list(fields))
      case .unknownColumn(let field, let column):
        self.init(
          .invalidParams, "there is no column “\(column.prefix(100))”", pointer: "/mapping/\(field)",
          allowed: list(headers) + ", or # and a number")
      case .usedTwice(let field, let other):
        self.init(
          .invalidParams, "“\(field)” and “\(other)” cannot share a column", pointer: "/mapping/\(field)",
          allowed: "a column for each")
      case .missing(let fields):
        self.init(.tableUnrecognized, "a column is missing for \(list(fields))")
      }
    }
  }

  /// Refuses an import because of a row.
  init(_ problem: TableProblem, more: Int, preview: Method) {
    let place = problem.header.map { ", column “\($0.prefix(60))”" } ?? ""
    self.init(
      .importInvalid, "row \(problem.row)\(place): \(problem.reason)" + (more > 0 ? " (and \(more) more rows)" : ""),
      pointer: problem.field.map { "/\($0)" } ?? "", allowed: problem.allowed,
      hint: "“\(preview.name)” lists all problems; “onProblem”: “skip” skips such rows",
      line: problem.line, column: problem.column)
  }
}
