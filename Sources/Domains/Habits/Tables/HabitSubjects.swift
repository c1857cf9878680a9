import DaybookProtocol
import Tables

/// The habits of a log table, collected from all rows before any log is read.
struct HabitSubjects {
  /// The habits by their key in the table.
  private(set) var all: [String: HabitSubject] = [:]

  /// What the rows say about a habit.
  private struct Summary {
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
  private var summaries: [String: Summary] = [:]
  private var order: [String] = []
  /// The names of existing and new habits.
  private var made = DistinctNames()

  /// - Parameter gains: For Habitica: the numbers of the rows after which a task is worth more.
  init(_ known: KnownHabitTable, _ scanned: ScannedTable, _ options: HabitTableOptions, gains: Set<Int>) {
    self.known = known
    self.options = options
    if known.name == KnownHabitTable.checkmarksName {
      let fields = known.shape.fields.dropFirst().map(\.name)
      for field in fields { add(field, name: scanned.mapping.header(of: field)?.text ?? field) }
      for row in scanned.wholeRows { add(marksOf: scanned.reader(row), fields) }
    } else {
      for row in scanned.wholeRows { add(scanned.reader(row)) }
    }
    if known.name == KnownHabitTable.checkmarksName || known.format == .habitica { number(scanned, gains) }
    made = DistinctNames(options.finder.names)
    // A habit that an import linked to one name never matches another, even after being renamed.
    var taken: Set<EntityID> = []
    for summary in summaries.values {
      if let habit = summary.id.flatMap({ options.finder.habit($0) }) ?? options.finder.imported(summary.name).habit {
        taken.insert(habit.id)
      }
    }
    var count = 0
    for key in order {
      guard let summary = summaries[key] else { continue }
      let subject = subject(summary, order: min(options.finder.nextOrder + count, 1_000_000), taken)
      if subject.isNew { count += 1 }
      all[key] = subject
    }
  }

  /// The key of a row's habit in the table; nil when there is none.
  static func key(_ reader: RowReader, _ options: HabitTableOptions, isOurs: Bool) -> String? {
    if let id = reader.raw("habitId") { return EntityID(id).map { "\($0)" } }
    if let task = reader.raw("task") { return task }
    let name = isOurs ? reader.trimmed("habit") : reader.raw("habit")
    return (name ?? (reader.mapping.columns["habit"] == nil ? options.habit : nil)).map(HabitNames.fold)
  }

  private mutating func add(_ key: String, name: String, id: EntityID? = nil) {
    guard summaries[key] == nil else { return }
    summaries[key] = Summary(name: name, id: id)
    order.append(key)
  }

  /// Tells habits of one name apart: by the marks that known ones have, then by their order.
  private mutating func number(_ scanned: ScannedTable, _ gains: Set<Int>) {
    var names = NumberedNames(order.compactMap { key in summaries[key].map { (key, $0.name) } }, options.finder)
    let doubtful = names.doubtful
    if !doubtful.isEmpty {
      let (marks, days) = marks(of: doubtful, scanned, gains)
      let logs = Dictionary(grouping: options.finder.logs(names.habits), by: \.habitId)
      names.match { key, habit in
        // Days that the table does not have say nothing.
        let known = (logs[habit.id] ?? []).filter { days.contains($0.day) }
          .compactMap { log in HabitMark(log).map { (log.day, $0) } }
        guard !known.isEmpty else { return nil }
        let agreeing = known.reduce(0) { count, known in
          let texts = marks[key]?[known.0] ?? []
          return count + (texts.contains { mark($0, habit) == known.1 } ? 1 : 0)
        }
        return NumberedNames.Difference(differing: known.count - agreeing, agreeing: agreeing)
      }
    }
    for (key, name) in names.all { summaries[key]?.name = name }
  }

  /// The texts of the marks of some habits by day, and the days of all rows.
  private func marks(
    of keys: Set<String>, _ scanned: ScannedTable, _ gains: Set<Int>
  ) -> (marks: [String: [CivilDay: Set<String>]], days: Set<CivilDay>) {
    var (marks, days) = ([String: [CivilDay: Set<String>]](), Set<CivilDay>())
    let columns = known.format == .habitica ? [] : keys.sorted()
    for row in scanned.wholeRows {
      var reader = scanned.reader(row)
      guard let day = reader.day("day") else { continue }
      days.insert(day)
      for column in columns {
        if let text = reader.raw(column) { marks[column, default: [:]][day, default: []].insert(text) }
      }
      guard known.format == .habitica, let task = reader.raw("task"), keys.contains(task),
        gains.contains(reader.row) || summaries[task]?.worth.map(HabitSubjects.countsEach) ?? false
      else { continue }
      marks[task, default: [:]][day, default: []].insert("")
    }
    return (marks, days)
  }

