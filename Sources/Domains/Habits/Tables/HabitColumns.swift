import DaybookProtocol
import Tables

/// The columns of the habit table: everything except creation and update times.
enum HabitColumns {
  static let all: [EntityColumn<Habit>] = [
    EntityColumn("name", \.name, .text(200)),
    EntityColumn(optional: "question", \.question, .text(200)),
    EntityColumn(optional: "icon", \.icon, .text(64)),
    EntityColumn("colour", \.colour, .text(7)),
    EntityColumn("kind", \.kind, .name(HabitKind.known) { $0.rawValue }),
    EntityColumn("measure", \.measure, .name(HabitMeasure.known) { $0.rawValue }),
    EntityColumn(optional: "unit", \.unit, .text(50)),
    EntityColumn("target", \.target, .amount),
    EntityColumn("schedule", \.schedule, .words(ScheduleText.allowed, ScheduleText.text, ScheduleText.schedule)),
    EntityColumn("startDay", \.startDay, .day),
    EntityColumn(optional: "endDay", \.endDay, .day),
    EntityColumn(optional: "categoryId", \.categoryId, .id),
    EntityColumn(optional: "tags", \.tags, .words("words separated by semicolons", TagsText.text, TagsText.tags)),
    EntityColumn("order", \.order, .whole(0...1_000_000)),
    EntityColumn(optional: "pinned", \.pinned, .flag),
    EntityColumn(
      optional: "reminders", \.reminders,
      .words(HabitRemindersText.allowed, HabitRemindersText.text, HabitRemindersText.reminders)),
    EntityColumn(
      optional: "place", \.place,
      .words("the JSON of a place", { String(decoding: $0.json, as: UTF8.self) }) {
        try? HabitPlace(json: Array($0.utf8))
      }
    ),
    EntityColumn(optional: "source", \.source, .name(DayMeasureName.known) { $0.rawValue }),
    EntityColumn(optional: "note", \.note, .verbatim(10000)),
    EntityColumn(
      optional: "pauses", \.pauses, .words(HabitPausesText.allowed, HabitPausesText.text, HabitPausesText.pauses)),
    EntityColumn(optional: "archivedDay", \.archivedDay, .day),
    EntityColumn(optional: "suggestionId", \.suggestionId, .verbatim(100)),
    EntityColumn(optional: "inclusive", \.inclusive, .flag),
    EntityColumn(optional: "targetDays", \.targetDays, .whole(2...400)),
  ]
}

/// The columns of the log table, except the names of the habits.
enum HabitLogColumns {
  static let all: [EntityColumn<HabitLog>] = [
    EntityColumn("day", \.day, .day),
    EntityColumn("habitId", \.habitId, .id),
    EntityColumn(optional: "value", \.value, .amount),
    EntityColumn(optional: "skipped", \.skipped, .flag),
    EntityColumn(optional: "at", \.at, .time),
    EntityColumn(optional: "note", \.note, .verbatim(10000)),
    EntityColumn(
      "zone", \.zone, .words("an IANA zone name", kind: .unknownValue, { "\($0)" }, { TimeZoneName($0) })),
  ]
}

/// The export of habits.
extension TableExport<Habit> {
  package static func habits(hasMark: Bool = false) -> TableExport {
    TableExport(header: ["id"] + HabitColumns.all.map(\.field), hasMark: hasMark) { habit, writer in
      writer.plain("\(habit.id)")
      for column in HabitColumns.all { column.write(habit, &writer) }
    }
  }
}

/// The export of logs.
extension TableExport<HabitLog> {
  /// - Parameter names: The names of the existing habits.
  package static func habitLogs(_ names: [EntityID: String], hasMark: Bool = false) -> TableExport {
    TableExport(header: ["id", "habit"] + HabitLogColumns.all.map(\.field), hasMark: hasMark) { log, writer in
      writer.plain("\(log.id)")
      writer.text(names[log.habitId])
      for column in HabitLogColumns.all { column.write(log, &writer) }
    }
  }
}
