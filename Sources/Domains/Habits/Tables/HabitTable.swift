import CivilTime
import DaybookProtocol
import Tables
import Values

/// What a row comes to.
package enum HabitDraft: Sendable, Equatable {
  /// A habit, and which of its members the row speaks of.
  indirect case habit(Habit, covered: Set<String>)
  /// A log of a habit, and which of its members the row speaks of.
  case log(HabitLog, of: HabitSubject, covered: Set<String>)
  /// The marks of a row that has one for each habit.
  case several([ImportedRow<HabitDraft>])
}

/// What a caller says of a table of habits, and what is stored; what is nil is found out.
package struct HabitTableOptions: Sendable {
  /// Whose it is; nil or `auto` to be told by the headers.
  package var format: HabitTableFormat?
  package var scan = ScanOptions()
  /// The habit of a table without a column for it.
  package var habit: String?
  /// The day it is read on: habits that say no other begin on it.
  package var today: CivilDay
  /// Where the logs of other programs were made.
  package var zone: TimeZoneName
  /// The habits that are there.
  package var finder: HabitFinder

  package init(today: CivilDay, zone: TimeZoneName, finder: HabitFinder) {
    self.today = today
    self.zone = zone
    self.finder = finder
  }
}

/// A table of habits or of their logs.
package typealias HabitTable = ImportedTable<KnownHabitTable, HabitDraft>

extension HabitTable {
  /// Reads a table in order to import it. `goesOn` is told the percentage, and says whether the table is still wanted.
  package static func read(
    _ bytes: [UInt8], _ options: HabitTableOptions, limits: TableLimits = TableLimits(),
    goesOn: (Int) -> Bool = { _ in true }
  ) throws(TableRefusal) -> HabitTable {
    let format = options.format == .auto ? nil : options.format
    var (bytes, scan, limits) = (bytes, options.scan, limits)
    var wanted = KnownHabitTable.all(hasHabit: options.habit != nil).filter { format == nil || $0.format == format }
    if format == nil || format == .loop, bytes.count <= limits.bytes,
      let marks = LoopHeader(bytes, isStated: format == .loop, options.finder)
    {
      wanted = [KnownHabitTable.checkmarks(marks.habits.map(\.field))]
      // Each of its cells is kept until the table is read, and each counts as a row.
      limits.bytes = min(limits.bytes, HabitTable.mostMarkBytes)
      bytes = marks.replaced(in: bytes)
      scan.delimiter = scan.delimiter ?? marks.delimiter
      scan.mapping.merge(marks.habits.map { ($0.field, "#\($0.column)") }) { said, _ in said }
    }
    let table = try read(bytes, as: wanted, isStated: format != nil, scan, limits: limits, goesOn: goesOn) {
      HabitDrafts($0, $1, options, mostMarks: limits.rows)
    }
    guard table.known.name != KnownHabitTable.entriesName || options.habit != nil else {
      throw .unrecognized(headers: table.mapping.headers.map(\.text), missing: ["habit"])
    }
    return table
  }

  /// A table with a column for each habit has so many bytes at most.
  private static let mostMarkBytes = 20_000_000

  /// Its rows, or the marks in them where each counts for itself.
  package var entries: [ImportedRow<HabitDraft>] {
    known.name == KnownHabitTable.checkmarksName
      ? rows.flatMap { row in
        if case .draft(.several(let marks)) = row.content { marks } else { [row] }
      } : rows
  }
}

/// The names of habits, as people tell them apart.
enum HabitNames {
  /// What two spellings of a name have in common.
  static func fold(_ name: String) -> String {
    name.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
  }

  /// What tells a habit from others that states no identity; what is imported under it is never to become another.
  static func key(_ name: String) -> [String] { [fold(name)] }

  /// What tells habits from all else in keys of rows.
  static let table = ["habits"]
}

/// Gives habits of a table that have the same name numbers behind it.
struct DistinctNames {
  private var used: Set<String> = []

  /// - Parameter used: Names that others have.
  init(_ used: [String] = []) { self.used = Set(used.map(HabitNames.fold)) }

  /// The name, with a number unless it is the first of its kind.
  mutating func distinct(_ name: String) -> String {
    var (candidate, number) = (name, 1)
    while !used.insert(HabitNames.fold(candidate)).inserted {
      number += 1
      candidate = "\(name) (\(number))"
    }
    return candidate
  }
}
