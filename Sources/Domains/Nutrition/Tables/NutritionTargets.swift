import CivilTime
import DaybookProtocol
import Nutrition
import Tables
import Values

/// What rows of meals, weights and days become: what was logged by hand is taken for a row of its day that says the same.
package protocol NutritionTarget: TableTarget where Draft == NutritionDraft, Likeness == CivilDay {}

extension NutritionTarget {
  package var takesOnlySame: Bool { true }
  package func likeness(of draft: NutritionDraft) -> CivilDay? { day(of: draft) }

  package func day(of draft: NutritionDraft) -> CivilDay? {
    switch draft {
    case .meal(let meal): meal.day
    case .weight(let weight): weight.day
    case .day(let entry): entry.day
    case .exercise(let exercise): exercise.day
    case .water(let water): water.day
    case .measurement(let measurement): measurement.day
    }
  }
}

extension Meal: TableEntity {}
extension WeightEntry: TableEntity {}
extension DayEntry: TableEntity {}

/// Rows that become meals.
package struct MealTarget: NutritionTarget {
  private let covered: CoveredMembers
  /// Which of the other nutrients have a column.
  private let columns: [OtherNutrients.Column]
  private let zone: TimeZoneName

  package init(_ table: NutritionTable, _ zone: TimeZoneName) {
    covered = table.covered
    columns = OtherNutrients.columns.filter { table.mapping.columns[$0.field] != nil }
    self.zone = zone
  }

  package func likeness(of meal: Meal) -> CivilDay { meal.day }
  package func day(of meal: Meal) -> CivilDay? { meal.day }

  package func differences(of meal: Meal, from draft: NutritionDraft) -> [String] {
    guard case .meal(let row) = draft else { return [] }
    var names: [String] = []
    if meal.day != row.day { names.append("day") }
    if meal.name != row.name { names.append("name") }
    if meal.calories != row.calories { names.append("calories") }
    if covered.contains(.mealType), meal.mealType != row.mealType { names.append("mealType") }
    if covered.contains(.protein), meal.protein != row.protein { names.append("protein") }
    if covered.contains(.carbs), meal.carbs != row.carbs { names.append("carbs") }
    if covered.contains(.fat), meal.fat != row.fat { names.append("fat") }
    if covered.contains(.note), meal.note ?? "" != row.note ?? "" { names.append("note") }
    if with(row, in: meal.nutrients) != meal.nutrients { names.append("nutrients") }
    if covered.contains(.ours) {
      if meal.time != row.time { names.append("time") }
      if meal.amount != row.amount { names.append("amount") }
      if meal.unit != row.unit { names.append("unit") }
      if meal.barcode != row.barcode { names.append("barcode") }
    }
    return names
  }

  /// What else is in a meal, with what the row says of it in those columns that the table has.
  private func with(_ row: TableMeal, in nutrients: OtherNutrients?) -> OtherNutrients? {
    guard !columns.isEmpty else { return nutrients }
    var all = nutrients ?? OtherNutrients()
    for column in columns { all[keyPath: column.amount] = row.nutrients?[keyPath: column.amount] }
    return all.known
  }

  package func applied(_ draft: NutritionDraft, to meal: Meal) -> Meal? {
    guard case .meal(let row) = draft else { return nil }
    var meal = meal
    meal.day = row.day
    // With a name of its own it is of a food, and with a number of its own it is no longer what an estimate's factor makes.
    if meal.name != row.name { meal.quick = nil }
    if meal.calories != row.calories { meal.estimate?.factor = nil }
    meal.name = row.name
    meal.calories = row.calories
    if covered.contains(.mealType) { meal.mealType = row.mealType }
    if covered.contains(.protein) { meal.protein = row.protein }
    if covered.contains(.carbs) { meal.carbs = row.carbs }
    if covered.contains(.fat) { meal.fat = row.fat }
    if covered.contains(.note) { meal.note = row.note }
    meal.nutrients = with(row, in: meal.nutrients)
    if covered.contains(.ours) {
      (meal.time, meal.amount, meal.unit, meal.barcode) = (row.time, row.amount, row.unit, row.barcode)
    }
    return meal
  }

  package func made(of draft: NutritionDraft, id: EntityID, at instant: Instant) -> Meal? {
    guard case .meal(let row) = draft else { return nil }
    return Meal(
      id: id, day: row.day, zone: zone, name: row.name, calories: row.calories, mealType: row.mealType,
      protein: row.protein, carbs: row.carbs, fat: row.fat, nutrients: row.nutrients, time: row.time,
      amount: row.amount,
      unit: row.unit, barcode: row.barcode, note: row.note, createdAt: instant, updatedAt: instant)
  }
}

