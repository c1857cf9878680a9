import DomainKit
import Nutrition

/// The sections of the agenda.
extension NutritionService {
  /// The meals of a range, oldest first.
  func nutritionAgenda(of days: ClosedRange<CivilDay>, _ context: Context) throws(RPCError) -> AgendaPart {
    let items = try entities(Meal.self, days, context).map { meal in
      AgendaItem(
        day: meal.day, time: meal.time, title: meal.name, detail: "\(meal.calories) kcal",
        value: Decimal(Int64(meal.calories)), unit: "kcal", state: .done, collection: .meals, id: meal.id)
    }
    guard days.lowerBound == days.upperBound, let facts = try facts(days, context).first, facts.hasData else {
      return AgendaPart(items)
    }
    let status = DayRules.status(consumed: facts.consumed, on: facts.day, settings: try context.settings())
    return AgendaPart(items, summary: status.text)
  }

  /// The last weight of each day; of a single day without one the last before it.
  func weightsAgenda(of days: ClosedRange<CivilDay>, _ context: Context) throws(RPCError) -> AgendaPart {
    // Newest first: the first of a day is its last.
    var entries: [(entry: WeightEntry, day: CivilDay)] = []
    for entry in try context.all(WeightEntry.self, in: days) where entries.last?.day != entry.day {
      entries.append((entry, entry.day))
    }
    let day = days.lowerBound
    if entries.isEmpty, day == days.upperBound, day <= context.today, let last = try lastWeight(on: day, context) {
      entries.append((last, day))
    }
    guard let first = entries.last?.entry.day else { return AgendaPart([]) }
    let trend = try weightTrend(from: first, context)
    func item(_ entry: WeightEntry, _ day: CivilDay) -> AgendaItem {
      let kilograms = "\(entry.weight.normalized) kg"
      let smooth = trend.value(on: entry.day).flatMap { Decimal(rounding: $0, toScale: 1) }
      let words = [
        entry.day == day ? kilograms : "\(kilograms) on \(entry.day)", smooth.map { "trend \($0.normalized) kg" },
      ]
      return AgendaItem(
        day: day, time: entry.day == day ? entry.at : nil, title: "Weight",
        detail: words.compactMap { $0 }.joined(separator: ", "), value: entry.weight.normalized, unit: "kg",
        state: .done,
        collection: .weights, id: entry.id)
    }
    return AgendaPart(entries.reversed().map { item($0.entry, $0.day) })
  }

  /// Water as a sum, exercises and measurements.
  func bodyAgenda(of days: ClosedRange<CivilDay>, _ context: Context) throws(RPCError) -> AgendaPart {
    let target = try context.settings().waterTarget.map { Decimal(Int64($0)) }
    var items = try facts(days, context).compactMap { facts in
      facts.water.map { water in
        AgendaItem(
          day: facts.day, title: "Water", detail: "\(water.normalized)\(target.map { " of \($0)" } ?? "") ml",
          value: water.normalized, target: target, unit: "ml", state: .done, collection: .water)
      }
    }
    items += try entities(Exercise.self, days, context).map { exercise in
      AgendaItem(
        day: exercise.day, time: exercise.at, title: exercise.name, detail: "\(exercise.calories) kcal",
        value: Decimal(Int64(exercise.calories)), unit: "kcal", state: .done, collection: .exercises, id: exercise.id)
    }
    items += try entities(Measurement.self, days, context).map { measurement in
      let values = [measurement.value, measurement.secondValue].compactMap { $0.map { "\($0.normalized)" } }
      return AgendaItem(
        day: measurement.day, time: measurement.at, title: measurement.kind,
        detail: values.joined(separator: "/") + (measurement.unit.map { " \($0)" } ?? ""),
        value: measurement.value.normalized,
        unit: measurement.unit, state: .done, collection: .measurements, id: measurement.id)
    }
    return AgendaPart(items)
  }

  /// The readable entities of some days, oldest first.
  private func entities<Entity: CollectionEntity>(
    _ type: Entity.Type, _ days: ClosedRange<CivilDay>, _ context: Context
  ) throws(RPCError) -> [Entity] {
    try context.all(type, in: days).reversed()
  }
}
