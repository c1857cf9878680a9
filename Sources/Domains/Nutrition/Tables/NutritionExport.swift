import DaybookProtocol
import Nutrition
import Tables

extension TableExport<Meal> {
  package static func meals(hasMark: Bool = false) -> TableExport {
    let nutrients: [Column] = OtherNutrients.members.map { member in
      (member.name, { $1.number($0.nutrients?[keyPath: member.amount]) })
    }
    let columns: [Column] = [
      ("id", { $1.plain($0.id) }), ("day", { $1.day($0.day) }), ("mealType", { $1.text($0.mealType.rawValue) }),
      ("name", { $1.text($0.name) }), ("calories", { $1.number($0.calories) }), ("protein", { $1.number($0.protein) }),
      ("carbs", { $1.number($0.carbs) }), ("fat", { $1.number($0.fat) }), ("note", { $1.text($0.note) }),
      ("time", { $1.plain($0.time) }), ("amount", { $1.number($0.amount) }), ("unit", { $1.text($0.unit) }),
      ("barcode", { $1.text($0.barcode) }),
    ]
    return TableExport(columns + nutrients, hasMark: hasMark)
  }
}

extension TableExport<WeightEntry> {
  package static func weights(hasMark: Bool = false) -> TableExport {
    TableExport(
      [
        ("id", { $1.plain($0.id) }), ("day", { $1.day($0.day) }), ("at", { $1.plain($0.at) }),
        ("value", { $1.number($0.typed.value) }), ("unit", { $1.text($0.typed.unit.rawValue) }),
        ("pounds", { $1.number($0.typed.pounds) }), ("kilograms", { $1.number($0.weight) }),
        ("note", { $1.text($0.note) }),
      ], hasMark: hasMark)
  }
}

extension TableExport<Exercise> {
  package static func exercises(hasMark: Bool = false) -> TableExport {
    TableExport(
      [
        ("id", { $1.plain($0.id) }), ("day", { $1.day($0.day) }), ("at", { $1.plain($0.at) }),
        ("name", { $1.text($0.name) }), ("calories", { $1.number($0.calories) }),
        ("minutes", { $1.plain($0.minutes) }), ("sessionId", { $1.plain($0.source.id) }),
        ("note", { $1.text($0.note) }),
      ], hasMark: hasMark)
  }
}

extension TableExport<WaterEntry> {
  package static func water(hasMark: Bool = false) -> TableExport {
    TableExport(
      [
        ("id", { $1.plain($0.id) }), ("day", { $1.day($0.day) }), ("at", { $1.plain($0.at) }),
        ("value", { $1.number($0.typed.value) }), ("volumeUnit", { $1.text($0.typed.unit.rawValue) }),
        ("millilitres", { $1.number($0.volume) }), ("note", { $1.text($0.note) }),
      ], hasMark: hasMark)
  }
}

extension TableExport<Measurement> {
  package static func measurements(hasMark: Bool = false) -> TableExport {
    TableExport(
      [
        ("id", { $1.plain($0.id) }), ("day", { $1.day($0.day) }), ("at", { $1.plain($0.at) }),
        ("kind", { $1.text($0.kind) }), ("value", { $1.number($0.value) }),
        ("secondValue", { $1.number($0.secondValue) }), ("unit", { $1.text($0.unit) }), ("note", { $1.text($0.note) }),
      ], hasMark: hasMark)
  }
}

/// A day's facts and note, of which the import reads `fasted` and the note.
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
