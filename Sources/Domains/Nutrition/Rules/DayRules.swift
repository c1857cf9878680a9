import CivilTime
import DaybookProtocol

/// What a day's eating comes to.
package enum DayRules {
  /// The band around the target, kcal, within which a day is on track.
  static let band = 50

  /// `totalCalories − caloriesConsumed`: the deficit if the day ended now, kcal.
  package static func deficitAchieved(consumed: Int, settings: Settings) -> Int { settings.totalCalories - consumed }

  /// `deficitAchieved + exerciseCalories`, kcal: the one number that exercise enters.
  package static func netDeficit(_ facts: DayFacts, settings: Settings) -> Int {
    deficitAchieved(consumed: facts.totals.calories, settings: settings) + facts.exercise.calories
  }

  /// What may be eaten in a day to reach the target: `totalCalories − targetDeficit`, kcal.
  package static func eatingTarget(_ settings: Settings) -> Int { settings.totalCalories - settings.targetDeficit }

  /// The same of one day, which may have a target of its own.
  package static func eatingTarget(_ settings: Settings, on day: CivilDay) -> Int {
    settings.totalCalories - settings.targetDeficit(on: day)
  }

  /// `consumed ÷ totalCalories` in percent, truncated, 0…100; 0 when there is nothing to divide by.
  package static func completionPercentage(consumed: Int, settings: Settings) -> Int {
    guard settings.totalCalories > 0, consumed > 0 else { return 0 }
    return min(100, consumed * 100 / settings.totalCalories)
  }

  /// How a day stands. `consumed` is nil for a day without data.
  package static func status(consumed: Int?, on day: CivilDay, settings: Settings) -> DayStatus {
    guard let consumed else { return DayStatus(kind: .noData, by: 0, text: "Nothing logged") }
    let deficit = deficitAchieved(consumed: consumed, settings: settings)
    if deficit < 0 { return DayStatus(kind: .over, by: -deficit, text: "Over by \(-deficit) kcal") }
    let difference = deficit - settings.targetDeficit(on: day)
    if abs(difference) <= band { return DayStatus(kind: .onTrack, by: 0, text: "On track") }
    return difference > 0
      ? DayStatus(kind: .ahead, by: difference, text: "Ahead by \(difference) kcal")
      : DayStatus(kind: .behind, by: -difference, text: "Behind by \(-difference) kcal")
  }
}
