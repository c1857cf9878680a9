import DaybookProtocol
import Habits
import Tables

/// Reads the rows of a table as habits and logs.
struct HabitDrafts: RowDrafts {
  let known: KnownHabitTable
  let options: HabitTableOptions
  let mapping: ColumnMapping
  var keys = RowKeys()
  /// The names of the rows of habits of another program, by their numbers.
  private var names: [String: String] = [:]
  /// The ids stated in Daybook's own table.
  private let statedIDs: Set<EntityID>
  private var holders: Set<String> = []
  /// The habits of a log table, by their key in the table.
  let subjects: [String: HabitSubject]
  /// The remaining number of marks allowed.
  var marksLeft: Int
  /// The numbers of the rows of Habitica's after which a task is worth more.
  let gains: Set<Int>
  /// Whether rows of a habit called “Total” sum up the others of their day.
  let hasTotals: Bool

  init(_ known: KnownHabitTable, _ scanned: ScannedTable, _ options: HabitTableOptions, maxMarks: Int) {
    self.known = known
    marksLeft = maxMarks
    self.options = options
    mapping = scanned.mapping
    let gains = known.format == .habitica ? HabitRowOrder.gains(scanned) : []
    self.gains = gains
    subjects = known.kind == .logs ? HabitSubjects(known, scanned, options, gains: gains).all : [:]
    hasTotals = known.kind == .logs && known.format != .daybook && HabitRowOrder.hasTotals(scanned)
    statedIDs =
      known.format == .daybook && known.kind == .habits
      ? Set(scanned.rows.compactMap { scanned.reader($0).raw("id").flatMap { EntityID($0) } }) : []
    if known.kind == .habits, known.format != .daybook { names = habitNames(scanned) }
  }

  /// The names of the rows of habits: which of several with one name each is.
  private func habitNames(_ scanned: ScannedTable) -> [String: String] {
    var entries: [(key: String, name: String)] = []
    for row in scanned.wholeRows {
      var reader = scanned.reader(row)
      guard let name = reader.text("name", longest: 200, isRequired: true) else { continue }
      entries.append(("\(reader.row)", name))
    }
    var names = NumberedNames(entries, options.finder)
    let doubtful = names.doubtful
    guard !doubtful.isEmpty else { return names.all }
    var rows: [String: (habit: Habit, covered: Set<String>)] = [:]
    for row in scanned.wholeRows {
      var reader = scanned.reader(row)
      guard doubtful.contains("\(reader.row)") else { continue }
      rows["\(reader.row)"] = habit("", &reader)
    }
    names.match { key, known in
      guard let (habit, covered) = rows[key] else { return nil }
      let differing = HabitTarget.differences(of: known, from: habit, covered).count
      return NumberedNames.Difference(differing: differing, agreeing: covered.count - differing)
    }
    return names.all
  }

  /// Reads a row; problems are recorded in the reader.
  mutating func draft(_ reader: inout RowReader) -> ImportedRow<HabitDraft> {
    switch (known.kind, known.format) {
    case (.habits, .daybook): ourHabit(&reader)
    case (.habits, _): loopHabit(&reader)
    case (_, .daybook): ourLog(&reader)
    default: log(&reader)
    }
  }

  /// A habit with default values.
  static func blankHabit(_ name: String, _ today: CivilDay) -> Habit {
    Habit(
      id: EntityID(high: 0, low: 0), name: name, colour: HabitRules.defaultColour, kind: .good, measure: .binary,
      target: Decimal(1), schedule: HabitSchedule(kind: .daily), startDay: today, order: 0,
      createdAt: Instant(milliseconds: 0), updatedAt: Instant(milliseconds: 0))
  }

  private mutating func ourHabit(_ reader: inout RowReader) -> ImportedRow<HabitDraft> {
    let id = reader.id("id")
    var habit = HabitDrafts.blankHabit("", options.today)
    let columns = HabitColumns.all.filter { mapping.columns[$0.field] != nil }
    for column in columns { column.read(&reader, &habit) }
    if reader.problems.isEmpty { HabitDrafts.note(HabitRules.refusal(of: habit), &reader) }
    if reader.problems.isEmpty, habit.archivedDay == nil {
      let name = HabitRules.nameKey(habit)
      let holder = options.finder.holders[name]
      let isHeld = id != nil && holder != nil && holder != id && !(holder.map(statedIDs.contains) ?? false)
      if !holders.insert(name).inserted || isHeld {
        reader.refuse(
          .repeated, "name", "another habit has the same name, category and unit",
          allowed: "a name that no other active habit has")
      }
    }
    return row(habit, id: id, Set(columns.map(\.field)), &reader)
  }

