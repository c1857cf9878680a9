import DaybookProtocol
import Nutrition
import SettingsDocument
import Tables

extension Meal: RowEntity {
  package var timeOfDay: WallTime? { time }

  package static func row(of draft: NutritionDraft) -> TableMeal? {
    if case .meal(let row) = draft { row } else { nil }
  }

  package static let members: [RowMember<Meal, TableMeal>] =
    [
      RowMember("day", \.day, \.day), RowMember("name", \.name, \.name), RowMember("calories", \.calories, \.calories),
      RowMember("mealType", \.mealType, \.mealType, in: ["mealType"]),
      RowMember("protein", \.protein, \.protein, in: ["protein"]), RowMember("carbs", \.carbs, \.carbs, in: ["carbs"]),
      RowMember("fat", \.fat, \.fat, in: ["fat"]),
      // Other programs' amounts become part of the note.
      RowMember(note: \.note, \.note, in: ["note", "amount"]),
    ] + OtherNutrients.members.map(member)
    + [
      RowMember("time", \.time, \.time, in: ["time"]),
      // Only our own tables have these columns, and they have all of them.
      RowMember("amount", \.amount, \.amount, in: ["quantity"]),
      RowMember("unit", \.unit, \.unit, in: ["quantity"]), RowMember("barcode", \.barcode, \.barcode, in: ["quantity"]),
    ]

  private static func member(_ nutrient: OtherNutrients.Member) -> RowMember<Meal, TableMeal> {
    RowMember("nutrients", in: [nutrient.name]) { meal, row in
      meal.nutrients?[keyPath: nutrient.amount] == row.nutrients?[keyPath: nutrient.amount]
    } set: { meal, row in
      var nutrients = meal.nutrients ?? OtherNutrients()
      nutrients[keyPath: nutrient.amount] = row.nutrients?[keyPath: nutrient.amount]
      meal.nutrients = nutrients.known
    }
  }

  package init?(_ row: TableMeal, id: EntityID, zone: TimeZoneName, at instant: Instant) {
    self.init(
      id: id, day: row.day, zone: zone, name: row.name, calories: row.calories, mealType: row.mealType,
      protein: row.protein, carbs: row.carbs, fat: row.fat, nutrients: row.nutrients, time: row.time,
      amount: row.amount, unit: row.unit, barcode: row.barcode, note: row.note, createdAt: instant, updatedAt: instant)
  }

  /// A new name makes it a meal of a food; new calories are no longer the estimate times its factor.
  package mutating func settle(after old: Meal) -> Bool {
    if name != old.name { quick = nil }
    if calories != old.calories { estimate?.factor = nil }
    return true
  }
}

extension WeightEntry: RowEntity {
  package var timeOfDay: WallTime? { at }

  package static func row(of draft: NutritionDraft) -> TableWeight? {
    if case .weight(let row) = draft { row } else { nil }
  }

  package static let members: [RowMember<WeightEntry, TableWeight>] = [
    RowMember("day", \.day, \.day), RowMember("value", \.typed.value, \.value), RowMember("unit", \.typed.unit, \.unit),
    RowMember("pounds", \.typed.pounds, \.pounds), RowMember("at", \.at, \.at, in: ["at"]),
    RowMember(note: \.note, \.note, in: ["note"]),
  ]

  package init?(_ row: TableWeight, id: EntityID, zone: TimeZoneName, at instant: Instant) {
    let typed = TypedWeight(value: row.value, unit: row.unit, pounds: row.pounds)
    guard let kilograms = try? WeightUnits.kilograms(typed) else { return nil }
    self.init(
      id: id, day: row.day, zone: zone, at: row.at, weight: kilograms, typed: typed, note: row.note,
      createdAt: instant, updatedAt: instant)
  }

  package mutating func settle(after old: WeightEntry) -> Bool {
    guard let kilograms = try? WeightUnits.kilograms(typed) else { return false }
    weight = kilograms
    return true
  }
}

