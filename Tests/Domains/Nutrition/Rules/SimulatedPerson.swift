import CivilTime
import DaybookProtocol
import FileStoreTesting

@testable import Nutrition

/// Somebody who burns a known amount and logs what they eat and weigh, more or less well.
struct SimulatedPerson {
  /// What they burn, kcal a day: the same every day.
  var expenditure: Double
  /// What they weigh at first, kg.
  var weight: Double
  /// What they eat on a usual day, kcal, and how much it varies.
  var intake: Double
  var intakeScatter = 250.0
  /// By how much the scales vary from day to day, as a share of the weight: four in a thousand is usual.
  var scatter = 0.004
  /// How much of today's water is there tomorrow: 0 for none.
  var waterMemory = 0.0
  /// A swing of the water over so many days, kg above and below the mean.
  var monthlySwing = 0.0
  var swingDays = 28.0
  /// Of how many days in a row, of each so many, only half is logged; 0 for none.
  var halfLogged = 0
  var halfLoggedEvery = 14
  /// The chance that a day is logged, and that it has a weight.
  var logs = 1.0
  var weighs = 1.0
  /// A fast every so many days; nil for none.
  var fastsEvery: Int?

  static let start = CivilDay(daysSinceEpoch: 20_000)

  /// What they logged in so many days, and what there is to be said the day after.
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

  /// Up and down between −1 and 1 once a turn.
  private func triangle(_ turns: Double) -> Double { 4 * abs(turns - turns.rounded()) - 1 }

  /// The evidence of weights and intake, with the basal rate of somebody who burns 1.55 times that.
  func evidence(_ readings: [WeightReading], _ intake: [CivilDay: Int]) -> AdaptiveExpenditure.Evidence {
    let basal = expenditure / 1.55
    return AdaptiveExpenditure.Evidence(trend: WeightTrend(WeightSlips.marked(readings)), intake: intake) { _ in basal }
  }

  /// The estimate after so many days.
  func estimate(days: Int, seed: Int) -> ExpenditureEstimate {
    AdaptiveExpenditure.estimate(evidence(days: days, seed: seed), on: SimulatedPerson.start.advanced(by: days))
  }

  /// How far the estimates of many runs are from the truth, as shares of it, ascending; and how many there are.
  func errors(days: Int, runs: Int) -> [Double] {
    (0..<runs).compactMap { seed in
      estimate(days: days, seed: seed).expenditure.map { abs(Double($0) - expenditure) / expenditure }
    }.sorted()
  }
}

extension SeededGenerator {
  /// Normally distributed about zero with a deviation of one, near enough: twelve uniform numbers added up.
  mutating func normal() -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &self) }
  }
}
