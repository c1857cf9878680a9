import DaybookProtocol

/// The sums of some days. Meals count on days with data, exercise and water on any day.
struct PeriodSums {
  /// The number of days with data.
  var count = 0
  var totals = DayTotals()
  var exercise = ExerciseTotals()
  /// Exercise on days with data.
  var loggedExercise = ExerciseTotals()
  /// Millilitres; nil when no water was logged.
  var water: Decimal?
  /// The average over the days with water, millilitres.
  var averageWater: Decimal?

  init(_ days: some Sequence<DayFacts>) {
    var drunk = DayFacts(CivilDay.allowed.lowerBound)
    var waterDays = 0
    for facts in days {
      exercise.add(facts.exercise)
      if let volume = facts.water {
        drunk.drink(volume)
        waterDays += 1
      }
      guard facts.hasData else { continue }
      count += 1
      totals.add(facts.totals)
      loggedExercise.add(facts.exercise)
    }
    water = drunk.water
    averageWater = water.flatMap { PeriodRules.average($0, over: waterDays) }
  }

  /// The sum of the deficits of the days with data, kcal.
  func deficit(_ settings: Settings) -> Int { settings.totalCalories * count - totals.calories }
}

package enum PeriodRules {
  /// The sums and averages of a range. Averages are over the days with data, truncated toward zero, and nil without such days.
  /// `netDeficit` includes only the exercise of days with data. `facts` is ascending, and may exceed the range.
  package static func summary(
    of days: ClosedRange<CivilDay>, in facts: [DayFacts], settings: Settings
  ) -> PeriodSummary {
    let known = facts.within(days)
    let sums = PeriodSums(known)
    let (count, totals) = (sums.count, sums.totals)
    let met = known.count { DayRules.metTarget($0, settings: settings) }
    let deficit = sums.deficit(settings)
    let net = deficit + sums.loggedExercise.calories
    return PeriodSummary(
      from: days.lowerBound, to: days.upperBound, days: days.dayCount, daysWithData: count, daysMet: met,
      metPercentage: percentage(met, of: count), mealCount: totals.mealCount, caloriesConsumed: totals.calories,
      deficitAchieved: deficit, exerciseCalories: sums.exercise.calories, netDeficit: net,
      averageCalories: average(totals.calories, over: count), averageDeficit: average(deficit, over: count),
      averageNetDeficit: average(net, over: count), protein: totals.protein, carbs: totals.carbs, fat: totals.fat,
      averageProtein: average(totals.protein, over: count), averageCarbs: average(totals.carbs, over: count),
      averageFat: average(totals.fat, over: count), nutrients: totals.nutrients.map { NutrientTotals($0) },
      averageNutrients: totals.nutrients?.mapped { average($0, over: count) }.map { NutrientTotals($0) },
      water: sums.water?.normalized,
      averageWater: sums.averageWater)
  }

  /// A part of a whole in percent, truncated, 0…100; 0 when the whole is not positive.
  package static func percentage(_ part: Int, of whole: Int) -> Int {
    guard whole > 0, part > 0 else { return 0 }
    return min(100, part * 100 / whole)
  }

  /// An average, truncated toward zero; nil over no days.
  package static func average(_ sum: Int, over count: Int) -> Int? { count > 0 ? sum / count : nil }

  /// An average of grams or millilitres, truncated toward zero to hundredths; nil over no days.
  package static func average(_ sum: Decimal, over count: Int) -> Decimal? {
    guard count > 0, let hundredths = sum.units(ofScale: 2) else { return nil }
    return Decimal(significand: hundredths / Int64(count), scale: 2)?.normalized
  }
}

/// Time series of days in buckets.
package enum SeriesRules {
  /// A point for each bucket that a range touches, oldest first. `facts` is ascending by day.
  package static func points(
    _ kind: SeriesBucket, in days: ClosedRange<CivilDay>, of facts: [DayFacts], firstWeekday: Int, settings: Settings
  ) -> [SeriesPoint] {
    kind.periods(in: days, firstWeekday: firstWeekday).map {
      var point = point($0, of: facts, settings: settings)
      guard kind == .week, point.daysWithData > 0 else { return point }
      let consistency = WeekRules.consistency(facts.within($0), settings: settings)
      (point.hits, point.restDay) = (consistency.hits, consistency.restDay)
      point.restDayAverage = consistency.averageDeficit
      return point
    }
  }

  /// The averages of a bucket's days with data; `exerciseCalories` is a sum over all days, and `water` an average over the days
  /// with water.
  static func point(_ days: ClosedRange<CivilDay>, of facts: [DayFacts], settings: Settings) -> SeriesPoint {
    let sums = PeriodSums(facts.within(days))
    let (count, totals, deficit) = (sums.count, sums.totals, sums.deficit(settings))
    return SeriesPoint(
      from: days.lowerBound, to: days.upperBound, daysWithData: count,
      caloriesConsumed: PeriodRules.average(totals.calories, over: count),
      deficitAchieved: PeriodRules.average(deficit, over: count),
      netDeficit: PeriodRules.average(deficit + sums.loggedExercise.calories, over: count),
      protein: PeriodRules.average(totals.protein, over: count),
      carbs: PeriodRules.average(totals.carbs, over: count), fat: PeriodRules.average(totals.fat, over: count),
      exerciseCalories: sums.exercise.count > 0 ? sums.exercise.calories : nil, water: sums.averageWater,
      nutrients: totals.nutrients?.mapped { PeriodRules.average($0, over: count) }.map { NutrientTotals($0) })
  }
}
