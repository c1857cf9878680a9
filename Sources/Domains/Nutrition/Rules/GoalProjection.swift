import CivilTime
import DaybookProtocol
import Values

/// When a target weight will be reached if it goes on as it does.
package enum GoalProjection {
  /// The days whose weights make the slope, the latest among them.
  package static let window = 28
  /// From this age on, in days, the latest weight says nothing about today.
  static let oldest = 14
  /// The least that a slope is made of.
  static let fewestReadings = 4
  static let shortestSpan = 14
  /// Ten years, in days.
  static let farthest = 3653

  /// The dates, or why there are none.
  package enum Outcome: Sendable, Equatable {
    case dates(GoalDates)
    case obstacle(GoalObstacle)
  }

  /// The slope of the 28 days that end with the latest reading up to a day; nil when there are too few.
  package static func line(_ trend: WeightTrend, upTo day: CivilDay) -> FittedLine? {
    guard let latest = latest(trend, upTo: day) else { return nil }
    return FittedLine(trend.counting(latest.day.advanced(by: 1 - window)...latest.day))
  }

  /// The latest reading that counts, up to a day.
  package static func latest(_ trend: WeightTrend, upTo day: CivilDay) -> WeightReading? {
    trend.readings.last { !$0.isSlip && $0.day <= day }
  }

  /// When the way from `start` to `target`, both kg, will be gone, seen from a day: where the line through the weights of 28
  /// days meets the target. (The trend would meet it later: in a steady loss it is nine days behind.)
  package static func outcome(
    _ trend: WeightTrend, start: Double, target: Double, on day: CivilDay
  ) -> Outcome {
    guard let latest = latest(trend, upTo: day), let smoothed = trend.value(on: latest.day) else {
      return .obstacle(.noWeights)
    }
    let line = line(trend, upTo: day)
    let now = line?.end ?? smoothed
    // Without a way to go, or with the target behind, there is nothing to project.
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

  /// The day by which so many days have passed; nil beyond ten years.
  private static func day(_ from: CivilDay, after days: Double) -> CivilDay? {
    guard let whole = Int(exactly: days.rounded(.up)), whole <= farthest else { return nil }
    let day = from.advanced(by: whole)
    return CivilDay.allowed.contains(day) ? day : nil
  }
}
