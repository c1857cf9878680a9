import DaybookProtocol
import Tables

/// The header of Loop's checkmarks: “Date”, then the unquoted habit names, each followed by a comma. Names that contain
/// commas are recognized by existing habits.
struct LoopHeader {
  /// The habits by column, counted from 1.
  private(set) var habits: [(field: String, name: String, column: Int)] = []
  let delimiter: UInt8
  /// The bytes of the line without its end.
  private let line: Range<Int>

  /// The header of Loop's checkmarks in a text, unless another table's header stands above it.
  ///
  /// - Parameters:
  ///   - isStated: Whether the request says the table is Loop's; otherwise the trailing comma shows it.
  ///   - others: The shapes of other tables.
  static func found(
    in text: DecodedText, isStated: Bool, _ finder: HabitFinder, before others: [TableShape], _ options: ScanOptions
  ) -> LoopHeader? {
    for place in HeaderPlace.all(in: text, skipLines: options.skipLines, delimiter: options.delimiter) {
      if let header = LoopHeader(text, at: place, isStated: isStated, finder) { return header }
      if TableScan.recognizes(text, at: place, for: others, options, isStated: isStated) { return nil }
    }
    return nil
  }

  private init?(_ text: DecodedText, at place: HeaderPlace, isStated: Bool, _ finder: HabitFinder) {
    let bytes = text.utf8[place.start...]
    let end = bytes.prefix(1 << 20).firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
    let header = String(decoding: bytes[..<end], as: UTF8.self)
    guard text.isWhole(to: end), header.utf8.count > 5, header.lowercased().hasPrefix("date"),
      let byte = header.utf8.dropFirst(4).first, [UInt8(ascii: ","), UInt8(ascii: ";"), 9].contains(byte),
      isStated || header.utf8.last == byte
    else { return nil }
    (delimiter, line) = (byte, place.start..<end)
    let mark = Character(Unicode.Scalar(byte))
    var cells = header.contains("\"") ? LoopHeader.quoted(Array(bytes[..<end]), byte) : nil
    cells = cells ?? header.split(separator: mark, omittingEmptySubsequences: false).map(String.init)
    let names = LoopNames(Array((cells ?? []).dropFirst()), mark, finder.names)
      .joined(to: LoopHeader.width(of: text, below: end, byte))
    // The header of another Loop table.
    if Set(names.map { TableHeader.key($0) }).isSuperset(of: ["value", "notes"]) { return nil }
    var distinct = DistinctNames()
    for (index, name) in names.enumerated() where name.isVisible {
      let field = distinct.distinct(name.trimmedCell)
      habits.append((field == "day" ? "day (habit)" : field, name.trimmedCell, index + 2))
    }
    guard !habits.isEmpty else { return nil }
  }

  /// Quotes the names in the table where necessary.
  func replace(in text: inout DecodedText) {
    var writer = TableWriter(delimiter: delimiter)
    writer.plain("Date")
    var next = 2
    for habit in habits {
      for _ in next..<habit.column { writer.plain("") }
      // Another habit called “day” has always been “day (2)”.
      writer.plain(habit.name == "day" ? habit.field : habit.name)
      next = habit.column + 1
    }
    // The header ends like Loop's rows.
    if text.utf8[line].last == delimiter { writer.plain("") }
    writer.endRow()
    text.replace(line, with: writer.take().dropLast(2))
  }

  /// The rows from which the number of habits is seen.
  private static let sampledRows = 100

  /// The number of marks that most rows have; nil without rows.
  private static func width(of text: DecodedText, below end: Int, _ delimiter: UInt8) -> Int? {
    var counts: [Int: Int] = [:]
    for line in text.utf8[end...].split(maxSplits: sampledRows + 1, whereSeparator: { $0 == 0x0A || $0 == 0x0D })
      .prefix(sampledRows)
    {
      var width = line.reduce(0) { $1 == delimiter ? $0 + 1 : $0 }
      if line.last == delimiter { width -= 1 }
      counts[width, default: 0] += 1
    }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }

  /// The cells of a line rewritten by a spreadsheet; nil when it cannot be parsed.
  private static func quoted(_ line: [UInt8], _ delimiter: UInt8) -> [String]? {
    (try? TableReader.rows(line, encoding: .utf8, delimiter: delimiter))?.last
  }
}
