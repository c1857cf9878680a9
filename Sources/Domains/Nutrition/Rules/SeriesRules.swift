import CivilTime
import DaybookProtocol

/// Time series of days in buckets.
package enum SeriesRules {
  /// The bucket of a day. Weeks begin on `firstWeekday`, 0…6 from Monday, and are clamped to the calendar.
  package static func bucket(_ kind: SeriesBucket, of day: CivilDay, firstWeekday: Int) -> ClosedRange<CivilDay> {
    switch kind {
    case .day, .unknown: day...day
    case .week: day.week(from: firstWeekday).clamped(to: CivilDay.allowed)
    case .month: day.month
    }
  }

  /// The buckets that a range touches, oldest first, each whole.
  package static func buckets(
    _ kind: SeriesBucket, in days: ClosedRange<CivilDay>, firstWeekday: Int
  ) -> [ClosedRange<CivilDay>] {
    var buckets: [ClosedRange<CivilDay>] = []
    var next = days.lowerBound
    while next <= days.upperBound {
      let bucket = bucket(kind, of: next, firstWeekday: firstWeekday)
      buckets.append(bucket)
      next = bucket.upperBound.advanced(by: 1)
    }
    return buckets
  }

  /// The days of the buckets that a range touches.
  package static func whole(
    _ kind: SeriesBucket, _ days: ClosedRange<CivilDay>, firstWeekday: Int
  ) -> ClosedRange<CivilDay> {
    bucket(kind, of: days.lowerBound, firstWeekday: firstWeekday)
      .lowerBound...bucket(kind, of: days.upperBound, firstWeekday: firstWeekday).upperBound
  }

  /// A point for each bucket that a range touches, oldest first. `facts` is ascending by day.
  package static func points(
    _ kind: SeriesBucket, in days: ClosedRange<CivilDay>, of facts: [DayFacts], firstWeekday: Int, settings: Settings
  ) -> [SeriesPoint] {
    buckets(kind, in: days, firstWeekday: firstWeekday).map {
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
      nutrients: totals.nutrients?.mapped { PeriodRules.average($0, over: count) })
  }
}
