import DomainKit
import Nutrition

extension NutritionService {
  /// The trend of all weights, cached until a weight changes.
  func weightTrend(_ context: Context) throws(RPCError) -> WeightTrend {
    try weightTrend.current(context, [WeightEntry.collection]) { () throws(RPCError) in
      WeightTrend(try weightReadings(in: nil, context))
    }
  }

  /// A trend that can be read from a day on, for a process that asks once: a year before it is enough, as what is older
  /// than `WeightTrend.memory` adds less than a `Double` holds.
  func weightTrend(from day: CivilDay, _ context: Context) throws(RPCError) -> WeightTrend {
    let first = day.advanced(by: -WeightTrend.memory * 5 / 4)
    if weightTrend.latest(context.folder) == nil, first > CivilDay.allowed.lowerBound {
      let readings = try weightReadings(in: first...CivilDay.allowed.upperBound, context)
      // Of fewer readings, earlier ones can decide which are outliers.
      let old = readings.prefix { $0.day <= day.advanced(by: -WeightTrend.memory) }
      if old.count > 2 * WeightOutliers.neighbours { return WeightTrend(readings) }
    }
    return try weightTrend(context)
  }

  private func weightReadings(
    in days: ClosedRange<CivilDay>?, _ context: Context
  ) throws(RPCError) -> [WeightReading] {
    var weights: [(day: CivilDay, kilograms: Decimal)] = []
    for record in try context.snapshot().records(in: WeightEntry.collection, days: days) {
      let entry = try context.decode(WeightEntry.self, record)
      weights.append((entry.day, entry.weight))
    }
    return WeightReading.byDay(weights)
  }

  /// The weight to compute energy from, kg: the trend's latest value, else the latest weight.
  package func energyWeight(_ context: Context) throws(RPCError) -> EnergyWeight? {
    let trend = try weightTrend(context)
    let days = CivilDay.allowed.lowerBound...context.today
    if let day = trend.lastDay(in: days), let value = trend.value(on: day),
      let weight = Decimal(rounding: value, toScale: 2)
    {
      return EnergyWeight(weight: weight, source: .trend)
    }
    return trend.readings.last { $0.day <= context.today }
      .flatMap { Decimal(rounding: $0.kilograms, toScale: 2) }.map { EnergyWeight(weight: $0, source: .latest) }
  }

  func weightsTrend(_ params: WeightsTrendParams, _ context: inout Context) throws(RPCError) -> WeightsTrendResult {
    let days = try drawnDays(params.from, params.to, context)
    let trend = try weightTrend(context)
    return WeightsTrendResult(
      days: trend.days(days), slope: FittedLine(trend.validReadings(in: days))?.perWeek,
      revision: try context.storeRevision())
  }

  /// The days of a series, 90 by default.
  ///
  /// - Throws: `invalidParams` for more than `longestSeries` days.
  func drawnDays(_ from: CivilDay?, _ to: CivilDay?, _ context: Context) throws(RPCError) -> ClosedRange<CivilDay> {
    let to = to ?? context.currentDay
    let from = from ?? max(CivilDay.allowed.lowerBound, to.advanced(by: -89))
    let days = try RPCError.days(from, to)
    let longest = NutritionConstants.longestSeries
    guard days.dayCount <= longest else {
      throw RPCError(
        .invalidParams, "the range has more than \(longest) days", pointer: "/from",
        allowed: "a day from \(to.advanced(by: 1 - longest)) on")
    }
    return days
  }

  func weightsSeries(_ params: WeightsSeriesParams, _ context: inout Context) throws(RPCError) -> WeightsSeriesResult {
    let bucket = params.bucket ?? .day
    let first = (params.firstWeekday ?? context.firstWeekday).index
    let to = params.to ?? context.currentDay
    let trend = try weightTrend(context)
    let from = params.from ?? min(trend.readings.first?.day ?? to, to)
    let days = try series(bucket, from, to, firstWeekday: first)
    return WeightsSeriesResult(
      bucket: bucket, points: WeightSeries.points(bucket, in: days, of: trend, firstWeekday: first),
      revision: try context.storeRevision())
  }

  func weightsProgress(_ params: WeightsProgressParams, _ context: inout Context) throws(RPCError)
    -> WeightsProgressResult
  {
    let day = params.day ?? context.currentDay
    let settings = try context.settings()
    let trend = try weightTrend(context)
    var result = WeightsProgressResult(
      day: day, start: settings.startingWeight, target: settings.targetWeight, revision: try context.storeRevision())
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
