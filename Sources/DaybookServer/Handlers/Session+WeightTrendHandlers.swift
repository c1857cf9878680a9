import CivilTime
import DaybookProtocol
import FileStore
import JSONRPC
import Nutrition
import Values

extension Session {
  /// The trend of all weights. Remembered until anything changes, which changes no answer.
  func weightTrend() throws(RPCError) -> WeightTrend {
    if let weightTrendCache { return weightTrendCache }
    var weights: [(day: CivilDay, kilograms: Decimal)] = []
    for record in try snapshot().records(in: SessionConstants.weights) {
      let entry = try decode(WeightEntry.self, record)
      weights.append((entry.day, entry.weight))
    }
    let trend = WeightTrend(WeightReading.byDay(weights))
    weightTrendCache = trend
    return trend
  }

  func weightsTrend(_ params: WeightsTrendParams) throws(RPCError) -> WeightsTrendResult {
    let to = params.to ?? currentDay
    let from = params.from ?? max(CivilDay.allowed.lowerBound, to.advanced(by: -89))
    guard from <= to else {
      throw RPCError(
        .invalidParams, "the range ends before it begins", pointer: "/to", allowed: "a day from \(from) on")
    }
    let longest = SessionConstants.longestSeries
    guard Int(to.daysSinceEpoch) - Int(from.daysSinceEpoch) < longest else {
      throw RPCError(
        .invalidParams, "the range has more than \(longest) days", pointer: "/from",
        allowed: "a day from \(to.advanced(by: 1 - longest)) on")
    }
    let trend = try weightTrend()
    return WeightsTrendResult(
      days: trend.days(from...to), slope: FittedLine(trend.counting(from...to))?.perWeek, revision: try revision())
  }

  func weightsProgress(_ params: WeightsProgressParams) throws(RPCError) -> WeightsProgressResult {
    let day = params.day ?? currentDay
    let settings = try settings()
    let trend = try weightTrend()
    var result = WeightsProgressResult(
      day: day, start: settings.startingWeight, target: settings.targetWeight, revision: try revision())
    let (start, target) = (settings.startingWeight, settings.targetWeight)
    if let latest = GoalProjection.latest(trend, upTo: day) {
      let weight = Decimal(rounding: latest.kilograms, toScale: 3)
      result.latest = weight
      result.latestDay = latest.day
      result.trend = trend.value(on: latest.day).flatMap { Decimal(rounding: $0, toScale: 3) }
      result.lost = weight.flatMap { start.subtracting($0)?.normalized }
      let rest = weight.flatMap { target < start ? $0.subtracting(target) : target.subtracting($0) }
      result.remaining = rest.map { max(.zero, $0).normalized }
      result.slope = GoalProjection.line(trend, upTo: day)?.perWeek
    }
    switch GoalProjection.outcome(trend, start: start.double, target: target.double, on: day) {
    case .dates(let dates): result.goal = dates
    case .obstacle(let obstacle): result.obstacle = obstacle
    }
    return result
  }
}
