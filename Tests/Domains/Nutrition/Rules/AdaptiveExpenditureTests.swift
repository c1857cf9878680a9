import DaybookProtocol
import FileStoreTesting
import SettingsDocument
import Testing

@testable import Nutrition

struct AdaptiveExpenditureTests {
  private let person = SimulatedPerson(expenditure: 2763, weight: 82.5, intake: 2263, intakeScatter: 0, scatter: 0)
  private let start = SimulatedPerson.start

  private func weights(_ days: some Sequence<Int>, perDay: Double = -0.065) -> [WeightReading] {
    days.map { WeightReading(day: start.advanced(by: $0), kilograms: 82.5 + perDay * Double($0)) }
  }

  private func intake(_ days: some Sequence<Int>, _ calories: Int = 2263) -> [CivilDay: Int] {
    Dictionary(uniqueKeysWithValues: days.map { (start.advanced(by: $0), calories) })
  }

  private func estimate(_ weights: [WeightReading], _ intake: [CivilDay: Int], on day: Int) -> ExpenditureEstimate {
    AdaptiveExpenditure.estimate(person.evidence(weights, intake), on: start.advanced(by: day))
  }

  @Test("Without scatter the expenditure is exact, from the shortest span on", arguments: [15, 21, 28, 43, 100])
  func exact(_ days: Int) {
    let estimate = estimate(weights(0..<days, perDay: -500.0 / 7700), intake(0..<days), on: days)
    #expect(estimate.expenditure == 2763 && estimate.intake == 2263 && !estimate.clamped)
    #expect(estimate.reason == nil)
    #expect(estimate.days == min(days, 84) - 1)
  }

  @Test("Uneven intake does not bias the estimate")
  func uneven() {
    let eaten = Dictionary(uniqueKeysWithValues: (0..<28).map { (start.advanced(by: $0), $0 < 9 ? 3200 : 1800) })
    var weight = 82.5
    let weights = (0..<28).map { day in
      defer { weight += (Double(day < 9 ? 3200 : 1800) - 2763) / 7700 }
      return WeightReading(day: start.advanced(by: day), kilograms: weight)
    }
    #expect(estimate(weights, eaten, on: 28).expenditure == 2763)
  }

  @Test("Fasts count, unlogged days do not")
  func fasts() {
    let perDay = (2263.0 * 6 / 7 - 2763) / 7700
    var eaten = intake(0..<28)
    for day in stride(from: 3, to: 28, by: 7) { eaten[start.advanced(by: day)] = 0 }
    let fasted = estimate(weights(0..<28, perDay: perDay), eaten, on: 28)
    #expect(abs((fasted.expenditure ?? 0) - 2763) < 60)
    for day in stride(from: 3, to: 28, by: 7) { eaten[start.advanced(by: day)] = nil }
    let unlogged = estimate(weights(0..<28, perDay: perDay), eaten, on: 28)
    #expect((unlogged.expenditure ?? 0) > 3000)
    #expect(unlogged.loggedDays == 23 && fasted.loggedDays == 27)
  }

  @Test("Missing requirements give no estimate but a reason")
  func gates() {
    #expect(estimate([], [:], on: 28).reason == .tooFewWeights)
    #expect(estimate(weights(0..<28), [:], on: 28).reason == .tooFewLoggedDays)
    #expect(estimate(weights(0..<28), intake(0..<9), on: 28).reason == .tooFewLoggedDays)
    #expect(estimate(weights(stride(from: 0, to: 28, by: 2)), intake(0..<14), on: 28).reason == .tooFewLoggedDays)
    #expect(estimate(weights([0, 7, 14, 21, 27]), intake(0..<28), on: 28).reason == .tooFewWeights)
    #expect(estimate(weights(0..<14), intake(0..<14), on: 14).reason == .spanTooShort)
    #expect(estimate(weights(0..<28), intake(0..<40), on: 35).reason == .weightsTooOld)
    #expect(estimate(weights(0..<28), intake(0..<28), on: 100).reason == .weightsTooOld)
    #expect(estimate(weights(0..<28), intake(0..<28), on: 34).expenditure != nil)
    for reason in [estimate([], [:], on: 28), estimate(weights(0..<14), intake(0..<14), on: 14)] {
      #expect(reason.expenditure == nil && reason.confidence == nil && reason.uncertainty == nil)
    }
  }

