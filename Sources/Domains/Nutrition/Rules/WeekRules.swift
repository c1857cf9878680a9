import DaybookProtocol

/// The consistency of a week. Days without data are ignored.
package enum WeekRules {
  /// An average from this share of the target on is mostly on track, tenths.
  static let mostlyTenths = 7

  /// The worst day below target, the first of equals; nil without one, or when rest days are off.
  package static func restDay(_ days: some Sequence<DayFacts>, settings: Settings) -> CivilDay? {
    guard settings.weeklyRestDayEnabled else { return nil }
    var worst: (day: CivilDay, deficit: Int)?
    for facts in days {
      guard let consumed = facts.consumed, !DayRules.metTarget(facts, settings: settings) else { continue }
      let deficit = DayRules.deficitAchieved(consumed: consumed, settings: settings)
      if deficit < worst?.deficit ?? .max { worst = (facts.day, deficit) }
    }
    return worst?.day
  }

  /// The deficit that a day adds to its week's average, kcal: at least 0 on the rest day. Nil without data.
  package static func countedDeficit(_ facts: DayFacts, restDay: CivilDay?, settings: Settings) -> Int? {
    guard let consumed = facts.consumed else { return nil }
    let deficit = DayRules.deficitAchieved(consumed: consumed, settings: settings)
    return facts.day == restDay ? max(deficit, 0) : deficit
  }

  /// The class of a week's average. Thresholds in this order: below 0, from the target, from trunc(0.7 · target), less.
  package static func kind(average: Int?, target: Int) -> ConsistencyKind {
    guard let average else { return .noData }
    if average < 0 { return .aboveRange }
    if average >= target { return .onTrack }
    return average >= target * mostlyTenths / 10 ? .mostlyOnTrack : .notOnTrack
  }

  package static func text(_ kind: ConsistencyKind) -> String {
    switch kind {
    case .noData, .unknown: "Nothing logged"
    case .aboveRange: "Above target range"
    case .onTrack: "On track"
    case .mostlyOnTrack: "Mostly on track"
    case .notOnTrack: "Not on track yet"
    }
  }

  /// A week's average deficit against the average of its days' targets. The rest day counts as at least 0, and as a hit. Averages
  /// are truncated toward zero.
  package static func consistency(_ days: some Sequence<DayFacts>, settings: Settings) -> Consistency {
    let logged = days.filter(\.hasData)
    let restDay = restDay(logged, settings: settings)
    let sum = logged.reduce(0) { $0 + (countedDeficit($1, restDay: restDay, settings: settings) ?? 0) }
    let average = logged.isEmpty ? nil : sum / logged.count
    let hits = logged.count { $0.day == restDay || DayRules.metTarget($0, settings: settings) }
    let targets = logged.reduce(0) { $0 + settings.targetDeficit(on: $1.day) }
    let kind = kind(average: average, target: logged.isEmpty ? settings.targetDeficit : targets / logged.count)
    return Consistency(
      kind: kind, text: text(kind), averageDeficit: average, averageText: average.map { "~\($0) kcal a day" },
      hits: hits, daysWithData: logged.count, hitPercentage: PeriodRules.percentage(hits, of: logged.count),
      restDay: restDay)
  }

  /// The days of a week in order.
  package static func days(_ week: ClosedRange<CivilDay>, in facts: [DayFacts], settings: Settings) -> [WeekDay] {
    let restDay = restDay(facts.within(week), settings: settings)
    return DayRules.each(of: week, in: facts).map { facts in
      WeekDay(
        day: facts.day, standing: DayRules.standing(facts, isRestDay: facts.day == restDay, settings: settings),
        caloriesConsumed: facts.totals.calories,
        deficitAchieved: DayRules.deficitAchieved(consumed: facts.totals.calories, settings: settings),
        exerciseCalories: facts.exercise.calories, netDeficit: DayRules.netDeficit(facts, settings: settings),
        countedDeficit: countedDeficit(facts, restDay: restDay, settings: settings), water: facts.water?.normalized)
    }
  }
}
