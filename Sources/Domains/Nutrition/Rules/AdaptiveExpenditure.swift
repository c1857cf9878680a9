import CivilTime
import DaybookProtocol

/// What somebody burns in a day, measured: what they ate less the change of the energy they store.
package enum AdaptiveExpenditure {
  /// Stored energy of a kilogram of body weight gained or lost, kcal (Wishnofsky 1958; Hall 2008).
  package static let energyPerKilogram = 7700.0
  /// The days looked at, before the day asked on.
  package static let window = 84
  /// The days before it that a series has when nothing is said.
  package static let usualSeries = 42
  /// What it takes: days with a weight, days from the first to the last of them, and the age of the last.
  static let fewestWeights = 6
  static let shortestSpan = 14
  static let oldestWeight = 7
  /// What it takes: logged days, and their share of the days between the weights (four a week).
  static let fewestLogged = 10
  static let leastLoggedShare = 4.0 / 7.0
  /// A standard error beyond this share of the value is no answer.
  static let largestError = 0.15
  /// By how much water rises and falls slowly, over weeks, kg: up to so much above and below the mean. In one such turn the line
  /// through the weights leans by at most 1.5 of it over the whole span, and nothing in them shows it.
  static let waterSwing = 1.5
  /// What bodies burn, as multiples of the basal rate: from rest in bed to months of heavy work (FAO/WHO/UNU 2001, with room
  /// on both sides).
  static let activityBounds = 1.1...2.5
  /// A value beyond its bounds by more than this factor is not held to them, but no answer.
  static let implausible = 1.25

  /// What is known on a day.
  package struct Evidence: Sendable {
    /// The smoothed weight, and the weights.
    package var trend: WeightTrend
    /// What was eaten, for logged days only; a fasted day is one with none. Any order.
    package var intake: [CivilDay: Int]
    /// The basal rate of somebody of a weight (kg), kcal a day; nil when it cannot be told.
    package var basalRate: @Sendable (Double) -> Double?

    /// All that is known.
    package init(
      trend: WeightTrend, intake: [CivilDay: Int], basalRate: @escaping @Sendable (Double) -> Double?
    ) {
      self.trend = trend
      self.intake = intake
      self.basalRate = basalRate
    }
  }

  /// The estimate on a day, from the 84 days before it: that day is not over.
  ///
  /// Expenditure is intake less 7700 kcal for every kilogram by which the weight rises: what somebody weighs, less what they
  /// ate so far (÷ 7700), falls by what they burn. The estimate is the slope of the least squares through these points, so that
  /// what was eaten on a day counts for as much as the weights around it do, however unevenly it was eaten. The smoothed
  /// values themselves would not do: they are behind by days, and tell of a part of each loss only when the window has passed.
  package static func estimate(_ evidence: Evidence, on day: CivilDay) -> ExpenditureEstimate {
    let days = day.advanced(by: -window)...day.advanced(by: -1)
    let readings = evidence.trend.counting(days)
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
    guard intake.count >= fewestLogged, share >= leastLoggedShare, let burned = burning(readings, intake) else {
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
    // What the scatter cannot show: slow water, and days that were logged in part.
    let water = 1.5 * energyPerKilogram * waterSwing / Double(max(1, estimate.days)) / 2
    let missing = 1.5 * intake.missing / 2
    let honest = (error * error + water * water + missing * missing).squareRoot()
    estimate.uncertainty = whole(2 * honest)
    estimate.clamped = clamped != value
    estimate.confidence = confidence(estimate, share: share, error: honest / value)
    return estimate
  }

  /// The line through weights less what was eaten so far, kg: it falls by what is burned.
  private static func burning(_ readings: [WeightReading], _ intake: IntakeDays) -> FittedLine? {
    guard let first = readings.first else { return nil }
    let eaten = intake.eatenBefore
    return FittedLine(
      readings.map { reading in
        let energy = eaten[min(reading.days(since: first), eaten.count - 1)]
        return WeightReading(day: reading.day, kilograms: reading.kilograms - energy / energyPerKilogram)
      })
  }

  /// How far an estimate can be relied on: by how many of its days were logged, and its standard error as a share of it:
  /// that of slow water alone takes it five weeks to be medium, and ten to be high.
  private static func confidence(
    _ estimate: ExpenditureEstimate, share: Double, error: Double
  ) -> ExpenditureConfidence {
    if estimate.clamped { return .low }
    if share >= 0.85, error <= 0.05 { return .high }
    if share >= 0.7, error <= 0.1 { return .medium }
    return .low
  }

  /// A number as whole kcal; nil when it has none.
  static func whole(_ value: Double) -> Int? { Int(exactly: value.rounded(.toNearestOrAwayFromZero)) }
}

extension ExpenditureEstimate {
  /// The same with the reason why it has no value.
  fileprivate func without(_ reason: ExpenditureReason) -> ExpenditureEstimate {
    var estimate = self
    estimate.reason = reason
    return estimate
  }
}
