import CivilTime
import DaybookProtocol
import Nutrition
import Tables
import Values

/// Writes meals, weights and days as tables that `TableImport` reads.
package struct TableExport: Sendable {
  private var writer: TableWriter
  /// Bytes so far, those that were taken among them.
  package private(set) var byteCount = 0

  /// Begins with the header.
  package init(_ kind: TableKind, hasMark: Bool = false) {
    writer = TableWriter(hasMark: hasMark)
    let names: [String] =
      switch kind {
      case .weights: ["id", "day", "at", "value", "unit", "pounds", "kilograms", "note"]
      case .days:
        [
          "day", "mealCount", "caloriesConsumed", "totalCalories", "deficitAchieved", "status", "protein", "carbs",
          "fat", "exerciseCalories", "netDeficit", "water", "fasted", "note",
        ]
      default: ["id", "day", "mealType", "name", "calories", "protein", "carbs", "fat", "note"]
      }
    for name in names { writer.plain(name) }
    writer.endRow()
  }

  /// Rows below the header.
  package var rows: Int { writer.rows - 1 }

  /// Bytes that were not taken yet.
  package var pending: Int { writer.bytes.count }

  /// Hands out what was written since.
  package mutating func take() -> [UInt8] {
    byteCount += writer.bytes.count
    return writer.take()
  }

  package mutating func append(_ meal: Meal) {
    writer.plain("\(meal.id)")
    writer.day(meal.day)
    writer.text(meal.mealType.rawValue)
    writer.text(meal.name)
    writer.number(meal.calories)
    writer.number(meal.protein)
    writer.number(meal.carbs)
    writer.number(meal.fat)
    writer.text(meal.note)
    writer.endRow()
  }

  package mutating func append(_ entry: WeightEntry) {
    writer.plain("\(entry.id)")
    writer.day(entry.day)
    writer.plain(entry.at.map { "\($0)" } ?? "")
    writer.number(entry.typed.value)
    writer.text(entry.typed.unit.rawValue)
    writer.number(entry.typed.pounds)
    writer.number(entry.weight)
    writer.text(entry.note)
    writer.endRow()
  }

  package mutating func append(_ facts: DayFacts, note: String?, settings: Settings) {
    let summary = DayRules.summary(facts, settings: settings)
    writer.day(facts.day)
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
    writer.plain(facts.fasted ? "true" : "false")
    writer.text(note)
    writer.endRow()
  }
}
