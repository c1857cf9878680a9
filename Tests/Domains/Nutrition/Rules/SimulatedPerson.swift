import DaybookProtocol
import FileStoreTesting

@testable import Nutrition

/// A simulated person with a known expenditure, who logs meals and weights more or less well.
struct SimulatedPerson {
  /// The constant expenditure, kcal a day.
  var expenditure: Double
  /// The starting weight, kg.
  var weight: Double
  /// The usual daily intake and its variation, kcal.
  var intake: Double
  var intakeScatter = 250.0
  /// The daily variation of the scales, as a share of the weight: 0.004 is usual.
  var scatter = 0.004
  /// The share of today's water that remains tomorrow.
  var waterMemory = 0.0
  /// The period, days, and amplitude, kg, of slow water swings.
  var monthlySwing = 0.0
  var swingDays = 28.0
  /// How many consecutive days of each period are only half logged; 0 for none.
  var halfLogged = 0
  var halfLoggedEvery = 14
  /// The chance that a day is logged, and that it has a weight.
  var logs = 1.0
  var weighs = 1.0
  /// The interval between fasts, days; nil for none.
  var fastsEvery: Int?

  static let start = CivilDay(daysSinceEpoch: 20_000)

  /// The evidence that a number of days leaves for the day after.
  func evidence(days: Int, seed: Int) -> AdaptiveExpenditure.Evidence {
    var random = SeededGenerator(seed: UInt64(seed))
    var readings: [WeightReading] = []
    var eaten: [CivilDay: Int] = [:]
    var weight = weight
    var water = 0.0
    let phase = Double.random(in: 0..<1, using: &random)
    for number in 0..<days {
      let day = SimulatedPerson.start.advanced(by: number)
      water = waterMemory * water + (1 - waterMemory * waterMemory).squareRoot() * random.normal() * scatter * weight
      let swing = monthlySwing * triangle(Double(number) / swingDays + phase)
      if Double.random(in: 0..<1, using: &random) < weighs {
        let shown = ((weight + water + swing) * 10).rounded() / 10
        readings.append(WeightReading(day: day, kilograms: shown))
      }
      let isFast = fastsEvery.map { number % $0 == $0 - 1 } ?? false
      let calories = isFast ? 0 : max(600, intake + intakeScatter * random.normal()).rounded()
      if Double.random(in: 0..<1, using: &random) < logs {
        eaten[day] = Int(number % halfLoggedEvery < halfLogged ? calories / 2 : calories)
      }
      weight += (calories - expenditure) / 7700
    }
    return evidence(readings, eaten)
  }

  /// A wave between −1 and 1.
  private func triangle(_ turns: Double) -> Double { 4 * abs(turns - turns.rounded()) - 1 }

  /// Evidence with a basal rate of expenditure ÷ 1.55.
  func evidence(_ readings: [WeightReading], _ intake: [CivilDay: Int]) -> AdaptiveExpenditure.Evidence {
    let basal = expenditure / 1.55
    return AdaptiveExpenditure.Evidence(trend: WeightTrend(WeightOutliers.marked(readings)), intake: intake) { _ in
      basal
    }
  }

  /// The estimate after a number of days.
  func estimate(days: Int, seed: Int) -> ExpenditureEstimate {
    AdaptiveExpenditure.estimate(evidence(days: days, seed: seed), on: SimulatedPerson.start.advanced(by: days))
  }

  /// The relative errors of many runs, ascending, and their number.
  func errors(days: Int, runs: Int) -> [Double] {
    (0..<runs).compactMap { seed in
      estimate(days: days, seed: seed).expenditure.map { abs(Double($0) - expenditure) / expenditure }
    }.sorted()
  }
}

extension SeededGenerator {
  /// An approximate standard normal distribution: the sum of twelve uniform numbers.
  mutating func normal() -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &self) }
  }
}
