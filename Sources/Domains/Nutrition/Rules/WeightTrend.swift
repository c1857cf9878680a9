import DaybookProtocol

/// The smoothed weight: a daily exponentially weighted moving average.
package struct WeightTrend: Sendable, Equatable {
  /// The smoothing factor per day (Walker, The Hacker's Diet, 1991).
  package static let smoothing = 0.1
  /// The days after which a reading has no measurable part in the trend: 0.9³⁰⁰ is less than 10⁻¹³.
  package static let memory = 300

  /// The readings, ascending, one per day.
  package let readings: [WeightReading]
  /// The first day with a trend; nil without valid readings.
  package let firstDay: CivilDay?
  /// The trend of each day from `firstDay` to the last valid reading, kg.
  package let values: [Double]

  /// - Parameter readings: Ascending, one per day, with outliers marked. Weights of days without one are interpolated linearly.
  /// - Complexity: Linear in the days.
  package init(_ readings: [WeightReading]) {
    self.readings = readings
    let valid = readings.filter { !$0.isOutlier }
    firstDay = valid.first?.day
    guard var last = valid.first else {
      values = []
      return
    }
    var trend = last.kilograms
    var values = [trend]
    for reading in valid.dropFirst() {
      let days = reading.days(since: last)
      for day in stride(from: 1, through: days, by: 1) {
        let weight = last.kilograms + (reading.kilograms - last.kilograms) * Double(day) / Double(days)
        trend += WeightTrend.smoothing * (weight - trend)
        values.append(trend)
      }
      last = reading
    }
    self.values = values
  }

  /// The trend of a day, kg; nil before the first valid reading and after the last.
  package func value(on day: CivilDay) -> Double? {
    guard let firstDay else { return nil }
    let index = Int(day.daysSinceEpoch) - Int(firstDay.daysSinceEpoch)
    return values.indices.contains(index) ? values[index] : nil
  }

  /// The last day of a range that has a trend.
  package func lastDay(in days: ClosedRange<CivilDay>) -> CivilDay? {
    guard let firstDay, !values.isEmpty else { return nil }
    let last = min(firstDay.advanced(by: values.count - 1), days.upperBound)
    return last >= max(firstDay, days.lowerBound) ? last : nil
  }

  /// The reading of a day, even an outlier.
  package func reading(on day: CivilDay) -> WeightReading? {
    let index = readings.partitioningIndex { $0.day >= day }
    return index < readings.count && readings[index].day == day ? readings[index] : nil
  }

  /// The readings of a range without outliers.
  package func validReadings(in days: ClosedRange<CivilDay>) -> [WeightReading] {
    readings[readings.partitioningIndex { $0.day >= days.lowerBound }...]
      .prefix { $0.day <= days.upperBound }.filter { !$0.isOutlier }
  }

  /// Every day of a range; days without a weight are gaps.
  package func days(_ range: ClosedRange<CivilDay>) -> [WeightDay] {
    range.days.map { day in
      let reading = reading(on: day)
      return WeightDay(
        day: day, weight: reading.flatMap { WeightSeries.grams($0.kilograms) },
        trend: value(on: day).flatMap(WeightSeries.grams), doubtful: reading?.isOutlier ?? false)
    }
  }
}

package enum WeightSeries {
  /// A point for each bucket that a range touches, oldest first; a point without a mean is a gap.
  package static func points(
    _ kind: SeriesBucket, in days: ClosedRange<CivilDay>, of trend: WeightTrend, firstWeekday: Int
  ) -> [WeightPoint] {
    kind.periods(in: days, firstWeekday: firstWeekday).map { point($0, of: trend) }
  }

  /// The statistics of a bucket's valid readings.
  static func point(_ days: ClosedRange<CivilDay>, of trend: WeightTrend) -> WeightPoint {
    let weights = trend.validReadings(in: days).map(\.kilograms).sorted()
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
