import DaybookProtocol

/// Estimates daily energy expenditure as intake minus the change of stored energy.
package enum AdaptiveExpenditure {
  /// The energy stored in a kilogram of body weight, kcal (Wishnofsky 1958; Hall 2008).
  package static let energyPerKilogram = 7700.0
  /// The number of days before the estimate's day that it uses.
  package static let window = 84
  /// The default length of a series, days.
  package static let usualSeries = 42
  /// Requirements: days with a weight, days from the first to the last of them, and the greatest age of the last.
  static let fewestWeights = 6
  static let shortestSpan = 14
  static let oldestWeight = 7
  /// Requirements: logged days, and their share of the days between the weights (four a week).
  static let fewestLogged = 10
  static let leastLoggedShare = 4.0 / 7.0
  /// The largest standard error of an estimate, as a share of its value.
  static let largestError = 0.15
  /// The amplitude of slow water swings over weeks, kg. One swing tilts the fitted line by at most 1.5 times as much over the
  /// span, invisibly in the weights.
  static let waterSwing = 1.5
  /// The range of expenditure as multiples of the basal rate: from bed rest to months of heavy work (FAO/WHO/UNU 2001, with a
  /// margin on both sides).
  static let activityBounds = 1.1...2.5
  /// A value beyond its bounds by more than this factor is refused instead of clamped.
  static let implausible = 1.25

  package struct Evidence: Sendable {
    package var trend: WeightTrend
    /// The calories of logged days, kcal; 0 for fasts.
    package var intake: [CivilDay: Int]
    /// The basal rate at a weight (kg), kcal a day; nil when it cannot be computed.
    package var basalRate: @Sendable (Double) -> Double?

    package init(
      trend: WeightTrend, intake: [CivilDay: Int], basalRate: @escaping @Sendable (Double) -> Double?
    ) {
      self.trend = trend
      self.intake = intake
      self.basalRate = basalRate
    }
  }

  /// The estimate on a day, from the 84 days before it, as the day itself is not over.
  ///
  /// Expenditure is intake minus 7700 kcal per kilogram gained. So the weight minus the cumulative intake (÷ 7700) falls by the
  /// expenditure, and the estimate is the least-squares slope of these points: an uneven intake does not bias it. The smoothed
  /// weights would: they lag by days, and show a part of each loss only after the window.
  package static func estimate(_ evidence: Evidence, on day: CivilDay) -> ExpenditureEstimate {
    let days = day.advanced(by: -window)...day.advanced(by: -1)
    let readings = evidence.trend.validReadings(in: days)
    var estimate = ExpenditureEstimate(clamped: false, days: 0, loggedDays: 0, weightDays: readings.count)
    guard let first = readings.first, let last = readings.last else {
      let hasOlder = GoalProjection.latest(evidence.trend, upTo: day.advanced(by: -1)) != nil
      return estimate.without(hasOlder ? .weightsTooOld : .tooFewWeights)
    }
    estimate.from = first.day
    estimate.to = last.day
    estimate.days = last.days(since: first)
    let intake = IntakeDays(evidence.intake, from: first.day, days: estimate.days)
    estimate.loggedDays = intake.count
    let age = Int(day.daysSinceEpoch) - Int(last.day.daysSinceEpoch)
    guard age <= oldestWeight else { return estimate.without(.weightsTooOld) }
    guard readings.count >= fewestWeights else { return estimate.without(.tooFewWeights) }
    guard estimate.days >= shortestSpan, let line = FittedLine(readings) else { return estimate.without(.spanTooShort) }
    let share = Double(intake.count) / Double(estimate.days)
    guard intake.count >= fewestLogged, share >= leastLoggedShare, let burned = fitted(readings, intake) else {
      return estimate.without(.tooFewLoggedDays)
    }
    let value = -energyPerKilogram * burned.slope
    let storedError = energyPerKilogram * burned.standardError
    let error = (storedError * storedError + intake.standardError * intake.standardError).squareRoot()
    estimate.intake = whole(intake.mean)
    estimate.weightChange = line.perWeek?.perWeek
    guard error <= largestError * abs(value) else { return estimate.without(.tooScattered) }
    guard let basal = evidence.basalRate(line.end), basal > 0 else { return estimate.without(.implausible) }
    let bounds = basal * activityBounds.lowerBound...basal * activityBounds.upperBound
    guard value >= bounds.lowerBound / implausible, value <= bounds.upperBound * implausible else {
      return estimate.without(.implausible)
    }
    let clamped = min(max(value, bounds.lowerBound), bounds.upperBound)
    estimate.expenditure = whole(clamped)
    // The scatter does not show slow water swings and partly logged days.
    let water = 1.5 * energyPerKilogram * waterSwing / Double(max(1, estimate.days)) / 2
    let missing = 1.5 * intake.missing / 2
    let honest = (error * error + water * water + missing * missing).squareRoot()
    estimate.uncertainty = whole(2 * honest)
    estimate.clamped = clamped != value
    estimate.confidence = confidence(estimate, share: share, error: honest / value)
    return estimate
  }

  /// The line through the weights minus the cumulative intake, kg: its slope is the negative expenditure.
  private static func fitted(_ readings: [WeightReading], _ intake: IntakeDays) -> FittedLine? {
    guard let first = readings.first else { return nil }
    let eaten = intake.cumulative
    return FittedLine(
      readings.map { reading in
        let energy = eaten[min(reading.days(since: first), eaten.count - 1)]
        return WeightReading(day: reading.day, kilograms: reading.kilograms - energy / energyPerKilogram)
      })
  }

  /// The confidence by the share of logged days and the relative standard error. Slow water swings alone keep it below medium
  /// for five weeks, and below high for ten.
  private static func confidence(
    _ estimate: ExpenditureEstimate, share: Double, error: Double
  ) -> ExpenditureConfidence {
    if estimate.clamped { return .low }
    if share >= 0.85, error <= 0.05 { return .high }
    if share >= 0.7, error <= 0.1 { return .medium }
    return .low
  }

  /// A number rounded to whole kcal; nil when it does not fit.
  static func whole(_ value: Double) -> Int? { Int(exactly: value.rounded(.toNearestOrAwayFromZero)) }
}

