import CivilTime
import DaybookProtocol
import Values

extension Settings {
  /// The deficit aimed at on a day: that of its day of the week, else that of all, kcal.
  @inline(__always)
  package func targetDeficit(on day: CivilDay) -> Int {
    guard let weekdayTargets else { return targetDeficit }
    let weekday = Weekday.known[day.weekdayIndex]
    return weekdayTargets.first { $0.weekday == weekday }?.targetDeficit ?? targetDeficit
  }
}

/// What one aims to eat.
package enum TargetRules {
  /// The grams of macronutrients aimed at on a day: those that are set, else by their part of the eating target, a gram of protein
  /// and carbohydrate at 4 kcal and of fat at 9, rounded to whole grams, half away from zero. Nil where nothing is set.
  package static func grams(
    _ settings: Settings, on day: CivilDay
  ) -> (protein: Decimal?, carbs: Decimal?, fat: Decimal?) {
    let target = Decimal(Int64(max(DayRules.eatingTarget(settings, on: day), 0)))
    func part(_ percentage: Int?, kcalPerGram: Int64) -> Decimal? {
      percentage.flatMap { target.multiplied(by: Int64($0), over: 100 * kcalPerGram, roundedTo: 0) }
    }
    let parts = settings.macroPercentages
    return (
      settings.proteinTarget ?? part(parts?.protein, kcalPerGram: 4),
      settings.carbsTarget ?? part(parts?.carbs, kcalPerGram: 4),
      settings.fatTarget ?? part(parts?.fat, kcalPerGram: 9)
    )
  }
}
