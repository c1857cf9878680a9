import DaybookProtocol
import Habits
import Tables

/// Reads rows of logs.
extension HabitDrafts {
  /// A log of Daybook's own table.
  mutating func ourLog(_ reader: inout RowReader) -> ImportedRow<HabitDraft> {
    let id = reader.id("id")
    var log = blank(options.today)
    let columns = HabitLogColumns.all.filter { column in
      mapping.columns[column.field] != nil && (column.field != "habitId" || reader.raw("habitId") != nil)
        && (column.field != "zone" || reader.raw("zone") != nil)
    }
    for column in columns { column.read(&reader, &log) }
    guard let subject = subject(&reader), reader.problems.isEmpty else { return refused(reader) }
    log.habitId = subject.habit.id
    HabitDrafts.note(HabitLogRules.refusal(of: log), &reader)
    return row(log, subject, id: id, Set(columns.map(\.field)).union(["habitId"]), &reader)
  }

  /// A log of another program, or all marks of a day.
  mutating func log(_ reader: inout RowReader) -> ImportedRow<HabitDraft> {
    // A habit may be called “Total”, and then has days.
    if reader.isTotal("day") || reader.isTotalOfPeriod("habit")
      || reader.isTotal("habit") && (hasTotals || reader.raw("day") == nil)
    {
      reader.ignore(.total)
      return ignored(reader)
    }
    if known.name == KnownHabitTable.checkmarksName { return marks(&reader) }
    if known.format == .habitica, let type = reader.raw("type"), type != "habit", type != "daily" {
      return ignored(reader)
    }
    let day = pastDay(&reader)
    guard let subject = subject(&reader) else { return refused(reader) }
    let mark = mark(&reader, subject)
    let (note, at) = (reader.text("note", longest: 10000), reader.time("at", behind: day).time)
    guard let day, let mark, reader.problems.isEmpty else { return refused(reader) }
    guard var log = log(mark, subject, day.day) ?? note.map({ _ in blank(day.day) }) else { return ignored(reader) }
    log.habitId = subject.habit.id
    (log.note, log.at) = (note, at)
    HabitDrafts.note(HabitLogRules.refusal(of: log), &reader)
    var covered: Set = ["day", "habitId", "value", "skipped"]
    if note != nil { covered.insert("note") }
    if at != nil { covered.insert("at") }
    return row(log, subject, id: nil, day: day, covered, &reader)
  }

  /// A row of Loop's checkmarks, with one mark per habit.
  private mutating func marks(_ reader: inout RowReader) -> ImportedRow<HabitDraft> {
    let day = pastDay(&reader)
    var marks: [(HabitLog, HabitSubject, String)] = []
    for field in known.shape.fields.dropFirst().map(\.name) {
      guard let text = reader.raw(field), let subject = subjects[field] else { continue }
      guard let mark = HabitMark.loop(text, isNumeric: subject.habit.measure == .numeric) else {
        reader.refuse(.unknownValue, field, "it is not a mark of Loop's", allowed: HabitMark.loopAllowed)
        continue
      }
      guard let day, let log = log(mark, subject, day.day) else { continue }
      check(subject, field, &reader)
      marks.append((log, subject, text))
    }
    marksLeft -= marks.count
    if marksLeft < 0 { reader.refuse(.outOfRange, nil, "there are too many marks", allowed: "fewer rows") }
    guard reader.problems.isEmpty else { return refused(reader) }
    guard !marks.isEmpty else { return ignored(reader) }
    var rows: [ImportedRow<HabitDraft>] = []
    for (log, subject, text) in marks {
      rows.append(row(log, subject, id: nil, ["day", "habitId", "value", "skipped"], content: .cell(text), &reader))
    }
    return ImportedRow(number: reader.row, content: .draft(.several(rows)))
  }

