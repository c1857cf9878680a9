import CivilTime
import DaybookProtocol

/// Why a table cannot be used as a whole.
package enum TableRefusal: Error, Sendable {
  case unreadable(TableError)
  /// The headers match no known table; `missing` are the unmapped fields of the closest one.
  case unrecognized(headers: [String], missing: [String])
  /// The stated mapping fails; `fields` are the table's.
  case mapping(ColumnMapping.Problem, headers: [String], fields: [String])
  case cancelled
}

/// A caller's statements about a table; nil ones are detected.
package struct ScanOptions: Sendable {
  /// The columns of fields: headers, or `#` and a number.
  package var mapping: [String: String] = [:]
  package var delimiter: UInt8?
  package var encoding: TableEncoding?
  package var order: TableDateFormat?
  package var mark: TableDecimalMark?
  /// The number of lines above the header.
  package var skipLines: Int?
  /// The user's zone.
  package var zone: TimeZoneRules = .utc
  /// Names that a column may hold, delimiters included.
  package var names: KnownNames?

  package init() {}
}

/// The first pass over a table: detects its shape, column mapping and style, and collects its rows.
package struct TableScan {
  private let shapes: [TableShape]
  private let options: ScanOptions
  private let isStated: Bool
  /// The outcome of the header.
  private var header = Header.none
  private var style: TableStyle
  private var rows: [ScannedTable.Row] = []
  /// The indices of the kept cells that are days or numbers.
  private var dayPlaces: [Int] = []
  private var numberPlaces: [Int] = []
  /// The columns that are days or numbers.
  private var measured: Set<Int> = []
  private var widths: RowWidths

  private enum Header {
    case none
    case known(Int, ColumnMapping)
    /// `isCertain` if it is a header, and not a line above one.
    case refused(TableRefusal, isCertain: Bool)
  }

  /// Bytes between two calls of `shouldContinue`.
  private static let piece = 1 << 20

  private init(_ shapes: [TableShape], _ options: ScanOptions, isStated: Bool) {
    self.shapes = shapes
    self.options = options
    self.isStated = isStated
    style = TableStyle(order: options.order, mark: options.mark, zone: options.zone)
    widths = RowWidths(headers: 0, hasTail: false)
  }

  /// Reads a whole table. `shouldContinue` receives the percentage, up to 50, and returns false to cancel.
  ///
  /// Lines above a known header are skipped. Without one, the closest line tells what is missing.
  ///
  /// - Parameters:
  ///   - shapes: The candidates, more specific ones first.
  ///   - isStated: Whether the caller stated the format: then the headers may be unknown if the mapping is stated, too.
  package static func scan(
    _ text: DecodedText, for shapes: [TableShape], _ options: ScanOptions, isStated: Bool = false,
    limits: TableLimits = TableLimits(), shouldContinue: (Int) -> Bool = { _ in true }
  ) throws(TableRefusal) -> ScannedTable {
    guard shouldContinue(0) else { throw .cancelled }
    var closest: TableRefusal?
    for place in HeaderPlace.all(in: text, skipLines: options.skipLines, delimiter: options.delimiter) {
      var scan = TableScan(shapes, options, isStated: isStated)
      var reader = TableReader(text, at: place, limits: limits)
      switch scan.recognize(&reader) {
      case .known(let shape, let mapping):
        try scan.readRows(&reader, of: text.utf8.count, shouldContinue)
        return scan.table(shape, mapping, reader, place.skippedLines(of: text))
      case .refused(let refusal, isCertain: true): throw refusal
      case .refused(let refusal, isCertain: false): closest = refusal.closer(than: closest)
      case .none: break
      }
    }
    throw closest ?? .unreadable(TableError(.empty, "The text is empty."))
  }

  /// Whether a line is the header of one of these tables, usable or not.
  package static func recognizes(
    _ text: DecodedText, at place: HeaderPlace, for shapes: [TableShape], _ options: ScanOptions, isStated: Bool
  ) -> Bool {
    var scan = TableScan(shapes, options, isStated: isStated)
    var reader = TableReader(text, at: place, limits: TableLimits())
    switch scan.recognize(&reader) {
    case .known, .refused(_, isCertain: true): return true
    case .none, .refused(_, isCertain: false): return false
    }
  }

  private static func next(_ reader: inout TableReader) throws(TableRefusal) -> CellRow? {
    do throws(TableError) { return try reader.next() } catch { throw .unreadable(error) }
  }

  private mutating func readRows(
    _ reader: inout TableReader, of size: Int, _ shouldContinue: (Int) -> Bool
  ) throws(TableRefusal) {
    guard case .known(_, let mapping) = header else { return }
    var reported = 0
    while let row = try TableScan.next(&reader) {
      add(row, mapping, reader.delimiter)
      guard reader.position - reported >= TableScan.piece else { continue }
      reported = reader.position
      guard shouldContinue(reported * 50 / max(reported, size)) else { throw .cancelled }
    }
  }

  private func table(
    _ shape: Int, _ mapping: ColumnMapping, _ reader: TableReader, _ skippedLines: [String]
  ) -> ScannedTable {
    var style = style
    // With another delimiter, another program has rewritten the table.
    if shapes[shape].hasPoints, options.mark == nil, reader.delimiter == UInt8(ascii: ",") { style.mark = .point }
    return ScannedTable(
      shape: shape, mapping: mapping, style: style, encoding: reader.encoding, delimiter: reader.delimiter,
      skippedLines: skippedLines, rows: rows, widths: widths)
  }

  private mutating func add(_ row: CellRow, _ mapping: ColumnMapping, _ delimiter: UInt8) {
    if let names = options.names, let column = mapping.columns[names.field] {
      switch names.reading(row, column, mapping, delimiter, measured: measured) {
      case .plain: break
      case .joined(let cells): return add(cells, row, count: mapping.headers.count, tail: false)
      case .unclear: return add(mapping.kept.map { row[$0] }, row, count: row.count, tail: false)
      }
    }
    add(mapping.kept.map { row[$0] }, row, count: widths.count(of: row), tail: widths.isOpen(row))
  }

  private mutating func add(_ cells: [String], _ row: CellRow, count: Int, tail isOpen: Bool) {
    // Cells of other columns prove nothing.
    if count == widths.headers {
      for place in dayPlaces { style.note(day: cells[place]) }
      for place in numberPlaces { style.note(number: cells[place]) }
    }
    rows.append(ScannedTable.Row(number: row.number, line: row.line, count: count, isOpen: isOpen, cells: cells))
  }

  /// Detects the shape by the header, the first row.
  private mutating func recognize(_ reader: inout TableReader) -> Header {
    do throws(TableRefusal) {
      if let row = try TableScan.next(&reader) { header = recognized(row) }
    } catch { header = .refused(error, isCertain: false) }
    return header
  }

  private mutating func recognized(_ row: CellRow) -> Header {
    var headers = row.cells.map { TableHeader($0) }
    // Trailing delimiters of a header are not columns.
    while headers.count > 1, headers.last?.text.isEmpty == true { headers.removeLast() }
    var candidates = shapes.indices.filter { shapes[$0].matches(headers, isStated: isStated) }
    // A rest of our own table must not be imported as another program's: parts of it would be lost.
    let isRevealed = candidates.isEmpty && shapes.contains { $0.isRevealed(by: headers) }
    if isRevealed { candidates = shapes.indices.filter { shapes[$0].isRevealed(by: headers) } }
    let isCertain = !candidates.isEmpty
    for index in shapes.indices where !isRevealed && !candidates.contains(index) {
      // With a stated mapping, the headers may be unknown.
      if (shapes[index].isAnybodys && !shapes[index].isExcluded(by: headers)) || (isStated && !options.mapping.isEmpty)
      {
        candidates.append(index)
      }
    }
    var problems: [(ColumnMapping.Problem, TableShape)] = []
    for index in candidates {
      do throws(ColumnMapping.Problem) {
        let mapping = try ColumnMapping(headers, shapes[index].fields, wanted: options.mapping)
        accept(index, mapping, hasTail: row.count > headers.count)
        return .known(index, mapping)
      } catch { problems.append((error, shapes[index])) }
    }
    return .refused(TableScan.refusal(problems, headers, options.mapping), isCertain: isCertain)
  }

  private mutating func accept(_ index: Int, _ mapping: ColumnMapping, hasTail: Bool) {
    func place(_ field: String) -> Int? { mapping.columns[field].flatMap { mapping.kept.firstIndex(of: $0) } }
    measured = Set((shapes[index].days + shapes[index].numbers).compactMap { mapping.columns[$0] })
    dayPlaces = shapes[index].days.compactMap(place)
    numberPlaces = shapes[index].numbers.compactMap(place)
    widths = RowWidths(headers: mapping.headers.count, hasTail: hasTail)
  }

  private static func refusal(
    _ problems: [(ColumnMapping.Problem, TableShape)], _ headers: [TableHeader], _ wanted: [String: String]
  ) -> TableRefusal {
    let texts = headers.map(\.text)
    // Errors of the stated mapping come before missing columns.
    for (problem, table) in problems {
      if case .missing = problem { continue }
      if case .unknownField(let field) = problem,
        problems.contains(where: { $0.1.fields.contains { $0.name == field } })
      {
        continue
      }
      return .mapping(problem, headers: texts, fields: table.fields.map(\.name))
    }
    // When no table has all stated fields, one that the others suffice for tells which it has instead.
    func known(_ table: TableShape) -> [String: String] {
      wanted.filter { name, _ in table.fields.contains { $0.name == name } }
    }
    if !problems.contains(where: { known($0.1).count == wanted.count }) {
      for (problem, table) in problems where (try? ColumnMapping(headers, table.fields, wanted: known(table))) != nil {
        return .mapping(problem, headers: texts, fields: table.fields.map(\.name))
      }
    }
    var fewest: [String]?
    for (problem, _) in problems {
      if case .missing(let fields) = problem, fields.count < fewest?.count ?? .max { fewest = fields }
    }
    return .unrecognized(headers: texts, missing: fewest ?? [])
  }
}

extension TableRefusal {
  /// The refusal of the line that is closer to a header: the one that lacks fewer fields, else the earlier one.
  fileprivate func closer(than other: TableRefusal?) -> TableRefusal {
    guard let other else { return self }
    func lacking(_ refusal: TableRefusal) -> Int? {
      if case .unrecognized(_, let missing) = refusal { missing.isEmpty ? .max : missing.count } else { nil }
    }
    guard let mine = lacking(self), let theirs = lacking(other) else { return other }
    return mine < theirs ? self : other
  }
}
