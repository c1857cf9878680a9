import CivilTime
import DaybookProtocol
import Values

/// What several days come to.
package enum PeriodRules {
  /// The days of a range together. Sums and averages are over those with data; averages are truncated toward zero and nil
  /// when no day has data. Exercise and water count on any day, though in `netDeficit` only what was burned on days with data.
  /// `facts` is ascending by day, and may reach beyond the range.
  package static func summary(
    of days: ClosedRange<CivilDay>, in facts: [DayFacts], settings: Settings
  ) -> PeriodSummary {
    let known = facts.within(days)
    let logged = known.filter(\.hasData)
    let count = logged.count
    let totals = totals(of: logged)
    let met = logged.count { DayRules.metTarget($0, settings: settings) }
    let deficit = deficit(of: totals, days: count, settings: settings)
    let net = deficit + exercise(of: logged).calories
    let water = water(of: known)
    return PeriodSummary(
      from: days.lowerBound, to: days.upperBound, days: days.dayCount, daysWithData: count, daysMet: met,
      metPercentage: percentage(met, of: count), mealCount: totals.mealCount, caloriesConsumed: totals.calories,
      deficitAchieved: deficit, exerciseCalories: exercise(of: known).calories, netDeficit: net,
      averageCalories: average(totals.calories, over: count), averageDeficit: average(deficit, over: count),
      averageNetDeficit: average(net, over: count), protein: totals.protein, carbs: totals.carbs, fat: totals.fat,
      averageProtein: average(totals.protein, over: count), averageCarbs: average(totals.carbs, over: count),
      averageFat: average(totals.fat, over: count), nutrients: totals.nutrients,
      averageNutrients: totals.nutrients?.mapped { average($0, over: count) }, water: water.sum?.normalized,
      averageWater: water.sum.flatMap { average($0, over: water.days) })
  }

  /// The sums over some days.
  static func totals(of days: some Sequence<DayFacts>) -> DayTotals {
    var totals = DayTotals()
    for facts in days { totals.add(facts.totals) }
    return totals
  }

  /// What was burned on some days.
  static func exercise(of days: some Sequence<DayFacts>) -> ExerciseTotals {
    var totals = ExerciseTotals()
    for facts in days { totals.add(facts.exercise) }
    return totals
  }

  /// What was drunk on some days, millilitres, and on how many of them anything was; nil when nothing was logged.
  static func water(of days: some Sequence<DayFacts>) -> (sum: Decimal?, days: Int) {
    var sum = DayFacts(CivilDay.allowed.lowerBound)
    var count = 0
    for volume in days.lazy.compactMap(\.water) {
      sum.drink(volume)
      count += 1
    }
    return (sum.water, count)
  }

  /// The sum of the deficits of so many days with data, kcal.
  static func deficit(of totals: DayTotals, days: Int, settings: Settings) -> Int {
    settings.totalCalories * days - totals.calories
  }

  /// A part in percent of a whole, truncated, 0…100; 0 when there is nothing to divide by.
  package static func percentage(_ part: Int, of whole: Int) -> Int {
    guard whole > 0, part > 0 else { return 0 }
    return min(100, part * 100 / whole)
  }

  /// A sum over so many days, truncated toward zero; nil over none.
  package static func average(_ sum: Int, over count: Int) -> Int? { count > 0 ? sum / count : nil }

  /// A sum of grams or millilitres over so many days, truncated toward zero to hundredths; nil over none.
  package static func average(_ sum: Decimal, over count: Int) -> Decimal? {
    guard count > 0, let hundredths = sum.units(ofScale: 2) else { return nil }
    return Decimal(significand: hundredths / Int64(count), scale: 2)?.normalized
  }
}
