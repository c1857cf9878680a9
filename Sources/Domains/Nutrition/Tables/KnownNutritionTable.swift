import DaybookProtocol
import Nutrition
import Tables

/// A table that a known program exports.
package struct KnownNutritionTable: KnownTable {
  package let format: TableFormat
  package let name: String
  /// What its rows become.
  package let kind: TableKind
  /// The headers, without units, that identify it.
  let signature: [String]
  let fields: [TableField]
  /// The headers that suffice when the caller states the format; nil for `signature`.
  var statedSignature: [String]?
  /// Headers that exclude it.
  var foreign: Set<String> = []

  /// Whether its rows are weights and other measurements.
  package var hasMeasurements: Bool { ["biometrics", "openScale", "measurementLog"].contains(name) }

  package var shape: TableShape {
    TableShape(
      signature: signature, statedSignature: statedSignature, fields: fields, foreign: foreign,
      isAnybodys: format == .other, hasPoints: format == .daybook,
      days: ["day"],
      numbers: ["calories", "protein", "carbs", "fat", "weight", "minutes"] + OtherNutrients.members.map(\.name))
  }

  /// All tables, more specific ones first.
  static let all = [
    ourMeals, ourExercises, ourMeasurements, ourWater, ourWeights, ourDays, foodLog, weightLog, exercises,
    exerciseSummary, servings, biometrics, openScale, dailySummary, nutrition, measurements, otherMeals, measurementLog,
    otherWeights,
  ]

  // MARK: ours

  private static func ours(
    _ kind: TableKind, signature: [String], required: [String], _ fields: [String], headers: [String: String] = [:]
  ) -> KnownNutritionTable {
    KnownNutritionTable(
      format: .daybook, name: kind.rawValue, kind: kind, signature: signature,
      fields: fields.map { field in
        TableField(
          field, [headers[field] ?? field], isRequired: required.contains(field),
          sharing: ["at", "time"].contains(field) ? "day" : nil)
      })
  }

  static let ourMeals = ours(
    .meals, signature: ["day", "mealtype", "name", "calories"], required: ["day", "name", "calories"],
    [
      "id", "day", "mealType", "name", "calories", "protein", "carbs", "fat", "note", "time", "quantity", "unit",
      "barcode",
    ] + OtherNutrients.members.map(\.name), headers: ["quantity": "amount"])

  static let ourExercises = ours(
    .exercises, signature: ["day", "name", "calories", "minutes"], required: ["day", "name", "calories"],
    ["id", "day", "at", "name", "calories", "minutes", "sessionId", "note"])

  static let ourWater = ours(
    .water, signature: ["day", "value", "volumeunit"], required: ["day", "value", "unit"],
    ["id", "day", "at", "value", "unit", "note"], headers: ["unit": "volumeUnit"])

  static let ourMeasurements = ours(
    .measurements, signature: ["day", "kind", "value"], required: ["day", "kind", "value"],
    ["id", "day", "at", "kind", "value", "secondValue", "unit", "note"])

  static let ourWeights = ours(
    .weights, signature: ["day", "value", "unit"], required: ["day", "weight", "unit"],
    ["id", "day", "at", "weight", "unit", "pounds", "note"], headers: ["weight": "value"])

  static let ourDays = ours(
    .days, signature: ["day", "fasted"], required: ["day", "fasted"], ["day", "fasted", "note"])

  // MARK: other programs'

  private static let macros =
    [
      TableField("protein", ["Protein (g)", "Protein", "Proteins"]),
      TableField("carbs", ["Carbs (g)", "Carbohydrates (g)", "Carbs", "Carbohydrates", "Total Carbohydrate"]),
      TableField("fat", ["Fat (g)", "Fat", "Total Fat", "Fats"]),
    ] + OtherNutrients.foreignFields
  private static let energy = TableField(
    "calories", ["Energy (kcal)", "Calories", "Energy", "kcal", "Kilojoules", "kJ"], isRequired: true)
  private static let day = TableField("day", ["Day", "Date"], isRequired: true)

  /// Cronometer's foods, one row each; amounts are texts such as “58.00 g”.
  static let servings = KnownNutritionTable(
    format: .cronometer, name: "servings", kind: .meals, signature: ["day", "food name"],
    fields: [
      day, TableField("time", ["Time"], sharing: "day"), TableField("mealType", ["Group"]),
      TableField("name", ["Food Name"], isRequired: true), TableField("amount", ["Amount"]), energy,
    ] + macros)

  /// Cronometer's exercises.
  static let exercises = KnownNutritionTable(
    format: .cronometer, name: "exercises", kind: .exercises, signature: ["day", "exercise", "calories burned"],
    fields: [
      day, TableField("at", ["Time"], sharing: "day"), TableField("name", ["Exercise"], isRequired: true),
      TableField("minutes", ["Minutes"]), TableField("calories", ["Calories Burned"], isRequired: true),
    ])

  /// MyFitnessPal's exercises.
  static let exerciseSummary = KnownNutritionTable(
    format: .myFitnessPal, name: "exercises", kind: .exercises, signature: ["date", "exercise", "exercise calories"],
    fields: [
      day, TableField("name", ["Exercise"], isRequired: true), TableField("minutes", ["Exercise Minutes"]),
      TableField("calories", ["Exercise Calories"], isRequired: true), TableField("note", ["Note", "Notes"]),
    ])

  /// Cronometer's days; with a column “Group”, each day's meals and a total.
  static let dailySummary = KnownNutritionTable(
    format: .cronometer, name: "dailySummary", kind: .meals, signature: ["date", "energy"],
    fields: [day, TableField("mealType", ["Group"]), energy] + macros,
    foreign: ["name", "food", "food name", "description", "item"])

  /// Cronometer's measurements of all kinds.
  static let biometrics = KnownNutritionTable(
    format: .cronometer, name: "biometrics", kind: .weights, signature: ["day", "metric", "unit", "amount"],
    fields: [
      day, TableField("at", ["Time"], sharing: "day"), TableField("metric", ["Metric"], isRequired: true),
      TableField("weight", ["Amount"], isRequired: true), TableField("unit", ["Unit"]),
    ])

  /// Lose It's foods, with exercises in minutes and deleted rows among them.
  static let foodLog = KnownNutritionTable(
    format: .loseIt, name: "foodLog", kind: .meals,
    signature: ["date", "name", "icon", "quantity", "units", "calories", "deleted"],
    fields: [
      day, TableField("name", ["Name"], isRequired: true), TableField("mealType", ["Meal", "Type"]),
      TableField("amount", ["Quantity"]), TableField("units", ["Units"]),
      TableField("calories", ["Calories"], isRequired: true), TableField("deleted", ["Deleted"], isRequired: true),
    ] + macros)

  /// Lose It's weights, deleted ones included. The table does not state their unit.
  static let weightLog = KnownNutritionTable(
    format: .loseIt, name: "weights", kind: .weights, signature: ["date", "weight", "deleted"],
    fields: [
      day, TableField("weight", ["Weight"], isRequired: true), TableField("deleted", ["Deleted"], isRequired: true),
    ], foreign: ["calories", "energy", "name", "food"])

  /// MyFitnessPal's meals, one row each. No other program has its fat columns without a food column.
  static let nutrition = KnownNutritionTable(
    format: .myFitnessPal, name: "nutrition", kind: .meals,
    signature: ["date", "meal", "calories", "polyunsaturated fat", "monounsaturated fat"],
    fields: [
      day, TableField("mealType", ["Meal"], isRequired: true), TableField("name", ["Food", "Food Name"]),
      TableField("calories", ["Calories"], isRequired: true),
    ] + macros + [TableField("note", ["Note", "Notes"])], statedSignature: ["date", "meal", "calories"],
    foreign: ["name", "food", "food name", "description", "item"])

  /// MyFitnessPal's measurements; only weights are imported. The table does not state their unit.
  static let measurements = KnownNutritionTable(
    format: .myFitnessPal, name: "measurements", kind: .weights,
    signature: ["date", "weight", "neck", "waist", "hips"],
    fields: [day, TableField("weight", ["Weight"], isRequired: true)], statedSignature: ["date", "weight"],
    foreign: ["calories", "energy", "name", "food"])

  /// openScale's measurements, a row with a column each; zeros are none.
  static let openScale = KnownNutritionTable(
    format: .openScale, name: "openScale", kind: .weights, signature: ["datetime", "weight", "fat"],
    fields: [
      TableField("day", ["dateTime"], isRequired: true), TableField("at", sharing: "day"),
      TableField("weight", ["weight"], isRequired: true), TableField("note", ["comment"]),
    ] + BodyMeasure.openScale.map { TableField($0.field, $0.field == "lbm" ? ["lbm", "lbw"] : [$0.field]) })

  // MARK: unknown programs'

  static let otherMeals = KnownNutritionTable(
    format: .other, name: "meals", kind: .meals, signature: [],
    fields: [
      day, TableField("name", ["Name", "Food Name", "Food", "Description", "Item"]),
      TableField("mealType", ["Meal Type", "mealType", "Meal", "Group"]), TableField("amount", ["Amount", "Quantity"]),
      TableField("time", ["Time"], sharing: "day"), energy,
    ] + macros + [TableField("note", ["Note", "Notes", "Comment"])])

  /// Measurements of all kinds with their names, as of FitNotes.
  static let measurementLog = KnownNutritionTable(
    format: .other, name: "measurementLog", kind: .weights, signature: [],
    fields: [
      day, TableField("at", ["Time", "At"], sharing: "day"),
      TableField("metric", ["Measurement", "Metric", "Measure", "Parameter", "Type", "Name"], isRequired: true),
      TableField("weight", ["Value", "Amount", "Reading"], isRequired: true), TableField("unit", ["Unit", "Units"]),
      TableField("note", ["Note", "Notes", "Comment"]),
    ], foreign: ["weight", "calories", "energy", "kcal", "habit", "exercise"])

  static let otherWeights = KnownNutritionTable(
    format: .other, name: "weights", kind: .weights, signature: [],
    fields: [
      TableField("day", ["Day", "Date", "dateTime", "Timestamp"], isRequired: true),
      TableField("at", ["Time", "At"], sharing: "day"), TableField("weight", ["Weight", "Value"], isRequired: true),
      TableField("unit", ["Unit"]), TableField("note", ["Note", "Notes", "Comment"]),
    ])
}

extension OtherNutrients {
  private static let foreignHeaders = [
    "fibre": ["Fiber", "Fibre", "Dietary Fiber"], "sugar": ["Sugar", "Sugars", "Total Sugars"],
    "saturatedFat": ["Saturated Fat", "Saturated"], "sodium": ["Sodium"], "alcohol": ["Alcohol"],
    "caffeine": ["Caffeine"],
  ]

  /// The fields of other programs' tables, with and without a unit in the header.
  static let foreignFields = members.map { member in
    let headers = foreignHeaders[member.name] ?? []
    return TableField(member.name, headers + headers.flatMap { ["\($0) (g)", "\($0) (mg)"] })
  }
}
