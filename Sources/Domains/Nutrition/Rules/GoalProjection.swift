import DaybookProtocol

/// Projects when a target weight will be reached.
package enum GoalProjection {
  /// The length of the slope's window, days, the latest reading included.
  package static let window = 28
  /// The greatest age of the latest reading, days.
  static let oldest = 14
  /// Requirements of a slope.
  static let fewestReadings = 4
  static let shortestSpan = 14
  /// Ten years, in days.
  static let farthest = 3653

  package enum Outcome: Sendable, Equatable {
    case dates(GoalDates)
    case obstacle(GoalObstacle)
  }

  /// The line through the 28 days that end with the latest reading up to a day; nil with too few readings.
  package static func line(_ trend: WeightTrend, upTo day: CivilDay) -> FittedLine? {
    guard let latest = latest(trend, upTo: day) else { return nil }
    return FittedLine(trend.validReadings(in: latest.day.advanced(by: 1 - window)...latest.day))
  }

  /// The latest valid reading up to a day.
  package static func latest(_ trend: WeightTrend, upTo day: CivilDay) -> WeightReading? {
    trend.readings.last { !$0.isOutlier && $0.day <= day }
  }

  /// The projection on a day for the way from `start` to `target`, both kg: where the line of the last 28 days meets the target.
  /// The trend would meet it later, as it lags by nine days in a steady loss.
  package static func outcome(
    _ trend: WeightTrend, start: Double, target: Double, on day: CivilDay
  ) -> Outcome {
    guard let latest = latest(trend, upTo: day), let smoothed = trend.value(on: latest.day) else {
      return .obstacle(.noWeights)
    }
    let line = line(trend, upTo: day)
    let now = line?.end ?? smoothed
    let direction = target < start ? -1.0 : 1.0
    let rest = (target - now) * direction
    guard rest > 0, target != start else { return .obstacle(.reached) }
    guard Int(day.daysSinceEpoch) - Int(latest.day.daysSinceEpoch) <= oldest else { return .obstacle(.tooOld) }
    guard let line, line.count >= fewestReadings,
      Int(line.to.daysSinceEpoch) - Int(line.from.daysSinceEpoch) >= shortestSpan
    else { return .obstacle(.tooFewWeights) }
    let speed = line.slope * direction
    guard speed > 0, speed > line.standardError else { return .obstacle(.leadsAway) }
    guard let earliest = self.day(latest.day, after: rest / (speed + 2 * line.standardError)),
      let likely = self.day(latest.day, after: rest / speed)
    else { return .obstacle(.tooFar) }
    let slowest = speed - 2 * line.standardError
    return .dates(
      GoalDates(
        earliest: earliest, likely: likely, latest: slowest > 0 ? self.day(latest.day, after: rest / slowest) : nil))
  }

  /// The day after a number of days; nil beyond ten years.
  private static func day(_ from: CivilDay, after days: Double) -> CivilDay? {
    guard let whole = Int(exactly: days.rounded(.up)), whole <= farthest else { return nil }
    let day = from.advanced(by: whole)
    return CivilDay.allowed.contains(day) ? day : nil
  }
}
