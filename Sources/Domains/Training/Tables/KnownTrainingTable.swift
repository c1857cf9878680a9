import DaybookProtocol
import Tables

/// A table of sets as a known program exports it.
package struct KnownTrainingTable: KnownTable {
  /// The program that exports it.
  package let format: TrainingTableFormat
  package let shape: TableShape

  private init(
    _ format: TrainingTableFormat, signature: [String], stated: [String]? = nil, telling: Set<String> = [],
    _ fields: [TableField]
  ) {
    self.format = format
    shape = TableShape(
      signature: signature, statedSignature: stated, fields: fields, telling: telling, isAnybodys: format == .other,
      hasPoints: format == .daybook, days: ["day", "start"],
      numbers: KnownTrainingTable.numbers)
  }

  /// The source recorded in imported sessions.
  var program: String? {
    switch format {
    case .strong: "Strong"
    case .hevy: "Hevy"
    case .fitNotes: "FitNotes"
    case .other: "table"
    case .auto, .daybook: nil
    }
  }

  /// Whether its rows are in the order in which the sets were done, with set numbers.
  var keepsOrder: Bool { format == .strong || format == .hevy }

  /// All known tables, those with the more specific signature first.
  static let all = [ours, strong, hevy, fitNotes, other]

  private static let ours = KnownTrainingTable(
    .daybook, signature: ["session", "place", "setdetails"], telling: ["sessiondetails", "exercisedetails"],
    SessionColumns.fields)

  /// The measures of a set in all tables except our own.
  private static let measures: [TableField] =
    MeasureColumn<WeightUnit>.weights.map { TableField($0.field, $0.headers) }
    + MeasureColumn<DistanceUnit>.distances.map { TableField($0.field, $0.headers) }
    + [
      TableField("weightUnit", ["Weight Unit", "Unit"]), TableField("distanceUnit", ["Distance Unit"]),
      TableField("reps", ["Reps", "Repetitions"]),
      TableField("seconds", ["Seconds", "duration_seconds", "Time", "Set Time"]), TableField("rpe", ["RPE"]),
    ]

  private static let numbers =
    MeasureColumn<WeightUnit>.weights.map(\.field) + MeasureColumn<DistanceUnit>.distances.map(\.field) + [
      "order", "reps", "rpe",
    ]

  /// Strong. Its format has changed over time: `Workout #` and seconds with semicolons, and units in columns of their
  /// own or in the headers.
  private static let strong = KnownTrainingTable(
    .strong, signature: ["date", "workout name", "exercise name", "set order"], stated: ["date", "exercise name"],
    [
      TableField("start", ["Date"], isRequired: true), TableField("workout", ["Workout Name"]),
      TableField("exercise", ["Exercise Name"], isRequired: true), TableField("order", ["Set Order"]),
      TableField("workoutNote", ["Workout Notes"]), TableField("note", ["Notes"]),
      TableField("duration", ["Duration", "Workout Duration"]),
    ] + measures)

  private static let hevy = KnownTrainingTable(
    .hevy, signature: ["title", "start time", "exercise title", "set type"], stated: ["start time", "exercise title"],
    telling: ["exercise title"],
    [
      TableField("start", ["start_time"], isRequired: true), TableField("end", ["end_time"]),
      TableField("workout", ["title"]), TableField("exercise", ["exercise_title"], isRequired: true),
      TableField("order", ["set_index"]), TableField("kind", ["set_type"]),
      TableField("superset", ["superset_id", "supersets_id"]), TableField("note", ["exercise_notes"]),
      TableField("workoutNote", ["description"]),
    ] + measures)

  private static let fitNotes = KnownTrainingTable(
    .fitNotes, signature: ["date", "exercise", "category", "reps"], stated: ["date", "exercise"],
    [
      TableField("start", ["Date"], isRequired: true), TableField("exercise", ["Exercise"], isRequired: true),
      TableField("note", ["Comment", "Notes"]), TableField("kind", ["Kind"]),
    ] + measures)

  private static let other = KnownTrainingTable(
    .other, signature: [],
    [
      TableField("start", ["Date", "Day", "Start", "Start Time", "Datum", "Timestamp"], isRequired: true),
      TableField("exercise", ["Exercise", "Exercise Name", "Movement", "Lift"], isRequired: true),
      TableField("workout", ["Workout", "Workout Name", "Session", "Routine"]), TableField("end", ["End", "End Time"]),
      TableField("kind", ["Set Type", "Kind", "Type"]), TableField("superset", ["Superset"]),
      TableField("note", ["Note", "Notes", "Comment", "Comments"]), TableField("workoutNote", ["Workout Notes"]),
      TableField("duration", ["Duration", "Workout Duration"]),
    ] + measures)
}

/// A column of weights or distances, with its unit; nil when the unit is in another column.
struct MeasureColumn<Unit: Sendable>: Sendable {
  let field: String
  let unit: Unit?
  let headers: [String]
}

extension MeasureColumn<WeightUnit> {
  /// Columns with a unit come first: some tables have several columns and fill one.
  static let weights = [
    MeasureColumn(field: "weightKg", unit: .kg, headers: ["weight_kg", "Weight (kg)", "Weight (kgs)", "kg"]),
    MeasureColumn(field: "weightLb", unit: .lb, headers: ["weight_lbs", "Weight (lbs)", "Weight (lb)", "lbs"]),
    MeasureColumn(field: "weight", unit: nil, headers: ["Weight", "Load"]),
  ]

  /// The unit of a cell such as `kgs` or `lbs.`.
  static func unit(_ text: String) -> WeightUnit? {
    switch UnitText.plain(text) {
    case "kg", "kgs", "kilogram", "kilograms": .kg
    case "lb", "lbs", "pound", "pounds": .lb
    default: nil
    }
  }
}

extension MeasureColumn<DistanceUnit> {
  static let distances = [
    MeasureColumn(field: "distanceKm", unit: .km, headers: ["distance_km", "Distance (km)", "Distance (kilometers)"]),
    MeasureColumn(field: "distanceMi", unit: .mi, headers: ["distance_miles", "Distance (miles)", "Distance (mi)"]),
    MeasureColumn(field: "distanceM", unit: .m, headers: ["distance_meters", "Distance (meters)", "Distance (m)"]),
    MeasureColumn(field: "distance", unit: nil, headers: ["Distance"]),
  ]

  /// The unit of a cell such as `miles` or `mi.`.
  static func unit(_ text: String) -> DistanceUnit? {
    switch UnitText.plain(text) {
    case "m", "meter", "meters", "metre", "metres": .m
    case "km", "kms", "kilometer", "kilometers", "kilometres": .km
    case "mi", "mile", "miles": .mi
    case "yd", "yds", "yard", "yards": .yd
    default: nil
    }
  }
}

private enum UnitText {
  /// A unit in lower case without the point of an abbreviation.
  static func plain(_ text: String) -> String {
    let text = text.lowercased()
    return text.last == "." ? String(text.dropLast()) : text
  }
}
