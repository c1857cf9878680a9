import DaybookProtocol

/// A least-squares line through readings over their real dates.
package struct FittedLine: Sendable, Equatable {
  /// kg a day.
  package let slope: Double
  /// The standard error of `slope`, kg a day.
  package let standardError: Double
  /// The value on the last day, kg.
  package let end: Double
  package let from: CivilDay
  package let to: CivilDay
  /// The number of readings.
  package let count: Int

  /// Nil with fewer than three readings or a span of less than a week. `readings` are ascending, one per day.
  ///
  /// Water makes neighbouring readings correlate. The standard error is therefore that of independent readings times
  /// √((1 + r) ÷ (1 − r)), where r is the correlation of neighbouring residuals within 0…0.8 (the effective sample size of a
  /// first-order autoregression).
  package init?(_ readings: [WeightReading]) {
    guard let first = readings.first, let last = readings.last, readings.count >= 3, last.days(since: first) >= 7 else {
      return nil
    }
    let count = Double(readings.count)
    let days = readings.map { Double($0.days(since: first)) }
    let meanDay = days.reduce(0, +) / count
    let meanWeight = readings.reduce(0) { $0 + $1.kilograms } / count
    let spread = days.reduce(0) { $0 + ($1 - meanDay) * ($1 - meanDay) }
    let slope = zip(days, readings).reduce(0) { $0 + ($1.0 - meanDay) * ($1.1.kilograms - meanWeight) } / spread
    let residuals = zip(days, readings).map { $1.kilograms - meanWeight - slope * ($0 - meanDay) }
    let squares = residuals.reduce(0) { $0 + $1 * $1 }
    let products = zip(residuals, residuals.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
    let correlation = squares > 0 ? min(0.8, max(0, products / squares)) : 0
    self.slope = slope
    standardError = (squares / (count - 2) / spread * (1 + correlation) / (1 - correlation)).squareRoot()
    end = meanWeight + slope * (Double(last.days(since: first)) - meanDay)
    from = first.day
    to = last.day
    self.count = readings.count
  }

  /// The wire form, kg a week.
  package var perWeek: WeightSlope? {
    guard let week = Decimal(rounding: slope * 7, toScale: 3),
      let uncertainty = Decimal(rounding: standardError * 14, toScale: 3)
    else { return nil }
    return WeightSlope(perWeek: week, uncertainty: uncertainty, from: from, to: to, days: count)
  }
}