extension ExpenditureEstimate {
  fileprivate func without(_ reason: ExpenditureReason) -> ExpenditureEstimate {
    var estimate = self
    estimate.reason = reason
    return estimate
  }
}

/// The intake of each day of a span, without implausible days.
struct IntakeDays {
  /// A day with less is unfinished, unless it is marked as a fast, kcal.
  static let leastOfADay = 200
  /// Days outside these multiples of the median are odd.
  static let oddBounds = 0.35...3.0
  /// Odd days are left out as errors (an extra digit, a partly logged day) if they are at most this share. More are a habit.
  static let oddShare = 0.1

  /// The intake of each day, kcal; nil where it does not count.
  let days: [Int?]
  /// The number of days that count.
  let count: Int
  /// The mean of the days that count, kcal; 0 without any.
  let mean: Double

  /// - Parameters:
  ///   - intake: The calories of logged days, kcal; 0 for fasts, which count.
  ///   - count: The length of the span.
  init(_ intake: [CivilDay: Int], from first: CivilDay, days count: Int) {
    let logged = (0..<max(0, count)).map { number -> Int? in
      guard let calories = intake[first.advanced(by: number)] else { return nil }
      return calories == 0 || calories >= IntakeDays.leastOfADay ? calories : nil
    }
    let all = logged.compactMap { $0 }
    let eaten = all.filter { $0 > 0 }.sorted()
    let median = eaten.isEmpty ? 0 : Double(eaten[eaten.count / 2])
    let bounds = median * IntakeDays.oddBounds.lowerBound...median * IntakeDays.oddBounds.upperBound
    let odd = eaten.filter { !bounds.contains(Double($0)) }
    let leavesOut = Double(odd.count) <= IntakeDays.oddShare * Double(all.count)
    days = logged.map { calories in
      guard leavesOut, let calories, calories > 0 else { return calories }
      return bounds.contains(Double(calories)) ? calories : nil
    }
    let counting = days.compactMap { $0 }
    self.count = counting.count
    mean = counting.isEmpty ? 0 : counting.reduce(0.0) { $0 + Double($1) } / Double(counting.count)
  }

  /// The cumulative intake at the start of each day and at the end of the last, kcal, with the mean for days that do not count.
  var cumulative: [Double] {
    var sums = [0.0]
    for calories in days { sums.append((sums.last ?? 0) + (calories.map(Double.init) ?? mean)) }
    return sums
  }

  /// Days within these multiples of a usual day may be partly logged.
  static let partBounds = 0.35..<0.7

  /// What partly logged days may lack in `mean`, kcal: the shortfall of low days, if they are more than one in ten.
  var missing: Double {
    let eaten = days.compactMap { $0 }.filter { $0 > 0 }.sorted()
    guard !eaten.isEmpty else { return 0 }
    // Up to half of the days may be partial, so a usual day is above the median.
    let usual = Double(eaten[eaten.count * 3 / 5])
    let low = eaten.map(Double.init).filter { IntakeDays.partBounds.contains($0 / usual) }
    guard Double(low.count) > IntakeDays.oddShare * Double(eaten.count) else { return 0 }
    return low.reduce(0) { $0 + usual - $1 } / Double(eaten.count)
  }

  /// The standard error of `mean` for all days, of which the counting ones are a sample without replacement.
  var standardError: Double {
    guard count > 1, days.count > count else { return 0 }
    let squares = days.compactMap { $0 }.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
    let missing = Double(days.count - count) / Double(days.count)
    return (squares / Double(count - 1) / Double(count) * missing).squareRoot()
  }
}
