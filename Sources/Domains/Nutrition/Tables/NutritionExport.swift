import CivilTime
import DaybookProtocol
import Nutrition
import Tables

/// Meals as a table that is read again.
extension TableExport<Meal> {
  package static func meals(hasMark: Bool = false) -> TableExport {
    TableExport(
      header: [
        "id", "day", "mealType", "name", "calories", "protein", "carbs", "fat", "note", "time", "amount", "unit",
        "barcode",
      ] + OtherNutrients.columns.map(\.field), hasMark: hasMark
    ) { meal, writer in
      writer.plain("\(meal.id)")
      writer.day(meal.day)
      writer.text(meal.mealType.rawValue)
      writer.text(meal.name)
      writer.number(meal.calories)
      writer.number(meal.protein)
      writer.number(meal.carbs)
      writer.number(meal.fat)
      writer.text(meal.note)
      writer.plain(meal.time.map { "\($0)" } ?? "")
      writer.number(meal.amount)
      writer.text(meal.unit)
      writer.text(meal.barcode)
      for column in OtherNutrients.columns { writer.number(meal.nutrients?[keyPath: column.amount]) }
    }
  }
}

/// Weights as a table that is read again.
extension TableExport<WeightEntry> {
  package static func weights(hasMark: Bool = false) -> TableExport {
    TableExport(
      header: ["id", "day", "at", "value", "unit", "pounds", "kilograms", "note"], hasMark: hasMark
    ) { entry, writer in
      writer.plain("\(entry.id)")
      writer.day(entry.day)
      writer.plain(entry.at.map { "\($0)" } ?? "")
      writer.number(entry.typed.value)
      writer.text(entry.typed.unit.rawValue)
      writer.number(entry.typed.pounds)
      writer.number(entry.weight)
      writer.text(entry.note)
    }
  }
}

/// Exercises as a table that is read again.
extension TableExport<Exercise> {
  package static func exercises(hasMark: Bool = false) -> TableExport {
    TableExport(
      header: ["id", "day", "at", "name", "calories", "minutes", "sessionId", "note"], hasMark: hasMark
    ) { exercise, writer in
      writer.plain("\(exercise.id)")
      writer.day(exercise.day)
      writer.plain(exercise.at.map { "\($0)" } ?? "")
      writer.text(exercise.name)
      writer.number(exercise.calories)
      writer.plain(exercise.minutes.map { "\($0)" } ?? "")
      writer.plain(exercise.source.id.map { "\($0)" } ?? "")
      writer.text(exercise.note)
    }
  }
}

/// What was drunk as a table that is read again.
extension TableExport<WaterEntry> {
  package static func water(hasMark: Bool = false) -> TableExport {
    TableExport(
      header: ["id", "day", "at", "value", "volumeUnit", "millilitres", "note"], hasMark: hasMark
    ) { entry, writer in
      writer.plain("\(entry.id)")
      writer.day(entry.day)
      writer.plain(entry.at.map { "\($0)" } ?? "")
      writer.number(entry.typed.value)
      writer.text(entry.typed.unit.rawValue)
      writer.number(entry.volume)
      writer.text(entry.note)
    }
  }
}

/// Measurements as a table that is read again.
extension TableExport<Measurement> {
  package static func measurements(hasMark: Bool = false) -> TableExport {
    TableExport(
      header: ["id", "day", "at", "kind", "value", "secondValue", "unit", "note"], hasMark: hasMark
    ) { measurement, writer in
      writer.plain("\(measurement.id)")
      writer.day(measurement.day)
      writer.plain(measurement.at.map { "\($0)" } ?? "")
      writer.text(measurement.kind)
      writer.number(measurement.value)
      writer.number(measurement.secondValue)
      writer.text(measurement.unit)
      writer.text(measurement.note)
    }
  }
}

/// Days as a table: what each came to, and what is read again of it.
extension TableExport<(facts: DayFacts, note: String?)> {
  package static func days(_ settings: Settings, hasMark: Bool = false) -> TableExport {
    TableExport(
      header: [
        "day", "mealCount", "caloriesConsumed", "totalCalories", "deficitAchieved", "status", "protein", "carbs",
        "fat", "exerciseCalories", "netDeficit", "water", "fasted", "note",
      ], hasMark: hasMark
    ) { day, writer in
      let summary = DayRules.summary(day.facts, settings: settings)
      writer.day(day.facts.day)
      writer.number(summary.mealCount)
      writer.number(summary.caloriesConsumed)
      writer.number(settings.totalCalories)
      writer.number(summary.deficitAchieved)
      writer.plain(summary.status.kind.rawValue)
      writer.number(summary.protein)
      writer.number(summary.carbs)
      writer.number(summary.fat)
      writer.number(summary.exerciseCalories)
      writer.number(summary.netDeficit)
      writer.number(summary.water)
      writer.plain(day.facts.fasted ? "true" : "false")
      writer.text(day.note)
    }
  }
}