  /// The mark of such a text.
  private func mark(_ text: String, _ habit: Habit) -> HabitMark? {
    known.format == .habitica ? .value(Decimal(1)) : .loop(text, isNumeric: habit.measure == .numeric)
  }

  /// Whether each logged day of a task with values in this range is a completion, since they only rise or only fall.
  private static func countsEach(_ worth: ClosedRange<Double>) -> Bool { worth.upperBound <= 0 || worth.lowerBound > 0 }

  private mutating func add(marksOf reader: RowReader, _ fields: [String]) {
    for field in fields {
      guard let text = reader.raw(field) else { continue }
      if HabitMark.isAmount(text) { summaries[field]?.isNumeric = true }
      if text == "YES_AUTO" || text == "1" { add(known: reader, field) }
    }
  }

  private mutating func add(_ reader: RowReader) {
    let isOurs = known.format == .daybook
    guard let key = HabitSubjects.key(reader, options, isOurs: isOurs) else { return }
    let name = (isOurs ? reader.trimmed("habit") : reader.raw("habit")) ?? options.habit ?? ""
    add(
      key, name: isOurs ? CellText.restored(name).trimmedCell : name,
      id: isOurs ? reader.raw("habitId").flatMap { EntityID($0) } : nil)
    if let note = reader.raw("description") {
      summaries[key]?.note = String(String.UnicodeScalarView(note.unicodeScalars.prefix(10000)))
    }
    if let tag = reader.raw("category") { summaries[key]?.tag = String(tag.unicodeScalars.prefix(50)).trimmedCell }
    if known.name == KnownHabitTable.entriesName {
      guard let text = reader.raw("value") else { return }
      if HabitMark.isAmount(text) { summaries[key]?.isNumeric = true }
      if text == "YES_AUTO" || text == "1" { add(known: reader, key) }
    } else if known.format == .habitica {
      guard reader.raw("type") == "habit", let worth = reader.raw("worth").flatMap({ Double($0) }), worth.isFinite
      else {
        return
      }
      let before = summaries[key]?.worth ?? worth...worth
      summaries[key]?.worth = min(before.lowerBound, worth)...max(before.upperBound, worth)
    } else if let text = reader.raw("value"), HabitMark.word(text) == nil {
      let readings = NumberText.reading(text, mark: reader.style.mark).readings
      if let number = readings.first, number > .zero, number != Decimal(1) { summaries[key]?.isNumeric = true }
    }
  }

  private mutating func add(known reader: RowReader, _ key: String) {
    var reader = reader
    guard let day = reader.day("day") else { return }
    let first = min(summaries[key]?.known ?? day, day)
    summaries[key]?.known = first
  }

  /// Whether a habit starts with its first log. Daybook's own tables state the start of each habit.
  private func isOpen(_ habit: Habit) -> Bool { known.format != .daybook && options.finder.isOpen(habit) }

  private mutating func subject(_ summary: Summary, order: Int, _ taken: Set<EntityID>) -> HabitSubject {
    if let id = summary.id, let habit = options.finder.habit(id) {
      return HabitSubject(habit, isNew: false, isOpen: isOpen(habit))
    }
    let (identity, imported) = options.finder.imported(summary.name)
    let called = imported == nil ? options.finder.called(summary.name) : nil
    let found = imported ?? called.flatMap { taken.contains($0.id) ? nil : $0 }
    let isBad = summary.worth.map { $0.upperBound <= 0 } ?? false
    let countsEach = summary.worth.map(HabitSubjects.countsEach) ?? false
    if let found {
      let isNoted = summary.id != nil || imported != nil
      return HabitSubject(
        found, isNew: false, isOpen: isOpen(found), link: isNoted ? nil : identity, known: summary.known,
        countsEach: countsEach)
    }
    var habit = HabitDrafts.blankHabit(made.distinct(summary.name), options.today)
    habit.id = summary.id ?? identity
    habit.order = order
    if summary.isNumeric { habit.measure = .numeric }
    if isBad { habit.kind = .bad }
    habit.note = summary.note
    habit.tags = summary.tag.flatMap { $0.isVisible ? [$0] : nil }
    return HabitSubject(habit, isNew: true, isOpen: true, known: summary.known, countsEach: countsEach)
  }
}
