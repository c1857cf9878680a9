import CivilTime
import DaybookProtocol
import Values

/// Weights over time, ready to draw.
package enum WeightSeries {
  /// A point for each bucket that a range touches, oldest first; one without a mean is a gap.
  package static func points(
    _ kind: SeriesBucket, in days: ClosedRange<CivilDay>, of trend: WeightTrend, firstWeekday: Int
  ) -> [WeightPoint] {
    SeriesRules.buckets(kind, in: days, firstWeekday: firstWeekday).map { point($0, of: trend) }
  }

  /// What the days of a bucket come to: over one weight for each day that has one, without slips.
  static func point(_ days: ClosedRange<CivilDay>, of trend: WeightTrend) -> WeightPoint {
    let weights = trend.counting(days).map(\.kilograms).sorted()
    var point = WeightPoint(from: days.lowerBound, to: days.upperBound, weightDays: weights.count)
    point.trend = trend.lastDay(in: days).flatMap { trend.value(on: $0) }.flatMap(grams)
    guard let lowest = weights.first, let highest = weights.last else { return point }
    point.mean = grams(weights.reduce(0, +) / Double(weights.count))
    point.median = grams((weights[(weights.count - 1) / 2] + weights[weights.count / 2]) / 2)
    point.lowest = grams(lowest)
    point.highest = grams(highest)
    return point
  }

  /// Kilograms, rounded to the gram.
  static func grams(_ kilograms: Double) -> Decimal? { Decimal(rounding: kilograms, toScale: 3) }
}