extension DayEntry: RowEntity {
  package var timeOfDay: WallTime? { nil }

  package static func row(of draft: NutritionDraft) -> TableDay? {
    if case .day(let row) = draft { row } else { nil }
  }

  package static let members: [RowMember<DayEntry, TableDay>] = [
    RowMember("fasted", \.fasted, \.fasted), RowMember(note: \.note, \.note, in: ["note"]),
  ]

  package init?(_ row: TableDay, id: EntityID, zone: TimeZoneName, at instant: Instant) {
    self.init(
      id: id, day: row.day, zone: zone, fasted: row.fasted, note: row.note, createdAt: instant, updatedAt: instant)
  }
}

extension Exercise: RowEntity {
  package var timeOfDay: WallTime? { at }

  package static func row(of draft: NutritionDraft) -> TableExercise? {
    if case .exercise(let row) = draft { row } else { nil }
  }

  package static let members: [RowMember<Exercise, TableExercise>] = [
    RowMember("day", \.day, \.day), RowMember("at", \.at, \.at), RowMember("name", \.name, \.name),
    RowMember("calories", \.calories, \.calories), RowMember("minutes", \.minutes, \.minutes),
    RowMember(note: \.note, \.note),
  ]

  /// An exercise of a training session; nil under another id than the session's.
  package init?(_ row: TableExercise, id: EntityID, zone: TimeZoneName, at instant: Instant) {
    let source = ExerciseSource(kind: row.sessionId == nil ? .manual : .training, id: row.sessionId)
    guard ExerciseRules.identity(source).map({ $0 == id }) ?? true else { return nil }
    self.init(
      id: id, day: row.day, zone: zone, at: row.at, name: row.name, calories: row.calories, minutes: row.minutes,
      source: source, note: row.note, createdAt: instant, updatedAt: instant)
  }
}

extension WaterEntry: RowEntity {
  package var timeOfDay: WallTime? { at }

  package static func row(of draft: NutritionDraft) -> TableWater? {
    if case .water(let row) = draft { row } else { nil }
  }

  package static let members: [RowMember<WaterEntry, TableWater>] = [
    RowMember("day", \.day, \.day), RowMember("at", \.at, \.at), RowMember("typed", \.typed, \.typed),
    RowMember(note: \.note, \.note),
  ]

  package init?(_ row: TableWater, id: EntityID, zone: TimeZoneName, at instant: Instant) {
    guard let millilitres = try? VolumeUnits.millilitres(row.typed) else { return nil }
    self.init(
      id: id, day: row.day, zone: zone, at: row.at, volume: millilitres, typed: row.typed, note: row.note,
      createdAt: instant, updatedAt: instant)
  }

  package mutating func settle(after old: WaterEntry) -> Bool {
    guard let millilitres = try? VolumeUnits.millilitres(typed) else { return false }
    volume = millilitres
    return true
  }
}

extension Measurement: RowEntity {
  package var timeOfDay: WallTime? { at }

  package static func row(of draft: NutritionDraft) -> TableMeasurement? {
    if case .measurement(let row) = draft { row } else { nil }
  }

  package static let members: [RowMember<Measurement, TableMeasurement>] = [
    RowMember("day", \.day, \.day), RowMember("at", \.at, \.at), RowMember("kind", \.kind, \.kind),
    RowMember("value", \.value, \.value), RowMember("secondValue", \.secondValue, \.secondValue),
    RowMember("unit", \.unit, \.unit), RowMember(note: \.note, \.note),
  ]

  package init?(_ row: TableMeasurement, id: EntityID, zone: TimeZoneName, at instant: Instant) {
    self.init(
      id: id, day: row.day, zone: zone, at: row.at, kind: row.kind, value: row.value, secondValue: row.secondValue,
      unit: row.unit, note: row.note, createdAt: instant, updatedAt: instant)
  }
}
