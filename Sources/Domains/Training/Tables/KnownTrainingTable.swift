import DaybookProtocol
import Tables

/// A table of sets that some program exports.
package struct KnownTrainingTable: KnownTable {
  /// Whose it is.
  package let format: TrainingTableFormat
  package let shape: TableShape

  private init(
    _ format: TrainingTableFormat, signature: [String], stated: [String]? = nil, telling: Set<String> = [],
    _ fields: [TableField]
  ) {
    self.format = format
    shape = TableShape(
      signature: signature, statedSignature: stated, fields: fields, telling: telling, isAnybodys: format == .other,
      isOurs: format == .daybook, days: ["day", "start"],
      numbers: KnownTrainingTable.numbers)
  }

  /// What sessions out of it say where they came from, and are called when it does not say.
  var program: String? {
    switch format {
    case .strong: "Strong"
    case .hevy: "Hevy"
    case .fitNotes: "FitNotes"
    case .other: "table"
    case .auto, .daybook: nil
    }
  }

  /// Whether its rows stand exercise by exercise as they were done, with a number for each set.
  var keepsOrder: Bool { format == .strong || format == .hevy }

  /// All there are, what is told apart by more before what is told apart by less.
  static let all = [ours, strong, hevy, fitNotes, other]

  private static let ours = KnownTrainingTable(
    .daybook, signature: ["session", "place", "setdetails"], telling: ["sessiondetails", "exercisedetails"],
    SessionColumns.fields)

  /// What a set has in all tables but ours.
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
      "reps", "rpe",
    ]

  /// Strong. What it writes has changed: `Workout #` and seconds with semicolons, units of their own or in the headers.
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

/// A column of weights or distances, with the unit that it is in; nil for the one whose unit stands elsewhere.
struct MeasureColumn<Unit: Sendable>: Sendable {
  let field: String
  let unit: Unit?
  let headers: [String]
}

extension MeasureColumn<WeightUnit> {
  /// Those with a unit first: some tables have several, and fill one.
  static let weights = [
    MeasureColumn(field: "weightKg", unit: .kg, headers: ["weight_kg", "Weight (kg)", "Weight (kgs)", "kg"]),
    MeasureColumn(field: "weightLb", unit: .lb, headers: ["weight_lbs", "Weight (lbs)", "Weight (lb)", "lbs"]),
    MeasureColumn(field: "weight", unit: nil, headers: ["Weight", "Load"]),
  ]

  /// The unit of a cell such as `kgs`.
  static func unit(_ text: String) -> WeightUnit? {
    switch text.lowercased() {
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

  /// The unit of a cell such as `miles`.
  static func unit(_ text: String) -> DistanceUnit? {
    switch text.lowercased() {
    case "m", "meter", "meters", "metre", "metres": .m
    case "km", "kms", "kilometer", "kilometers", "kilometres": .km
    case "mi", "mile", "miles": .mi
    case "yd", "yds", "yard", "yards": .yd
    default: nil
    }
  }
}