/// Rows that become weights.
package struct WeightTarget: NutritionTarget {
  private let covered: CoveredMembers
  private let zone: TimeZoneName

  package init(_ covered: CoveredMembers, _ zone: TimeZoneName) {
    self.covered = covered
    self.zone = zone
  }

  package func likeness(of entry: WeightEntry) -> CivilDay { entry.day }
  package func day(of entry: WeightEntry) -> CivilDay? { entry.day }

  package func differences(of entry: WeightEntry, from draft: NutritionDraft) -> [String] {
    guard case .weight(let row) = draft else { return [] }
    var names: [String] = []
    if entry.day != row.day { names.append("day") }
    if entry.typed.value != row.value { names.append("value") }
    if entry.typed.unit != row.unit { names.append("unit") }
    if entry.typed.pounds != row.pounds { names.append("pounds") }
    if covered.contains(.at), entry.at != row.at { names.append("at") }
    if covered.contains(.note), entry.note ?? "" != row.note ?? "" { names.append("note") }
    return names
  }

  package func applied(_ draft: NutritionDraft, to entry: WeightEntry) -> WeightEntry? {
    guard case .weight(let row) = draft, let (typed, kilograms) = WeightTarget.typed(row) else { return nil }
    var entry = entry
    entry.day = row.day
    entry.typed = typed
    entry.weight = kilograms
    if covered.contains(.at) { entry.at = row.at }
    if covered.contains(.note) { entry.note = row.note }
    return entry
  }

  package func made(of draft: NutritionDraft, id: EntityID, at instant: Instant) -> WeightEntry? {
    guard case .weight(let row) = draft, let (typed, kilograms) = WeightTarget.typed(row) else { return nil }
    return WeightEntry(
      id: id, day: row.day, zone: zone, at: row.at, weight: kilograms, typed: typed, note: row.note,
      createdAt: instant, updatedAt: instant)
  }

  /// The weight as it was typed, and in kilograms.
  private static func typed(_ row: TableWeight) -> (TypedWeight, Decimal)? {
    let typed = TypedWeight(value: row.value, unit: row.unit, pounds: row.pounds)
    return (try? WeightUnits.kilograms(typed)).map { (typed, $0) }
  }
}

/// Rows that become the entries of days.
package struct DayTarget: NutritionTarget {
  private let covered: CoveredMembers
  private let zone: TimeZoneName

  package init(_ covered: CoveredMembers, _ zone: TimeZoneName) {
    self.covered = covered
    self.zone = zone
  }

  package func likeness(of entry: DayEntry) -> CivilDay { entry.day }
  package func day(of entry: DayEntry) -> CivilDay? { entry.day }

  package func differences(of entry: DayEntry, from draft: NutritionDraft) -> [String] {
    guard case .day(let row) = draft else { return [] }
    var names: [String] = []
    if entry.fasted != row.fasted { names.append("fasted") }
    if covered.contains(.note), entry.note ?? "" != row.note ?? "" { names.append("note") }
    return names
  }

  package func applied(_ draft: NutritionDraft, to entry: DayEntry) -> DayEntry? {
    guard case .day(let row) = draft else { return nil }
    var entry = entry
    entry.fasted = row.fasted
    if covered.contains(.note) { entry.note = row.note }
    return entry
  }

  package func made(of draft: NutritionDraft, id: EntityID, at instant: Instant) -> DayEntry? {
    guard case .day(let row) = draft else { return nil }
    return DayEntry(
      id: id, day: row.day, zone: zone, fasted: row.fasted, note: row.note, createdAt: instant, updatedAt: instant)
  }
}
