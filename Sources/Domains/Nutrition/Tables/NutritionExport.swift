import CivilTime
import DaybookProtocol
import Nutrition
import Tables

/// Meals as a table that is read again.
extension TableExport<Meal> {
  package static func meals(hasMark: Bool = false) -> TableExport {
    TableExport(
      header: ["id", "day", "mealType", "name", "calories", "protein", "carbs", "fat", "note"], hasMark: hasMark
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
