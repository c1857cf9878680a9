import DaybookProtocol
import Tables

/// The content of a row.
package enum HabitDraft: Sendable, Equatable {
  /// A habit, and the members that the row covers.
  indirect case habit(Habit, covered: Set<String>)
  /// A log, and the members that the row covers.
  case log(HabitLog, of: HabitSubject, covered: Set<String>)
  /// A row with marks of several habits.
  case several([ImportedRow<HabitDraft>])
}

/// The options for reading a table. Nil means detected from the table.
package struct HabitTableOptions: Sendable {
  /// The source program; nil or `auto` to detect it from the header.
  package var format: HabitTableFormat?
  package var scan = ScanOptions()
  /// The habit of a table without a column for it.
  package var habit: String?
  /// The day of the import, on which new habits start by default.
  package var today: CivilDay
  /// The zone of logs from other programs.
  package var zone: TimeZoneName
  /// The existing habits.
  package var finder: HabitFinder

  package init(today: CivilDay, zone: TimeZoneName, finder: HabitFinder) {
    self.today = today
    self.zone = zone
    self.finder = finder
  }
}

/// A table of habits or logs.
package typealias HabitTable = ImportedTable<KnownHabitTable, HabitDraft>

extension HabitTable {
  /// Reads a table for import. `shouldContinue` gets the percentage and returns false to cancel.
  package static func read(
    _ bytes: [UInt8], _ options: HabitTableOptions, limits: TableLimits = TableLimits(),
    shouldContinue: (Int) -> Bool = { _ in true }
  ) throws(TableRefusal) -> HabitTable {
    let format = options.format == .auto ? nil : options.format
    var (text, scan) = (try DecodedText.decode(bytes, options.scan, limits: limits), options.scan)
    scan.names = KnownNames("habit") { [finder = options.finder] in finder.called($0) != nil }
    var wanted = KnownHabitTable.all(hasHabit: options.habit != nil).filter { format == nil || $0.format == format }
    if format == nil || format == .loop,
      let marks = LoopHeader.found(
        in: text, isStated: format == .loop, options.finder, before: wanted.map(\.shape), scan)
    {
      // All cells are kept in memory until the end, and each counts as a row.
      guard bytes.count <= min(limits.bytes, HabitTable.maxMarkBytes) else {
        throw .unreadable(.tooLarge(HabitTable.maxMarkBytes))
      }
      wanted = [KnownHabitTable.checkmarks(marks.habits.map(\.field))]
      marks.replace(in: &text)
      scan.delimiter = scan.delimiter ?? marks.delimiter
      scan.mapping.merge(marks.habits.map { ($0.field, "#\($0.column)") }) { said, _ in said }
    }
    var table = try read(
      text, as: wanted, isStated: format != nil, scan, limits: limits, shouldContinue: shouldContinue
    ) {
      HabitDrafts($0, $1, options, maxMarks: limits.rows)
    }
    // A program with one value per day may repeat it.
    if table.known.kind == .logs, table.known.format != .daybook, table.known.format != .other {
      try table.regroup { rows throws(TableRefusal) in (HabitRowOrder.oneEachDay(rows), []) }
    }
    guard table.known.name != KnownHabitTable.entriesName || options.habit != nil else {
      throw .unrecognized(headers: table.mapping.headers.map(\.text), missing: ["habit"])
    }
    return table
  }

  /// The maximum size of a table with one column per habit.
  private static let maxMarkBytes = 20_000_000

  /// The rows, with each row of marks replaced by its marks.
  package var entries: [ImportedRow<HabitDraft>] {
    known.name == KnownHabitTable.checkmarksName
      ? rows.flatMap { row in
        if case .draft(.several(let marks)) = row.content { marks } else { [row] }
      } : rows
  }
}

/// Names of habits as users distinguish them.
enum HabitNames {
  /// The normalized form of a name.
  static func fold(_ name: String) -> String {
    name.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
  }

  /// The row key of a habit without an id. Stored ids derive from it, so it may never change.
  static func key(_ name: String) -> [String] { [fold(name)] }

  /// The prefix of the row keys of habits.
  static let table = ["habits"]
}