  /// The mark in a row of another program; nil when it is refused.
  private mutating func mark(_ reader: inout RowReader, _ subject: HabitSubject) -> HabitMark? {
    if known.format == .habitica { return habiticaMark(&reader, subject) }
    let text = reader.raw("value")
    if known.name == KnownHabitTable.entriesName {
      let mark = HabitMark.loop(text ?? "UNKNOWN", isNumeric: subject.habit.measure == .numeric)
      if mark == nil {
        reader.refuse(.unknownValue, "value", "it is not a mark of Loop's", allowed: HabitMark.loopAllowed)
      }
      return mark
    }
    if reader.flag("skipped") == true { return .skip }
    // HabitBull's value for a day without data.
    if known.format == .habitBull, text == "-2150000000" { return .unknown }
    guard let text else {
      if mapping.columns["value"] == nil { return .value(Decimal(1)) }
      // A word for no value says that there is none; an empty cell may have been forgotten.
      let isSaid = known.format == .other && reader.trimmed("value") != nil
      if reader.raw("note") == nil, !isSaid {
        reader.refuse(.missing, "value", "it is empty", allowed: Amounts.allowed)
      }
      return .unknown
    }
    if let word = HabitMark.word(text) { return word }
    return reader.number("value", in: Amounts.range, allowed: Amounts.allowed) { $0.scale <= 3 ? $0 : nil }
      .map { .value($0) }
  }

  /// Habitica logs a task's value after each completion and every night.
  private mutating func habiticaMark(_ reader: inout RowReader, _ subject: HabitSubject) -> HabitMark? {
    guard let text = reader.raw("worth") else {
      reader.refuse(.missing, "worth", "it is empty", allowed: "a number with a decimal point")
      return nil
    }
    guard let value = Double(text), value.isFinite, reader.raw("task") != nil else {
      reader.refuse(.notANumber, "worth", "it is not a number", allowed: "a number with a decimal point")
      return nil
    }
    return subject.countsEach || gains.contains(reader.row) ? .value(Decimal(1)) : .unknown
  }

  private mutating func subject(_ reader: inout RowReader) -> HabitSubject? {
    let subject = HabitSubjects.key(reader, options, isOurs: known.format == .daybook).flatMap { subjects[$0] }
    guard let subject, subject.habit.name.isVisible else {
      if reader.problems.isEmpty {
        reader.refuse(.missing, "habit", "the name of the habit is missing", allowed: "1 to 200 characters")
      }
      return nil
    }
    check(subject, "habit", &reader)
    return subject
  }

  private func check(_ subject: HabitSubject, _ field: String, _ reader: inout RowReader) {
    guard subject.isNew, subject.habit.name.unicodeScalars.count > 200 else { return }
    reader.refuse(.tooLong, field, "the name of the habit is too long", allowed: "1 to 200 characters")
  }

  /// Reads a day no later than tomorrow, as it may be that day elsewhere on Earth.
  private func pastDay(_ reader: inout RowReader) -> CellDay? {
    guard let day = reader.moment("day") else { return nil }
    if day.day > options.today.advanced(by: 1) {
      reader.refuse(.outOfRange, "day", "it is in the future", allowed: "a day up to \(options.today)")
      return nil
    }
    return day
  }

  private func blank(_ day: CivilDay) -> HabitLog {
    HabitLog(
      id: EntityID(high: 0, low: 0), day: day, zone: options.zone, habitId: EntityID(high: 0, low: 0),
      createdAt: Instant(milliseconds: 0), updatedAt: Instant(milliseconds: 0))
  }

  /// The log for a mark; nil for marks without one.
  private func log(_ mark: HabitMark, _ subject: HabitSubject, _ day: CivilDay) -> HabitLog? {
    var log = blank(day)
    log.habitId = subject.habit.id
    switch mark {
    case .unknown, .automatic: return nil
    case .skip: log.skipped = true
    case .value(let value): log.value = value
    }
    return log
  }

  /// - Parameter day: The cell of the day, if the row's id is derived from it.
  private mutating func row(
    _ log: HabitLog, _ subject: HabitSubject, id: EntityID?, day: CellDay? = nil, _ covered: Set<String>,
    content: RowKeys.Content = .cells, _ reader: inout RowReader
  ) -> ImportedRow<HabitDraft> {
    guard reader.problems.isEmpty else { return refused(reader) }
    return keys.row(
      .log(log, of: subject, covered: covered), id: id, key: ["\(log.habitId)", "\(day?.keyDay ?? log.day)"],
      of: ["habit logs"], content: content, &reader)
  }

  private func refused(_ reader: RowReader) -> ImportedRow<HabitDraft> {
    ImportedRow(number: reader.row, content: .refused)
  }

  private func ignored(_ reader: RowReader) -> ImportedRow<HabitDraft> {
    ImportedRow(number: reader.row, content: .ignored)
  }
}
