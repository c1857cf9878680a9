import CivilTime
import DaybookProtocol

/// The measured expenditure over time, ready to draw.
package enum ExpenditureSeries {
  /// A point for each bucket that a range touches, oldest first. `days` are all days of these buckets, ascending.
  package static func points(
    _ kind: SeriesBucket, in range: ClosedRange<CivilDay>, of days: [ExpenditureDay], firstWeekday: Int
  ) -> [ExpenditurePoint] {
    var rest = days[...]
    return SeriesRules.buckets(kind, in: range, firstWeekday: firstWeekday).map { bucket in
      rest = rest.drop { $0.day < bucket.lowerBound }
      return point(bucket, of: rest.prefix { $0.day <= bucket.upperBound })
    }
  }

  /// What the days of a bucket come to; averages are truncated.
  static func point(_ bucket: ClosedRange<CivilDay>, of days: some BidirectionalCollection<ExpenditureDay>)
    -> ExpenditurePoint
  {
    let intake = days.compactMap(\.calories)
    let estimates = days.compactMap(\.expenditure)
    return ExpenditurePoint(
      from: bucket.lowerBound, to: bucket.upperBound, loggedDays: intake.count,
      calories: PeriodRules.average(intake.reduce(0, +), over: intake.count),
      trend: days.last { $0.trend != nil }?.trend, estimates: estimates.count,
      expenditure: PeriodRules.average(estimates.reduce(0, +), over: estimates.count))
  }
}
