import DaybookProtocol

/// The first pass over a table: whose it is, which column has what, how it writes days and numbers, and its rows.
package struct TableScan {
  private let shapes: [TableShape]
  private let options: ScanOptions
  private let isStated: Bool
  /// Which shape it has.
  private var shape: Int?
  private var mapping: ColumnMapping?
  private var refusal: TableRefusal?
  private var style: TableStyle
  private var rows: [ScannedTable.Row] = []
  /// Which kept cells are days, and which are numbers.
  private var dayPlaces: [Int] = []
  private var numberPlaces: [Int] = []

  /// Bytes that are read before it is asked again whether to go on.
  private static let piece = 1 << 20

  private init(_ shapes: [TableShape], _ options: ScanOptions, isStated: Bool) {
    self.shapes = shapes
    self.options = options
    self.isStated = isStated
    style = TableStyle(order: options.order, mark: options.mark)
  }

  /// Reads a whole table. `goesOn` is told the percentage, up to 50, and says whether the table is still wanted.
  ///
  /// - Parameters:
  ///   - shapes: What it may be, what is told apart by more before what is told apart by less.
  ///   - isStated: Whether it was said whose it is: then its headers need not be known where the columns are said too.
  package static func scan(
    _ bytes: [UInt8], for shapes: [TableShape], _ options: ScanOptions, isStated: Bool = false,
    limits: TableLimits = TableLimits(), goesOn: (Int) -> Bool = { _ in true }
  ) throws(TableRefusal) -> ScannedTable {
    var reader = TableReader(encoding: options.encoding, delimiter: options.delimiter, limits: limits)
    var scan = TableScan(shapes, options, isStated: isStated)
    var at = 0
    repeat {
      let end = min(bytes.count, at + piece)
      guard goesOn(at * 50 / max(1, bytes.count)) else { throw .cancelled }
      do throws(TableError) {
        try bytes.withUnsafeBufferPointer { all throws(TableError) in
          let slice = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: all[at..<end]))
          try reader.take(slice, isLast: end == bytes.count) { scan.take($0) }
        }
      } catch { throw .unreadable(error) }
      if let refusal = scan.refusal { throw refusal }
      at = end
    } while at < bytes.count
    guard let shape = scan.shape, let mapping = scan.mapping else {
      throw .unreadable(TableError(.empty, "There is nothing in the text."))
    }
    // What we wrote ourselves has points before fractions; with another delimiter another program has written it again.
    if shapes[shape].isOurs, options.mark == nil, reader.delimiter == UInt8(ascii: ",") { scan.style.mark = .point }
    return ScannedTable(
      shape: shape, mapping: mapping, style: scan.style, encoding: reader.encoding ?? .utf8,
      delimiter: reader.delimiter ?? 0, rows: scan.rows)
  }

  private mutating func take(_ row: CellRow) {
    guard refusal == nil else { return }
    guard let mapping else { return recognize(row) }
    let cells = mapping.kept.map { row[$0] }
    for place in dayPlaces { style.note(day: cells[place]) }
    for place in numberPlaces { style.note(number: cells[place]) }
    // Cells beyond the header that are empty are nothing.
    var count = row.count
    while count > mapping.headers.count, row.withCell(count - 1, { $0.isEmpty }) { count -= 1 }
    rows.append(ScannedTable.Row(number: row.number, line: row.line, count: count, cells: cells))
  }

  /// Finds out whose table it is by its header.
  private mutating func recognize(_ row: CellRow) {
    var headers = row.cells.map { TableHeader($0) }
    // Delimiters at the end of a header are no columns.
    while headers.count > 1, headers.last?.text.isEmpty == true { headers.removeLast() }
    var candidates = shapes.indices.filter { shapes[$0].matches(headers, isStated: isStated) }
    // What is left of ours is nobody else's: it would be taken in without what it says.
    let isTold = candidates.isEmpty && shapes.contains { $0.isTold(by: headers) }
    if isTold { candidates = shapes.indices.filter { shapes[$0].isTold(by: headers) } }
    for index in shapes.indices where !isTold && !candidates.contains(index) {
      // Where it is said which column has what, headers need not be known.
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
