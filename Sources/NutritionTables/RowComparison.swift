import CivilTime
import DaybookProtocol
import Values

extension TableMeal {
  /// The members of a meal that say something else than the row, of those that the table speaks of.
  package func differences(from meal: Meal, _ covered: CoveredMembers) -> [String] {
    var names: [String] = []
    if meal.day != day { names.append("day") }
    if meal.name != name { names.append("name") }
    if meal.calories != calories { names.append("calories") }
    if covered.contains(.mealType), meal.mealType != mealType { names.append("mealType") }
    if covered.contains(.protein), meal.protein != protein { names.append("protein") }
    if covered.contains(.carbs), meal.carbs != carbs { names.append("carbs") }
    if covered.contains(.fat), meal.fat != fat { names.append("fat") }
    if covered.contains(.note), meal.note ?? "" != note ?? "" { names.append("note") }
    return names
  }

  /// A meal as the row has it; what the table does not speak of stays.
  package func applied(to meal: Meal, _ covered: CoveredMembers) -> Meal {
    var meal = meal
    meal.day = day
    // With a name of its own it is of a food, and with a number of its own it is no longer what an estimate's factor makes.
    if meal.name != name { meal.isQuick = nil }
    if meal.calories != calories { meal.estimate?.factor = nil }
    meal.name = name
    meal.calories = calories
    if covered.contains(.mealType) { meal.mealType = mealType }
    if covered.contains(.protein) { meal.protein = protein }
    if covered.contains(.carbs) { meal.carbs = carbs }
    if covered.contains(.fat) { meal.fat = fat }
    if covered.contains(.note) { meal.note = note }
    return meal
  }
}

extension TableWeight {
  /// The weight as it was typed.
  package var typed: TypedWeight { TypedWeight(value: value, unit: unit, pounds: pounds) }

  /// The members of a weight that say something else than the row, of those that the table speaks of.
  package func differences(from entry: WeightEntry, _ covered: CoveredMembers) -> [String] {
    var names: [String] = []
    if entry.day != day { names.append("day") }
    if entry.typed.value != value { names.append("value") }
    if entry.typed.unit != unit { names.append("unit") }
    if entry.typed.pounds != pounds { names.append("pounds") }
    if covered.contains(.at), entry.at != at { names.append("at") }
    if covered.contains(.note), entry.note ?? "" != note ?? "" { names.append("note") }
    return names
  }
}

extension TableDay {
  /// The members of a day's entry that say something else than the row, of those that the table speaks of.
  package func differences(from entry: DayEntry, _ covered: CoveredMembers) -> [String] {
    var names: [String] = []
    if entry.fasted != fasted { names.append("fasted") }
    if covered.contains(.note), entry.note ?? "" != note ?? "" { names.append("note") }
    return names
  }
}
