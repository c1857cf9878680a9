import CivilTime
import DaybookProtocol
import Tables
import Values

/// The habits of a log table, collected from all rows before any log is read.
struct HabitSubjects {
  /// The habits by their key in the table.
  private(set) var all: [String: HabitSubject] = [:]

  /// What the rows say about a habit.
  private struct Told {
    var name: String
    var id: EntityID?
    var isNumeric = false
    /// For Habitica: the range of the task's values.
    var worth: ClosedRange<Double>?
    var note: String?
    var tag: String?
    /// The first day with a mark that gives no log.
    var known: CivilDay?
  }

  private let options: HabitTableOptions
  private let known: KnownHabitTable
  private var told: [String: Told] = [:]
  private var order: [String] = []
  /// The names used in the table, and those of existing and new habits.
  private var names = DistinctNames()
  private var made = DistinctNames()

  init(_ known: KnownHabitTable, _ scanned: ScannedTable, _ options: HabitTableOptions) {
    self.known = known
    self.options = options
    if known.name == KnownHabitTable.checkmarksName {
      let fields = known.shape.fields.dropFirst().map(\.name)
      for field in fields { add(field, name: scanned.mapping.header(of: field)?.text ?? field) }
      for row in scanned.rows { take(marksOf: scanned.reader(row), fields) }
    } else {
      for row in scanned.rows { take(scanned.reader(row)) }
    }
    made = DistinctNames(options.finder.names)
    // A habit that an import linked to one name never matches another, even after being renamed.
    var taken: Set<EntityID> = []
    for told in told.values {
      if let habit = told.id.flatMap({ options.finder.habit($0) }) ?? options.finder.imported(told.name).habit {
        taken.insert(habit.id)
      }
    }
    var count = 0
    for key in order {
      guard let told = told[key] else { continue }
      let subject = subject(told, order: min(options.finder.nextOrder + count, 1_000_000), taken)
      if subject.isNew { count += 1 }
      all[key] = subject
    }
  }

  /// The key of a row's habit in the table; nil when there is none.
  static func key(_ reader: RowReader, _ options: HabitTableOptions) -> String? {
    if let id = reader.raw("habitId") { return EntityID(id).map { "\($0)" } }
    if let task = reader.raw("task") { return task }
    return (reader.raw("habit") ?? (reader.mapping.columns["habit"] == nil ? options.habit : nil)).map(HabitNames.fold)
  }

  private mutating func add(_ key: String, name: String, id: EntityID? = nil) {
    guard told[key] == nil else { return }
    told[key] = Told(name: known.format == .habitica ? names.distinct(name) : name, id: id)
    order.append(key)
  }

  private mutating func take(marksOf reader: RowReader, _ fields: [String]) {
    for field in fields {
      guard let text = reader.raw(field) else { continue }
      if HabitMark.isAmount(text) { told[field]?.isNumeric = true }
      if text == "YES_AUTO" || text == "1" { take(known: reader, field) }
    }
  }

  private mutating func take(_ reader: RowReader) {
    guard let key = HabitSubjects.key(reader, options) else { return }
    let isOurs = known.format == .daybook
    let name = reader.raw("habit") ?? options.habit ?? ""
    add(
      key, name: isOurs ? CellText.restored(name).trimmedCell : name,
      id: isOurs ? reader.raw("habitId").flatMap { EntityID($0) } : nil)
    if let note = reader.raw("description") {
      told[key]?.note = String(String.UnicodeScalarView(note.unicodeScalars.prefix(10000)))
    }
    if let tag = reader.raw("category") { told[key]?.tag = String(tag.unicodeScalars.prefix(50)).trimmedCell }
    if known.name == KnownHabitTable.entriesName {
      guard let text = reader.raw("value") else { return }
      if HabitMark.isAmount(text) { told[key]?.isNumeric = true }
      if text == "YES_AUTO" || text == "1" { take(known: reader, key) }
    } else if known.format == .habitica {
      guard reader.raw("type") == "habit", let worth = reader.raw("worth").flatMap({ Double($0) }), worth.isFinite
      else {
        return
      }
      let before = told[key]?.worth ?? worth...worth
      told[key]?.worth = min(before.lowerBound, worth)...max(before.upperBound, worth)
    } else if let text = reader.raw("value"), HabitMark.word(text) == nil {
      let readings = NumberText.reading(text, mark: reader.style.mark).readings
      if let number = readings.first, number > .zero, number != Decimal(1) { told[key]?.isNumeric = true }
    }
  }

  private mutating func take(known reader: RowReader, _ key: String) {
    guard case .value(let day)? = reader.raw("day").map({ DateText.reading($0, order: reader.style.order) }) else {
      return
    }
    let first = min(told[key]?.known ?? day, day)
    told[key]?.known = first
  }

  private mutating func subject(_ told: Told, order: Int, _ taken: Set<EntityID>) -> HabitSubject {
    if let id = told.id, let habit = options.finder.habit(id) { return HabitSubject(habit, isNew: false) }
    let (identity, imported) = options.finder.imported(told.name)
    let called = imported == nil ? options.finder.called(told.name) : nil
    let found = imported ?? called.flatMap { taken.contains($0.id) ? nil : $0 }
    let isBad = told.worth.map { $0.upperBound <= 0 } ?? false
    let countsEach = isBad || (told.worth.map { $0.lowerBound > 0 } ?? false)
    if let found {
      let isNoted = told.id != nil || imported != nil
      return HabitSubject(
        found, isNew: false, link: isNoted ? nil : identity, known: told.known, countsEach: countsEach)
    }
    var habit = HabitDrafts.usual(made.distinct(told.name), options.today)
    habit.id = told.id ?? identity
    habit.order = order
    if told.isNumeric { habit.measure = .numeric }
    if isBad { habit.kind = .bad }
    habit.note = told.note
    habit.tags = told.tag.flatMap { $0.isVisible ? [$0] : nil }
    return HabitSubject(habit, isNew: true, known: told.known, countsEach: countsEach)
  }
}