  @Test("Implausible values are clamped, or refused far beyond the bounds")
  func bounds() {
    // Basal rate 1782.6: the bounds are 1960.9 and 4456.5.
    let high = estimate(weights(0..<28, perDay: 0), intake(0..<28, 4600), on: 28)
    #expect(high.expenditure == 4456 && high.clamped && high.confidence == .low)
    let low = estimate(weights(0..<28, perDay: 0), intake(0..<28, 1700), on: 28)
    #expect(low.expenditure == 1961 && low.clamped && low.confidence == .low)
    #expect(estimate(weights(0..<28, perDay: 0), intake(0..<28, 6000), on: 28).reason == .implausible)
    #expect(estimate(weights(0..<28, perDay: 0), intake(0..<28, 1200), on: 28).reason == .implausible)
    #expect(estimate(weights(0..<28, perDay: 0.3), intake(0..<28), on: 28).reason == .implausible)
  }

  @Test("A single outlier changes it by less than a hundredth", arguments: Array(1..<27), [0, 1, 150, 600, 20_000])
  func slips(_ at: Int, _ slip: Int) throws {
    var eaten = intake(0..<28)
    // A marked fast is not an unfinished day.
    eaten[start.advanced(by: at)] = slip == 0 ? nil : slip
    var weights = weights(0..<28, perDay: -500.0 / 7700)
    weights[at].kilograms = slip % 2 == 0 ? 8.25 : 182
    let value = try #require(estimate(weights, eaten, on: 28).expenditure)
    #expect(abs(value - 2763) <= 28)
  }

  @Test("Frequent small days are a habit and count")
  func habit() {
    var eaten = intake(0..<28, 2500)
    for day in 0..<28 where day % 7 == 2 || day % 7 == 5 { eaten[start.advanced(by: day)] = 550 }
    #expect(estimate(weights(0..<28, perDay: 0), eaten, on: 28).loggedDays == 27)
  }

  @Test("Implausible entries change nothing", arguments: 0..<300)
  func garbage(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let days = Int.random(in: 0...60, using: &random)
    let spread = Double.random(in: 5...200, using: &random)
    var eaten: [CivilDay: Int] = [:]
    var weights: [WeightReading] = []
    for day in 0..<days {
      if Int.random(in: 0..<4, using: &random) > 0 {
        eaten[start.advanced(by: day)] = Int.random(in: 0...20_000, using: &random)
      }
      if Int.random(in: 0..<4, using: &random) > 0 {
        let weight = 250 + Double.random(in: -spread...spread, using: &random)
        weights.append(WeightReading(day: start.advanced(by: day), kilograms: weight))
      }
    }
    let estimate = estimate(weights, eaten, on: days)
    #expect((estimate.expenditure == nil) == (estimate.reason != nil))
    if let value = estimate.expenditure { #expect((1960...4457).contains(value)) }
    guard case .nothing = ProposalRules.outcome(estimate, settings: SettingsRules.defaults) else {
      Issue.record("\(estimate)")
      return
    }
  }

  @Test("Extreme numbers do not trap", arguments: [0.0, 1e-300, 1e300, .infinity, .nan])
  func extremes(_ kilograms: Double) {
    let weights = (0..<28).map { WeightReading(day: start.advanced(by: $0), kilograms: $0 % 2 == 0 ? kilograms : 82) }
    let estimate = estimate(weights, intake(0..<28, .max), on: 28)
    #expect(estimate.expenditure == nil)
  }

  @Test("The series has every day, gaps included, and the estimate as of each day's end")
  func series() {
    let evidence = person.evidence(weights(0..<28, perDay: -500.0 / 7700), intake(0..<28))
    let series = AdaptiveExpenditure.series(evidence, start.advanced(by: -2)...start.advanced(by: 40))
    #expect(series.map(\.day) == (-2...40).map { start.advanced(by: $0) })
    #expect(series[0].calories == nil && series[0].trend == nil && series[2].calories == 2263)
    #expect(series.prefix(16).allSatisfy { $0.expenditure == nil })
    #expect(series[16...29].allSatisfy { $0.expenditure == 2763 })
    #expect(series[29].expenditure == AdaptiveExpenditure.estimate(evidence, on: start.advanced(by: 28)).expenditure)
    #expect(series.last?.expenditure == nil)
  }
}