  private mutating func loopHabit(_ reader: inout RowReader) -> ImportedRow<HabitDraft> {
    if reader.raw("name") == nil, reader.raw("times") == nil {
      return ImportedRow(number: reader.row, content: .ignored)
    }
    let name = reader.text("name", longest: 200, isRequired: true).map { names["\(reader.row)"] ?? $0 } ?? ""
    let (habit, covered) = habit(name, &reader)
    if reader.problems.isEmpty { HabitDrafts.note(HabitRules.refusal(of: habit), &reader) }
    return row(habit, id: nil, covered, &reader)
  }

  /// The habit of a row of Loop's, and the members that the row covers.
  private func habit(_ name: String, _ reader: inout RowReader) -> (habit: Habit, covered: Set<String>) {
    var habit = HabitDrafts.blankHabit(name, options.today)
    habit.question = reader.text("question", longest: 200)
    habit.note = reader.text("description", longest: 10000)
    if let colour = reader.raw("colour") { habit.colour = colour.uppercased() }
    if let schedule = loopSchedule(&reader) { habit.schedule = schedule }
    switch reader.raw("type").map({ TableHeader.key($0) }) {
    case nil, "yes no"?: break
    case "numerical"?: loopTarget(&reader, &habit)
    default: reader.refuse(.unknownValue, "type", "it is not a type of Loop's", allowed: "YES_NO, NUMERICAL")
    }
    if reader.flag("archived") == true { habit.archivedDay = options.today }
    return (habit, Set(HabitDrafts.loopMembers.filter { reader.raw($0.field) != nil }.flatMap(\.members)))
  }

  /// The members that each Loop field covers. Empty cells cover nothing, and the name remains the user's once the habit
  /// exists.
  private static let loopMembers: [(field: String, members: [String])] = [
    ("question", ["question"]), ("description", ["note"]), ("colour", ["colour"]),
    ("type", ["measure", "kind", "unit", "target", "inclusive"]), ("times", ["schedule", "targetDays"]),
    ("archived", [HabitTarget.archived]),
  ]

  /// Loop's “x times in y days”.
  private func loopSchedule(_ reader: inout RowReader) -> HabitSchedule? {
    func whole(_ field: String) -> Int? {
      reader.number(
        field, in: Decimal(1)...Decimal(400), allowed: "a whole number from 1 to 400", isRequired: true
      ) { $0.normalized.scale == 0 ? $0 : nil }?.units(ofScale: 0).map { Int($0) }
    }
    guard let times = whole("times"), let days = whole("days") else { return nil }
    return times >= days ? HabitSchedule(kind: .daily) : HabitSchedule(kind: .perDays, times: times, days: days)
  }

  /// Reads the unit and target of a numerical Loop habit, whose target is for all days of its interval together.
  private func loopTarget(_ reader: inout RowReader, _ habit: inout Habit) {
    habit.measure = .numeric
    if habit.schedule.kind == .perDays {
      (habit.targetDays, habit.schedule) = (habit.schedule.days, HabitSchedule(kind: .daily))
    }
    habit.unit = reader.text("unit", longest: 50)
    let least = Decimal(significand: 1, scale: 3) ?? Decimal(1)
    let allowed = "a number from 0 to 999999"
    let target = reader.number("target", in: Decimal(0)...Decimal(999_999), allowed: allowed, isRequired: true) {
      $0.rounded(toScale: 3)?.normalized
    }
    switch reader.raw("targetType").map({ TableHeader.key($0) }) {
    case nil, "at least"?: habit.target = max(target ?? least, least)
    case "at most"?:
      // Loop allows the target itself.
      (habit.kind, habit.target, habit.inclusive) = (.bad, target ?? Decimal(1), true)
    default: reader.refuse(.unknownValue, "targetType", "it is not a kind of target", allowed: "AT_LEAST, AT_MOST")
    }
  }

  private mutating func row(
    _ habit: Habit, id: EntityID?, _ covered: Set<String>, _ reader: inout RowReader
  ) -> ImportedRow<HabitDraft> {
    guard reader.problems.isEmpty else { return ImportedRow(number: reader.row, content: .refused) }
    return keys.row(
      .habit(habit, covered: covered), id: id, key: HabitNames.key(habit.name), of: HabitNames.table, content: .key,
      &reader)
  }

  /// Records the refusal of a rule.
  static func note(_ refusal: Refusal?, _ reader: inout RowReader) {
    guard let refusal else { return }
    let field = refusal.pointer.split(separator: "/").first.map(String.init)
    reader.refuse(TableProblemKind(refusal.rule), field, refusal.message, allowed: refusal.allowed)
  }
}
