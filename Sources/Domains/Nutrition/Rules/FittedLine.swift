import CivilTime
import DaybookProtocol
import Values

/// A straight line through readings, by least squares over their real dates.
package struct FittedLine: Sendable, Equatable {
  /// kg a day.
  package let slope: Double
  /// The standard error of `slope`, kg a day.
  package let standardError: Double
  /// The height of the line on the last day, kg.
  package let end: Double
  /// The first day.
  package let from: CivilDay
  /// The last day.
  package let to: CivilDay
  /// How many readings.
  package let count: Int

  /// The line through readings, ascending, one a day; nil with fewer than three, or less than a week from the first to the
  /// last.
  ///
  /// Water comes and goes over days, so that a reading says little that its neighbour did not. The standard error is
  /// therefore that of independent readings times √((1 + r) ÷ (1 − r)), with r the correlation of neighbouring residuals
  /// within 0…0.8 (the effective sample size of a first-order autoregression).
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

  /// The same in kg a week, for the wire.
  package var perWeek: WeightSlope? {
    guard let week = Decimal(rounding: slope * 7, toScale: 3),
      let uncertainty = Decimal(rounding: standardError * 14, toScale: 3)
    else { return nil }
    return WeightSlope(perWeek: week, uncertainty: uncertainty, from: from, to: to, days: count)
  }
}
