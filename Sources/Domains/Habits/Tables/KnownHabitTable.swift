import DaybookProtocol
import Tables

/// A kind of table that Daybook or another program exports.
package struct KnownHabitTable: KnownTable {
  package let format: HabitTableFormat
  /// The name of the table among those of its program.
  package let name: String
  package let kind: HabitTableKind
  package let shape: TableShape

  private init(
    _ format: HabitTableFormat, _ name: String, _ kind: HabitTableKind, signature: [String], _ fields: [TableField]
  ) {
    self.format = format
    self.name = name
    self.kind = kind
    shape = TableShape(
      signature: signature, fields: fields, isAnybodys: format == .other,
      // Loop writes its habits' targets as Java does, in every language.
      hasPoints: format == .daybook || format == .loop && kind == .habits,
      days: ["day", "startDay", "endDay", "archivedDay"], numbers: format == .loop ? [] : ["value", "target"])
  }

  package var raggedHint: String? {
    name == KnownHabitTable.checkmarksName
      ? "a name with a comma needs quotes, unless a habit with this name exists" : nil
  }

  static let checkmarksName = "checkmarks"
  static let entriesName = "entries"

  /// All kinds, most specific first. A generic table needs no habit column when the request names the habit.
  static func all(hasHabit: Bool) -> [KnownHabitTable] {
    [ourHabits, ourLogs, loopHabits, formerLoopHabits, loopEntries, habitBull, habitica, other(hasHabit: hasHabit)]
  }

  private static let ourHabits = KnownHabitTable(
    .daybook, "habits", .habits, signature: ["name", "measure", "schedule", "startday"],
    [TableField("id", ["id"])]
      + HabitColumns.all.map { TableField($0.field, [$0.field], isRequired: $0.field == "name") })

  private static let ourLogs = KnownHabitTable(
    .daybook, "logs", .logs, signature: ["day", "habitid"],
    [TableField("id", ["id"]), TableField("habit", ["habit"])]
      + HabitLogColumns.all.map {
        TableField($0.field, [$0.field], isRequired: $0.field == "day", sharing: $0.field == "at" ? "day" : nil)
      })

  private static let loopFields = [
    TableField("name", ["Name"], isRequired: true), TableField("type", ["Type"]), TableField("question", ["Question"]),
    TableField("description", ["Description"]),
    TableField("times", ["FrequencyNumerator", "NumRepetitions"], isRequired: true),
    TableField("days", ["FrequencyDenominator", "Interval"], isRequired: true), TableField("colour", ["Color"]),
    TableField("unit", ["Unit"]), TableField("targetType", ["Target Type"]), TableField("target", ["Target Value"]),
    TableField("archived", ["Archived?", "Archived"]),
  ]

  private static let loopHabits = KnownHabitTable(
    .loop, "habits", .habits, signature: ["name", "frequencynumerator", "frequencydenominator"], loopFields)

  /// Loop's form before version 2.
  private static let formerLoopHabits = KnownHabitTable(
    .loop, "habits", .habits, signature: ["name", "numrepetitions", "interval"], loopFields)

  /// The marks of one habit, with notes.
  private static let loopEntries = KnownHabitTable(
    .loop, entriesName, .logs, signature: ["date", "value", "notes"],
    [
      TableField("day", ["Date"], isRequired: true), TableField("value", ["Value"], isRequired: true),
      TableField("note", ["Notes"]),
    ])

  /// The marks of all habits, one column each.
  static func checkmarks(_ habits: [String]) -> KnownHabitTable {
    KnownHabitTable(
      .loop, checkmarksName, .logs, signature: ["date"],
      [TableField("day", ["Date"], isRequired: true)] + habits.map { TableField($0) })
  }

  private static let habitBull = KnownHabitTable(
    .habitBull, "logs", .logs, signature: ["habitname", "calendardate", "value"],
    [
      TableField("habit", ["HabitName"], isRequired: true), TableField("description", ["HabitDescription"]),
      TableField("category", ["HabitCategory"]), TableField("day", ["CalendarDate"], isRequired: true),
      TableField("value", ["Value"], isRequired: true), TableField("note", ["CommentText"]),
    ])

  private static let habitica = KnownHabitTable(
    .habitica, "history", .logs, signature: ["task name", "task id", "task type", "date", "value"],
    [
      TableField("habit", ["Task Name"], isRequired: true), TableField("task", ["Task ID"], isRequired: true),
      TableField("type", ["Task Type"], isRequired: true), TableField("day", ["Date"], isRequired: true),
      TableField("worth", ["Value"], isRequired: true),
    ])

  private static func other(hasHabit: Bool) -> KnownHabitTable {
    KnownHabitTable(
      .other, "logs", .logs, signature: [],
      [
        TableField(
          "habit", ["Habit", "Habit Name", "HabitName", "Name", "Activity", "Task", "Title"], isRequired: !hasHabit),
        TableField(
          "day", ["Day", "Date", "CalendarDate", "Completed At", "Completed On", "Timestamp", "Datum"], isRequired: true
        ),
        TableField("value", ["Value", "Count", "Amount", "Quantity", "Completed", "Done", "Status", "Result", "Wert"]),
        TableField("skipped", ["Skipped", "Skip"]), TableField("at", ["Time", "At"], sharing: "day"),
        TableField("note", ["Note", "Notes", "Comment", "CommentText", "Comments"]),
      ])
  }
}
