import CivilTime
import DaybookProtocol
import Values

extension DayRules {
  /// By how much of maintenance, in percent, a day may be over the eating target and still be only slightly so.
  static let slightlyOverPercentage = 15

  /// Whether a day has data and its deficit is at least the target.
  package static func metTarget(_ facts: DayFacts, settings: Settings) -> Bool {
    guard let consumed = facts.consumed else { return false }
    return deficitAchieved(consumed: consumed, settings: settings) >= settings.targetDeficit(on: facts.day)
  }

  /// The class of a day: within the eating target, over it by at most trunc(15 % of maintenance), or by more.
  package static func standing(_ facts: DayFacts, isRestDay: Bool = false, settings: Settings) -> DayStanding {
    guard let consumed = facts.consumed else { return .noData }
    if isRestDay { return .restDay }
    let remaining = eatingTarget(settings, on: facts.day) - consumed
    if remaining >= 0 { return .withinTarget }
    return -remaining <= settings.totalCalories * slightlyOverPercentage / 100 ? .slightlyOver : .wellOver
  }

  /// What a day comes to.
  package static func summary(_ facts: DayFacts, settings: Settings) -> DaySummary {
    let totals = facts.totals
    return DaySummary(
      day: facts.day, hasData: facts.hasData, fasted: facts.fasted, hasNote: facts.hasNote,
      mealCount: totals.mealCount, caloriesConsumed: totals.calories,
      deficitAchieved: deficitAchieved(consumed: totals.calories, settings: settings),
      exerciseCalories: facts.exercise.calories, netDeficit: netDeficit(facts, settings: settings),
      metTarget: metTarget(facts, settings: settings),
      status: status(consumed: facts.consumed, on: facts.day, settings: settings),
      protein: totals.protein, carbs: totals.carbs, fat: totals.fat, nutrients: totals.nutrients,
      water: facts.water?.normalized)
  }

  /// Every day of a range in order; what is not in the list, which is ascending by day, has no data.
  package static func each(of days: ClosedRange<CivilDay>, in facts: [DayFacts]) -> [DayFacts] {
    var rest = facts.within(days)
    return days.days.map { day in
      guard rest.first?.day == day else { return DayFacts(day) }
      return rest.removeFirst()
    }
  }
}
