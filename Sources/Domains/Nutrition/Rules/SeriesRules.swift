import CivilTime
import DaybookProtocol

/// Days over time, ready to draw.
package enum SeriesRules {
  /// The bucket that a day is in; one that is not known counts as the day itself. Weeks begin on the weekday of that index,
  /// 0…6 from Monday, and end with the calendar.
  package static func bucket(_ kind: SeriesBucket, of day: CivilDay, firstWeekday: Int) -> ClosedRange<CivilDay> {
    switch kind {
    case .day, .unknown: day...day
    case .week: day.week(from: firstWeekday).clamped(to: CivilDay.allowed)
    case .month: day.month
    }
  }

  /// How many buckets a range touches.
  package static func count(_ kind: SeriesBucket, in days: ClosedRange<CivilDay>, firstWeekday: Int) -> Int {
    switch kind {
    case .day, .unknown: return days.dayCount
    case .week:
      let (first, last) = (days.lowerBound.week(from: firstWeekday), days.upperBound.week(from: firstWeekday))
      return (first.lowerBound...last.upperBound).dayCount / 7
    case .month:
      let (first, last) = (days.lowerBound.components, days.upperBound.components)
      return (last.year - first.year) * 12 + last.month - first.month + 1
    }
  }

  /// The buckets that a range touches, oldest first, each whole.
  package static func buckets(
    _ kind: SeriesBucket, in days: ClosedRange<CivilDay>, firstWeekday: Int
  ) -> [ClosedRange<CivilDay>] {
    var buckets: [ClosedRange<CivilDay>] = []
    buckets.reserveCapacity(count(kind, in: days, firstWeekday: firstWeekday))
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

  /// The averages over the days of a bucket that have data. What was burned is a sum, and what was drunk an average, over days of
  /// their own.
  static func point(_ days: ClosedRange<CivilDay>, of facts: [DayFacts], settings: Settings) -> SeriesPoint {
    let known = facts.within(days)
    let logged = known.filter(\.hasData)
    let count = logged.count
    let totals = PeriodRules.totals(of: logged)
    let deficit = PeriodRules.deficit(of: totals, days: count, settings: settings)
    let exercise = PeriodRules.exercise(of: known)
    let water = PeriodRules.water(of: known)
    return SeriesPoint(
      from: days.lowerBound, to: days.upperBound, daysWithData: count,
      caloriesConsumed: PeriodRules.average(totals.calories, over: count),
      deficitAchieved: PeriodRules.average(deficit, over: count),
      netDeficit: PeriodRules.average(deficit + PeriodRules.exercise(of: logged).calories, over: count),
      protein: PeriodRules.average(totals.protein, over: count),
      carbs: PeriodRules.average(totals.carbs, over: count), fat: PeriodRules.average(totals.fat, over: count),
      exerciseCalories: exercise.count > 0 ? exercise.calories : nil,
      water: water.sum.flatMap { PeriodRules.average($0, over: water.days) },
      nutrients: totals.nutrients?.mapped { PeriodRules.average($0, over: count) })
  }
}
