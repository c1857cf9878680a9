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

  /// A point for each bucket that a range touches, oldest first. `facts` is ascending by day.
  package static func points(
    _ kind: SeriesBucket, in days: ClosedRange<CivilDay>, of facts: [DayFacts], firstWeekday: Int, settings: Settings
  ) -> [SeriesPoint] {
    var points: [SeriesPoint] = []
    points.reserveCapacity(count(kind, in: days, firstWeekday: firstWeekday))
    var next = days.lowerBound
    while next <= days.upperBound {
      let bucket = bucket(kind, of: next, firstWeekday: firstWeekday)
      points.append(point(bucket, of: facts, settings: settings))
      next = bucket.upperBound.advanced(by: 1)
    }
    return points
  }

  /// The averages over the days of a bucket that have data.
  static func point(_ days: ClosedRange<CivilDay>, of facts: [DayFacts], settings: Settings) -> SeriesPoint {
    let logged = facts.within(days).filter(\.hasData)
    let count = logged.count
    let totals = PeriodRules.totals(of: logged)
    return SeriesPoint(
      from: days.lowerBound, to: days.upperBound, daysWithData: count,
      caloriesConsumed: PeriodRules.average(totals.calories, over: count),
      deficitAchieved: PeriodRules.average(
        PeriodRules.deficit(of: totals, days: count, settings: settings), over: count),
      protein: PeriodRules.average(totals.protein, over: count),
      carbs: PeriodRules.average(totals.carbs, over: count), fat: PeriodRules.average(totals.fat, over: count))
  }
}
