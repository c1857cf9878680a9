import DomainKit
import Nutrition

extension NutritionService {
  /// The values of a measure in a range, ascending, without days that have none.
  func values(
    of measure: NutritionMeasure, in days: ClosedRange<CivilDay>, _ context: Context
  ) throws(RPCError) -> [DayValue] {
    switch measure {
    case .weighed, .weight:
      return try weightTrend(context).readings.filter { days.contains($0.day) }.compactMap { reading in
        let value = measure == .weight ? Decimal(rounding: reading.kilograms, toScale: 3) : Decimal(1)
        return value.map { DayValue(day: reading.day, value: $0.normalized) }
      }
    default:
      let settings = try context.settings()
      return try facts(days, context).compactMap { facts in
        NutritionService.value(of: measure, facts, settings).map { DayValue(day: facts.day, value: $0.normalized) }
      }
    }
  }

  /// A day's value of a measure.
  private static func value(of measure: NutritionMeasure, _ facts: DayFacts, _ settings: Settings) -> Decimal? {
    switch measure {
    case .meals: facts.hasData ? Decimal(Int64(facts.totals.mealCount)) : nil
    case .calories: facts.consumed.map { Decimal(Int64($0)) }
    case .withinEatingTarget:
      facts.consumed.map { $0 <= DayRules.eatingTarget(settings, on: facts.day) ? Decimal(1) : .zero }
    case .protein: facts.hasData ? facts.totals.protein : nil
    case .carbs: facts.hasData ? facts.totals.carbs : nil
    case .fat: facts.hasData ? facts.totals.fat : nil
    case .fibre: facts.totals.nutrients?.fibre
    case .sugar: facts.totals.nutrients?.sugar
    case .saturatedFat: facts.totals.nutrients?.saturatedFat
    case .sodium: facts.totals.nutrients?.sodium
    case .alcohol: facts.totals.nutrients?.alcohol
    case .caffeine: facts.totals.nutrients?.caffeine
    case .exercises: facts.exercise.count > 0 ? Decimal(Int64(facts.exercise.count)) : nil
    case .exerciseCalories: facts.exercise.count > 0 ? Decimal(Int64(facts.exercise.calories)) : nil
    case .water: facts.water
    case .weighed, .weight: nil
    }
  }
}
