import DaybookProtocol
import Tables

/// A table that some program exports: what it is known by, and what its columns are.
package struct KnownNutritionTable: KnownTable {
  /// Whose it is.
  package let format: TableFormat
  /// Which of its tables.
  package let name: String
  /// What its rows become.
  package let kind: TableKind
  /// Headers, units aside, that are all there when it is this table.
  let signature: [String]
  let fields: [TableField]
  /// Those of them that are enough where it is said whose it is; nil for all.
  var statedSignature: [String]?
  /// Headers that it never has: a table with one of them is somebody else's.
  var foreign: Set<String> = []

  /// How it is recognized.
  package var shape: TableShape {
    TableShape(
      signature: signature, statedSignature: statedSignature, fields: fields, foreign: foreign,
      isAnybodys: format == .other, isOurs: format == .daybook,
      days: ["day"],
      numbers: ["calories", "protein", "carbs", "fat", "weight", "minutes"] + OtherNutrients.columns.map(\.field))
  }

  /// All there are, what is told apart by more before what is told apart by less.
  static let all = [
    ourMeals, ourExercises, ourMeasurements, ourWater, ourWeights, ourDays, foodLog, weightLog, exercises,
    exerciseSummary, servings, biometrics, dailySummary, nutrition, measurements, otherMeals, otherWeights,
  ]

  // MARK: ours

  static let ourMeals = KnownNutritionTable(
    format: .daybook, name: "meals", kind: .meals, signature: ["day", "mealtype", "name", "calories"],
    fields: [
      TableField("id", ["id"]), TableField("day", ["day"], isRequired: true), TableField("mealType", ["mealType"]),
      TableField("name", ["name"], isRequired: true), TableField("calories", ["calories"], isRequired: true),
      TableField("protein", ["protein"]), TableField("carbs", ["carbs"]), TableField("fat", ["fat"]),
      TableField("note", ["note"]), TableField("time", ["time"]), TableField("quantity", ["amount"]),
      TableField("unit", ["unit"]), TableField("barcode", ["barcode"]),
    ] + OtherNutrients.columns.map { TableField($0.field, [$0.field]) })

  static let ourExercises = KnownNutritionTable(
    format: .daybook, name: "exercises", kind: .exercises, signature: ["day", "name", "calories", "minutes"],
    fields: [
      TableField("id", ["id"]), TableField("day", ["day"], isRequired: true), TableField("at", ["at"]),
      TableField("name", ["name"], isRequired: true), TableField("calories", ["calories"], isRequired: true),
      TableField("minutes", ["minutes"]), TableField("sessionId", ["sessionId"]), TableField("note", ["note"]),
    ])

  static let ourWater = KnownNutritionTable(
    format: .daybook, name: "water", kind: .water, signature: ["day", "value", "volumeunit"],
    fields: [
      TableField("id", ["id"]), TableField("day", ["day"], isRequired: true), TableField("at", ["at"]),
      TableField("value", ["value"], isRequired: true), TableField("unit", ["volumeUnit"], isRequired: true),
      TableField("note", ["note"]),
    ])

  static let ourMeasurements = KnownNutritionTable(
    format: .daybook, name: "measurements", kind: .measurements, signature: ["day", "kind", "value"],
    fields: [
      TableField("id", ["id"]), TableField("day", ["day"], isRequired: true), TableField("at", ["at"]),
      TableField("kind", ["kind"], isRequired: true), TableField("value", ["value"], isRequired: true),
      TableField("secondValue", ["secondValue"]), TableField("unit", ["unit"]), TableField("note", ["note"]),
    ])

  static let ourWeights = KnownNutritionTable(
    format: .daybook, name: "weights", kind: .weights, signature: ["day", "value", "unit"],
    fields: [
      TableField("id", ["id"]), TableField("day", ["day"], isRequired: true), TableField("at", ["at"]),
      TableField("weight", ["value"], isRequired: true), TableField("unit", ["unit"], isRequired: true),
      TableField("pounds", ["pounds"]), TableField("note", ["note"]),
    ])

  static let ourDays = KnownNutritionTable(
    format: .daybook, name: "days", kind: .days, signature: ["day", "fasted"],
    fields: [
      TableField("day", ["day"], isRequired: true), TableField("fasted", ["fasted"], isRequired: true),
      TableField("note", ["note"]),
    ])

  // MARK: others'

  private static let macros =
    [
      TableField("protein", ["Protein (g)", "Protein", "Proteins"]),
      TableField("carbs", ["Carbs (g)", "Carbohydrates (g)", "Carbs", "Carbohydrates", "Total Carbohydrate"]),
      TableField("fat", ["Fat (g)", "Fat", "Total Fat", "Fats"]),
    ] + OtherNutrients.foreignFields
  private static let energy = TableField(
    "calories", ["Energy (kcal)", "Calories", "Energy", "kcal", "Kilojoules", "kJ"], isRequired: true)
  private static let day = TableField("day", ["Day", "Date"], isRequired: true)

  /// Cronometer's foods: one row each, with the amount as a text such as “58.00 g”.
  static let servings = KnownNutritionTable(
    format: .cronometer, name: "servings", kind: .meals, signature: ["day", "food name"],
    fields: [
      day, TableField("time", ["Time"]), TableField("mealType", ["Group"]),
      TableField("name", ["Food Name"], isRequired: true), TableField("amount", ["Amount"]), energy,
    ] + macros)

  /// Cronometer's exercises.
  static let exercises = KnownNutritionTable(
    format: .cronometer, name: "exercises", kind: .exercises, signature: ["day", "exercise", "calories burned"],
    fields: [
      day, TableField("at", ["Time"]), TableField("name", ["Exercise"], isRequired: true),
      TableField("minutes", ["Minutes"]), TableField("calories", ["Calories Burned"], isRequired: true),
    ])

  /// MyFitnessPal's exercises.
  static let exerciseSummary = KnownNutritionTable(
    format: .myFitnessPal, name: "exercises", kind: .exercises, signature: ["date", "exercise", "exercise calories"],
    fields: [
      day, TableField("name", ["Exercise"], isRequired: true), TableField("minutes", ["Exercise Minutes"]),
      TableField("calories", ["Exercise Calories"], isRequired: true), TableField("note", ["Note", "Notes"]),
    ])

  /// Cronometer's days, or, where it has a column for it, the meals of each and a total.
  static let dailySummary = KnownNutritionTable(
    format: .cronometer, name: "dailySummary", kind: .meals, signature: ["date", "energy"],
    fields: [day, TableField("mealType", ["Group"]), energy] + macros,
    foreign: ["name", "food", "food name", "description", "item"])

  /// Cronometer's measurements of all kinds, of which weights are taken.
  static let biometrics = KnownNutritionTable(
    format: .cronometer, name: "biometrics", kind: .weights, signature: ["day", "metric", "unit", "amount"],
    fields: [
      day, TableField("at", ["Time"]), TableField("metric", ["Metric"], isRequired: true),
      TableField("weight", ["Amount"], isRequired: true), TableField("unit", ["Unit"]),
    ])

  /// Lose It's foods, and what was burned in minutes; what was deleted is among them.
  static let foodLog = KnownNutritionTable(
    format: .loseIt, name: "foodLog", kind: .meals,
    signature: ["date", "name", "icon", "quantity", "units", "calories", "deleted"],
    fields: [
      day, TableField("name", ["Name"], isRequired: true), TableField("mealType", ["Meal", "Type"]),
      TableField("amount", ["Quantity"]), TableField("units", ["Units"]),
      TableField("calories", ["Calories"], isRequired: true), TableField("deleted", ["Deleted"], isRequired: true),
    ] + macros)

  /// Lose It's weights; what was deleted is among them. Their unit is nowhere said.
  static let weightLog = KnownNutritionTable(
    format: .loseIt, name: "weights", kind: .weights, signature: ["date", "weight", "deleted"],
    fields: [
      day, TableField("weight", ["Weight"], isRequired: true), TableField("deleted", ["Deleted"], isRequired: true),
    ], foreign: ["calories", "energy", "name", "food"])

  /// MyFitnessPal's meals: one row for all that was eaten at one. Its kinds of fat are nobody else's beside a meal without a food.
  static let nutrition = KnownNutritionTable(
    format: .myFitnessPal, name: "nutrition", kind: .meals,
    signature: ["date", "meal", "calories", "polyunsaturated fat", "monounsaturated fat"],
    fields: [
      day, TableField("mealType", ["Meal"], isRequired: true), TableField("name", ["Food", "Food Name"]),
      TableField("calories", ["Calories"], isRequired: true),
    ] + macros + [TableField("note", ["Note", "Notes"])], statedSignature: ["date", "meal", "calories"],
    foreign: ["name", "food", "food name", "description", "item"])

  /// MyFitnessPal's measurements, of which weights are taken. Their unit is nowhere said.
  static let measurements = KnownNutritionTable(
    format: .myFitnessPal, name: "measurements", kind: .weights,
    signature: ["date", "weight", "neck", "waist", "hips"],
    fields: [day, TableField("weight", ["Weight"], isRequired: true)], statedSignature: ["date", "weight"],
    foreign: ["calories", "energy", "name", "food"])

  // MARK: anybody's

  static let otherMeals = KnownNutritionTable(
    format: .other, name: "meals", kind: .meals, signature: [],
    fields: [
      day, TableField("name", ["Name", "Food Name", "Food", "Description", "Item"]),
      TableField("mealType", ["Meal Type", "mealType", "Meal", "Group"]), TableField("amount", ["Amount", "Quantity"]),
      TableField("time", ["Time"]), energy,
    ] + macros + [TableField("note", ["Note", "Notes", "Comment"])])

  static let otherWeights = KnownNutritionTable(
    format: .other, name: "weights", kind: .weights, signature: [],
    fields: [
      day, TableField("at", ["Time", "At"]), TableField("weight", ["Weight", "Value"], isRequired: true),
      TableField("unit", ["Unit"]), TableField("note", ["Note", "Notes", "Comment"]),
    ])
}
