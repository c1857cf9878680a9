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

  package init() {}
}

/// The first pass over a table: detects its shape, column mapping and style, and collects its rows.
package struct TableScan {
  private let shapes: [TableShape]
  private let options: ScanOptions
  private let isStated: Bool
  /// The index of its shape.
  private var shape: Int?
  private var mapping: ColumnMapping?
  private var refusal: TableRefusal?
  private var style: TableStyle
  private var rows: [ScannedTable.Row] = []
  /// The indices of the kept cells that are days or numbers.
  private var dayPlaces: [Int] = []
  private var numberPlaces: [Int] = []

  /// Bytes between two calls of `goesOn`.
  private static let piece = 1 << 20

  private init(_ shapes: [TableShape], _ options: ScanOptions, isStated: Bool) {
    self.shapes = shapes
    self.options = options
    self.isStated = isStated
    style = TableStyle(order: options.order, mark: options.mark)
  }

  /// Reads a whole table. `goesOn` receives the percentage, up to 50, and returns false to cancel.
  ///
  /// - Parameters:
  ///   - shapes: The candidates, more specific ones first.
  ///   - isStated: Whether the caller stated the format: then the headers may be unknown if the mapping is stated, too.
  package static func scan(
    _ bytes: [UInt8], for shapes: [TableShape], _ options: ScanOptions, isStated: Bool = false,
    limits: TableLimits = TableLimits(), goesOn: (Int) -> Bool = { _ in true }
  ) throws(TableRefusal) -> ScannedTable {
    var scan = TableScan(shapes, options, isStated: isStated)
    guard goesOn(0) else { throw .cancelled }
    var reader: TableReader
    do throws(TableError) {
      reader = try TableReader(
        bytes, encoding: options.encoding, delimiter: options.delimiter, limits: limits)
    } catch { throw .unreadable(error) }
    var reported = 0
    while let row = try next(&reader) {
      scan.take(row)
      guard reader.position - reported >= piece else { continue }
      if let refusal = scan.refusal { throw refusal }
      reported = reader.position
      guard goesOn(reported * 50 / max(reported, bytes.count)) else { throw .cancelled }
    }
    if let refusal = scan.refusal { throw refusal }
    guard let shape = scan.shape, let mapping = scan.mapping else {
      throw .unreadable(TableError(.empty, "The text is empty."))
    }
    // Our own exports have decimal points; with another delimiter, another program has rewritten the table.
    if shapes[shape].isOurs, options.mark == nil, reader.delimiter == UInt8(ascii: ",") { scan.style.mark = .point }
    return ScannedTable(
      shape: shape, mapping: mapping, style: scan.style, encoding: reader.encoding, delimiter: reader.delimiter,
      rows: scan.rows)
  }

  private static func next(_ reader: inout TableReader) throws(TableRefusal) -> CellRow? {
    do throws(TableError) { return try reader.next() } catch { throw .unreadable(error) }
  }

  private mutating func take(_ row: CellRow) {
    guard refusal == nil else { return }
    guard let mapping else { return recognize(row) }
    let cells = mapping.kept.map { row[$0] }
    for place in dayPlaces { style.note(day: cells[place]) }
    for place in numberPlaces { style.note(number: cells[place]) }
    // Empty cells beyond the header do not count.
    var count = row.count
    while count > mapping.headers.count, row.isEmpty(count - 1) { count -= 1 }
    rows.append(ScannedTable.Row(number: row.number, line: row.line, count: count, cells: cells))
  }

  /// Detects the shape by the header.
  private mutating func recognize(_ row: CellRow) {
    var headers = row.cells.map { TableHeader($0) }
    // Trailing delimiters of a header are not columns.
    while headers.count > 1, headers.last?.text.isEmpty == true { headers.removeLast() }
    var candidates = shapes.indices.filter { shapes[$0].matches(headers, isStated: isStated) }
    // A rest of our own table must not be imported as another program's: parts of it would be lost.
    let isRevealed = candidates.isEmpty && shapes.contains { $0.isRevealed(by: headers) }
    if isRevealed { candidates = shapes.indices.filter { shapes[$0].isRevealed(by: headers) } }
    for index in shapes.indices where !isRevealed && !candidates.contains(index) {
      // With a stated mapping, the headers may be unknown.
      if shapes[index].isAnybodys || (isStated && !options.mapping.isEmpty) { candidates.append(index) }
    }
    var problems: [(ColumnMapping.Problem, TableShape)] = []
    for index in candidates {
      do throws(ColumnMapping.Problem) {
        let mapping = try ColumnMapping(headers, shapes[index].fields, wanted: options.mapping)
        accept(index, mapping)
        return
      } catch { problems.append((error, shapes[index])) }
    }
    refusal = TableScan.refusal(problems, headers)
  }

  private mutating func accept(_ index: Int, _ mapping: ColumnMapping) {
    shape = index
    self.mapping = mapping
    func place(_ field: String) -> Int? { mapping.columns[field].flatMap { mapping.kept.firstIndex(of: $0) } }
    dayPlaces = shapes[index].days.compactMap(place)
    numberPlaces = shapes[index].numbers.compactMap(place)
  }

  private static func refusal(
    _ problems: [(ColumnMapping.Problem, TableShape)], _ headers: [TableHeader]
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
    var fewest: [String]?
    for (problem, _) in problems {
      if case .missing(let fields) = problem, fields.count < fewest?.count ?? .max { fewest = fields }
    }
    return .unrecognized(headers: texts, missing: fewest ?? [])
  }
}
