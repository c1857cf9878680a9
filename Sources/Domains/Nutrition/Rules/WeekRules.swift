import CivilTime
import DaybookProtocol
import Values

/// How consistent a week is. Days without data count nowhere.
package enum WeekRules {
  /// The share of the target, in tenths, from which an average is mostly on track.
  static let mostlyTenths = 7

  /// The worst day below target, the first of equals; nil when there is none, or rest days are off.
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

  /// What a day adds to its week's average, kcal: its deficit, on the rest day 0 at least. Nil without data.
  package static func countedDeficit(_ facts: DayFacts, restDay: CivilDay?, settings: Settings) -> Int? {
    guard let consumed = facts.consumed else { return nil }
    let deficit = DayRules.deficitAchieved(consumed: consumed, settings: settings)
    return facts.day == restDay ? max(deficit, 0) : deficit
  }

  /// How a week's average stands: below zero, at the target, at trunc(0.7 · target), or less, asked in this order.
  package static func kind(average: Int?, target: Int) -> ConsistencyKind {
    guard let average else { return .noData }
    if average < 0 { return .aboveRange }
    if average >= target { return .onTrack }
    return average >= target * mostlyTenths / 10 ? .mostlyOnTrack : .notOnTrack
  }

  /// The same in words.
  package static func text(_ kind: ConsistencyKind) -> String {
    switch kind {
    case .noData, .unknown: "Nothing logged"
    case .aboveRange: "Above target range"
    case .onTrack: "On track"
    case .mostlyOnTrack: "Mostly on track"
    case .notOnTrack: "Not on track yet"
    }
  }

  /// A week's average by the rest-day rule, against the average of its days' targets: the worst day below target counts as 0 or
  /// more, and as a hit. The average is truncated toward zero.
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

  /// The days of a week in order, each with its class.
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
