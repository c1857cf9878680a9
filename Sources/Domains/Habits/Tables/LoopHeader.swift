import DaybookProtocol
import Tables

/// The header of Loop's checkmarks: “Date”, then the unquoted habit names, each followed by a comma. Names that contain
/// commas are recognized by existing habits.
struct LoopHeader {
  /// The habits by column, counted from 1.
  private(set) var habits: [(field: String, column: Int)] = []
  let delimiter: UInt8
  /// The bytes of the line without its end.
  private let line: Range<Int>

  /// - Parameter isStated: Whether the request says the table is Loop's; otherwise the trailing comma shows it.
  init?(_ bytes: [UInt8], isStated: Bool, _ finder: HabitFinder) {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let end = bytes[start...].prefix(1 << 20).firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
    let text = String(decoding: bytes[start..<end], as: UTF8.self)
    guard text.utf8.count > 5, text.lowercased().hasPrefix("date"), let byte = text.utf8.dropFirst(4).first,
      [UInt8(ascii: ","), UInt8(ascii: ";"), 9].contains(byte), isStated || text.utf8.last == byte
    else { return nil }
    (delimiter, line) = (byte, start..<end)
    let mark = Character(Unicode.Scalar(byte))
    var cells = text.contains("\"") ? LoopHeader.quoted(Array(bytes[start..<end]), byte) : nil
    cells = cells ?? text.split(separator: mark, omittingEmptySubsequences: false).map(String.init)
    let names = LoopHeader.joined(Array((cells ?? []).dropFirst()), mark, finder.names)
    // The header of another Loop table.
    if Set(names.map { TableHeader.key($0) }).isSuperset(of: ["value", "notes"]) { return nil }
    var distinct = DistinctNames()
    for (index, name) in names.enumerated() where name.isVisible {
      let name = distinct.distinct(name.trimmedCell)
      habits.append((name == "day" ? "day (habit)" : name, index + 2))
    }
    guard !habits.isEmpty else { return nil }
  }

  /// The table with names quoted where necessary.
  func replaced(in bytes: [UInt8]) -> [UInt8] {
    var writer = TableWriter(delimiter: delimiter)
    writer.plain("Date")
    var next = 2
    for habit in habits {
      for _ in next..<habit.column { writer.plain("") }
      writer.plain(habit.field)
      next = habit.column + 1
    }
    writer.endRow()
    return bytes[..<line.lowerBound] + writer.take().dropLast(2) + bytes[line.upperBound...]
  }

  /// The cells of a line rewritten by a spreadsheet; nil when it cannot be parsed.
  private static func quoted(_ line: [UInt8], _ delimiter: UInt8) -> [String]? {
    (try? TableReader.rows(line, encoding: .utf8, delimiter: delimiter))?.last
  }

  /// The cells, with the parts of known names joined.
  private static func joined(_ cells: [String], _ mark: Character, _ known: [String]) -> [String] {
    let names = Set(known.filter { $0.contains(mark) }.map { HabitNames.fold($0) })
    guard !names.isEmpty else { return cells }
    let delimiter = String(mark)
    let longest = names.map { name in name.split(separator: mark, omittingEmptySubsequences: false).count }.max() ?? 1
    var joined: [String] = []
    var at = 0
    while at < cells.count {
      let width = (2...max(longest, 2)).reversed().first { width in
        at + width <= cells.count
          && names.contains(HabitNames.fold(cells[at..<at + width].joined(separator: delimiter)))
      }
      joined.append(cells[at..<at + (width ?? 1)].joined(separator: delimiter))
      at += width ?? 1
    }
    return joined
  }
}
