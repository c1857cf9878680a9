import DaybookProtocol

/// A day's deficit, targets and status.
package enum DayRules {
  /// The band around the target within which a day is on track, kcal.
  static let band = 50
  /// A day counts as slightly over the eating target up to this percentage of maintenance.
  static let slightlyOverPercentage = 15

  /// `totalCalories − caloriesConsumed`: the deficit if the day ended now, kcal.
  package static func deficitAchieved(consumed: Int, settings: Settings) -> Int { settings.totalCalories - consumed }

  /// `deficitAchieved + exerciseCalories`, kcal: the only number that includes exercise.
  package static func netDeficit(_ facts: DayFacts, settings: Settings) -> Int {
    deficitAchieved(consumed: facts.totals.calories, settings: settings) + facts.exercise.calories
  }

  /// The calories to eat on a day, kcal.
  package static func eatingTarget(_ settings: Settings, on day: CivilDay) -> Int {
    settings.totalCalories - settings.targetDeficit(on: day)
  }

  /// `consumed ÷ totalCalories` in percent, truncated, 0…100; 0 when `totalCalories` is not positive.
  package static func completionPercentage(consumed: Int, settings: Settings) -> Int {
    PeriodRules.percentage(consumed, of: settings.totalCalories)
  }

  /// The status of a day. `consumed` is nil for a day without data.
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

  package static func summary(_ facts: DayFacts, settings: Settings) -> DaySummary {
    let totals = facts.totals
    return DaySummary(
      day: facts.day, hasData: facts.hasData, fasted: facts.fasted, hasNote: facts.hasNote,
      mealCount: totals.mealCount, caloriesConsumed: totals.calories,
      deficitAchieved: deficitAchieved(consumed: totals.calories, settings: settings),
      exerciseCalories: facts.exercise.calories, netDeficit: netDeficit(facts, settings: settings),
      metTarget: metTarget(facts, settings: settings),
      status: status(consumed: facts.consumed, on: facts.day, settings: settings),
      protein: totals.protein, carbs: totals.carbs, fat: totals.fat,
      nutrients: totals.nutrients.map { NutrientTotals($0) },
      water: facts.water?.normalized)
  }

  /// The facts of every day of a range; days that are missing in `facts`, which is ascending, have no data.
  package static func each(of days: ClosedRange<CivilDay>, in facts: [DayFacts]) -> [DayFacts] {
    var rest = facts.within(days)
    return days.days.map { day in
      guard rest.first?.day == day else { return DayFacts(day) }
      return rest.removeFirst()
    }
  }
}

extension Settings {
  /// The target deficit of a day: that of its weekday, else the general one, kcal.
  @inline(__always)
  package func targetDeficit(on day: CivilDay) -> Int {
    guard let weekdayTargets else { return targetDeficit }
    let weekday = Weekday.known[day.weekdayIndex]
    return weekdayTargets.first { $0.weekday == weekday }?.targetDeficit ?? targetDeficit
  }
}

package enum TargetRules {
  /// A day's targets for macronutrients, grams: those set, else their percentage of the eating target.
  ///
  /// A gram of protein or carbohydrate has 4 kcal, of fat 9. Rounded to whole grams, half away from zero.
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

package enum DayEntryRules {
  /// The id of a day's entry, derived from the day, so that two devices that edit the same day offline make one entry. A UUID
  /// of version 8.
  package static func id(of day: CivilDay) -> EntityID {
    EntityID(
      high: 0x6461_7962_6F6F_8000, low: 0x8000_0000_0000_0000 | UInt64(UInt32(bitPattern: day.daysSinceEpoch)))
  }

  package static func isBlank(_ entry: DayEntry) -> Bool { !entry.fasted && entry.note == nil }
}
