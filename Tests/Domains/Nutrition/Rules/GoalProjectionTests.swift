import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Nutrition

struct GoalProjectionTests {
  private let start = CivilDay(daysSinceEpoch: 20_000)

  private func trend(_ weights: [(Int, Double)]) -> WeightTrend {
    WeightTrend(WeightOutliers.marked(weights.map { WeightReading(day: start.advanced(by: $0.0), kilograms: $0.1) }))
  }

  private func steady(_ perDay: Double, noise: Double = 0.1) -> WeightTrend {
    trend(
      (0..<28).map { day in
        let water: Double = day % 2 == 0 ? noise : -noise
        return (day, 85 + perDay * Double(day) + water)
      })
  }

  @Test("The fitted line of collinear points is their line", arguments: [-0.1, 0, 0.03])
  func exact(_ slope: Double) throws {
    let readings = [0, 1, 5, 9, 20].map {
      WeightReading(day: start.advanced(by: $0), kilograms: 80 + slope * Double($0))
    }
    let line = try #require(FittedLine(readings))
    #expect(abs(line.slope - slope) < 1e-9 && line.standardError < 1e-9)
    #expect(abs(line.end - (80 + slope * 20)) < 1e-9)
    #expect(line.from == start && line.to == start.advanced(by: 20) && line.count == 5)
  }

  @Test("82.5 and 81.5 a week apart, with one between, are a kilogram a week")
  func perWeek() throws {
    let readings = [(0, 82.5), (3, 82.5 - 3.0 / 7), (7, 81.5)].map {
      WeightReading(day: start.advanced(by: $0.0), kilograms: $0.1)
    }
    #expect(try #require(FittedLine(readings)?.perWeek).perWeek == Decimal(-1))
  }

  @Test("Two weights, or less than a week of them, have no slope")
  func tooFew() {
    #expect(
      FittedLine([(0, 80.0), (20, 79.0)].map { WeightReading(day: start.advanced(by: $0.0), kilograms: $0.1) }) == nil)
    #expect(FittedLine((0..<7).map { WeightReading(day: start.advanced(by: $0), kilograms: 80) }) == nil)
  }

  @Test("The goal of a steady loss is where its line meets the target")
  func steadyLoss() throws {
    let outcome = GoalProjection.outcome(steady(-0.1), start: 85, target: 80, on: start.advanced(by: 30))
    guard case .dates(let dates) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(abs(Int(dates.likely.daysSinceEpoch) - Int(start.daysSinceEpoch) - 50) <= 1)
    let latest = try #require(dates.latest)
    #expect(dates.earliest <= dates.likely && dates.likely <= latest)
  }

  @Test("A target above the start is projected, too")
  func gain() {
    let outcome = GoalProjection.outcome(steady(0.05), start: 85, target: 88, on: start.advanced(by: 28))
    guard case .dates = outcome else {
      Issue.record("\(outcome)")
      return
    }
  }

  @Test(
    "Without a projection there is a reason",
    arguments: [
      (-0.1, 80.0, 42, GoalObstacle.tooOld), (0.1, 80, 28, .leadsAway), (0, 80, 28, .leadsAway),
      (-0.1, 84, 28, .reached),
      (-0.1, 85, 28, .reached), (-0.008, 40, 28, .tooFar), (-0.1, 80, 3, .tooFewWeights), (-0.1, 80, -1, .noWeights),
    ])
  func obstacles(_ perDay: Double, _ target: Double, _ on: Int, _ obstacle: GoalObstacle) {
    let trend = steady(perDay)
    #expect(GoalProjection.outcome(trend, start: 85, target: target, on: start.advanced(by: on)) == .obstacle(obstacle))
  }

  @Test("The range contains the true day in about 95 % of the runs")
  func coverage() {
    var random = SeededGenerator(seed: 4)
    var hits = 0
    for _ in 0..<200 {
      let trend = trend((0..<28).map { ($0, 85 - 0.1 * Double($0) + 0.4 * random.normal()) })
      guard
        case .dates(let dates) = GoalProjection.outcome(trend, start: 85, target: 78, on: start.advanced(by: 28))
      else { continue }
      let day = start.advanced(by: 70)
      if dates.earliest <= day, day <= dates.latest ?? CivilDay.allowed.upperBound { hits += 1 }
    }
    #expect(hits >= 170)
  }
}
