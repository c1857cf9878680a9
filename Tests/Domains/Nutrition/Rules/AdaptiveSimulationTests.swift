import DaybookProtocol
import SettingsDocument
import Testing

@testable import Nutrition

/// Two hundred runs for each of several people with a known expenditure.
struct AdaptiveSimulationTests {
  struct Trial: CustomTestStringConvertible, Sendable {
    let name: String
    let person: SimulatedPerson
    var days = 28
    /// The least share of runs with an answer, and of answers within 5 %.
    var answered = 1.0
    var within = 0.95
    var testDescription: String { name }
  }

  static let trials = [
    Trial(
      name: "a loss of half a kilogram a week", person: SimulatedPerson(expenditure: 2763, weight: 82.5, intake: 2263)),
    Trial(name: "a small person losing", person: SimulatedPerson(expenditure: 1850, weight: 58, intake: 1500)),
    Trial(name: "a large person losing fast", person: SimulatedPerson(expenditure: 3600, weight: 120, intake: 2600)),
    Trial(name: "keeping the weight", person: SimulatedPerson(expenditure: 2400, weight: 70, intake: 2400)),
    Trial(name: "a gain", person: SimulatedPerson(expenditure: 2900, weight: 75, intake: 3250)),
    Trial(
      name: "a fast every week", person: SimulatedPerson(expenditure: 2500, weight: 75, intake: 2600, fastsEvery: 7)),
    Trial(
      name: "weights on four days of seven",
      person: SimulatedPerson(expenditure: 2763, weight: 82.5, intake: 2263, weighs: 4.0 / 7), days: 42, answered: 0.98),
    Trial(
      name: "meals on five days of seven",
      person: SimulatedPerson(expenditure: 2763, weight: 82.5, intake: 2263, logs: 5.0 / 7), days: 42, answered: 0.85),
    Trial(
      name: "water that stays for days",
      person: SimulatedPerson(expenditure: 2763, weight: 82.5, intake: 2263, scatter: 0.005, waterMemory: 0.6),
      days: 42,
      within: 0.85),
    Trial(
      name: "water that swings by the month",
      person: SimulatedPerson(expenditure: 2200, weight: 65, intake: 1800, monthlySwing: 0.5), days: 56, within: 0.9),
  ]

  @Test("A known expenditure is estimated within 5 %", arguments: trials)
  func simulated(_ trial: Trial) {
    let runs = 200
    let errors = trial.person.errors(days: trial.days, runs: runs)
    let within = Double(errors.filter { $0 <= 0.05 }.count) / Double(max(1, errors.count))
    let answered = Double(errors.count) / Double(runs)
    let median = errors.isEmpty ? 1 : errors[errors.count / 2]
    print(
      "expenditure \(Int(trial.person.expenditure)) kcal, \(trial.days) days, \(trial.name): answered \(percent(answered)),",
      "within 5 % \(percent(within)), median error \(percent(median)), largest \(percent(errors.last ?? 1))")
    #expect(answered >= trial.answered)
    #expect(within >= trial.within)
    #expect(median <= 0.03)
  }

  private func percent(_ share: Double) -> String { "\((share * 1000).rounded() / 10) %" }

  @Test("Two standard errors cover 95 %", arguments: [0.0, 0.6])
  func uncertainty(_ waterMemory: Double) {
    let person = SimulatedPerson(
      expenditure: 2763, weight: 82.5, intake: 2263, scatter: 0.005, waterMemory: waterMemory)
    let estimates = (0..<300).map { person.estimate(days: 35, seed: $0) }
    let held = estimates.filter { estimate in
      guard let value = estimate.expenditure, let uncertainty = estimate.uncertainty else { return true }
      return abs(Double(value) - person.expenditure) <= Double(uncertainty)
    }
    #expect(Double(held.count) / 300 >= 0.85)
  }

  @Test(
    "Slow water swings and partly logged days are neither of high confidence nor proposed",
    arguments: [
      (0.8, 28.0, 0, 28), (1.5, 28, 0, 28), (1.5, 28, 0, 42), (0.8, 42, 0, 42), (1.5, 28, 0, 84), (1.5, 42, 0, 84),
      (0, 28, 7, 42), (0, 28, 7, 84), (0.8, 28, 7, 42), (0, 28, 5, 42),
    ] as [(Double, Double, Int, Int)])
  func honest(_ swing: Double, _ turn: Double, _ halfLogged: Int, _ days: Int) {
    let person = SimulatedPerson(
      expenditure: 2763, weight: 82.5, intake: 2263, monthlySwing: swing, swingDays: turn, halfLogged: halfLogged)
    let estimates = (0..<300).map { person.estimate(days: days, seed: $0) }
    let answered = estimates.filter { $0.expenditure != nil }
    let held = answered.filter { estimate in
      abs(Double(estimate.expenditure ?? 0) - person.expenditure) <= Double(estimate.uncertainty ?? 0)
    }
    // The settings have the true value, so that nothing should be proposed.
    var settings = SettingsRules.defaults
    settings.totalCalories = Int(person.expenditure)
    let proposed = answered.filter { estimate in
      if case .propose = ProposalRules.outcome(estimate, settings: settings) { return true }
      return false
    }
    let high = answered.count { $0.confidence == .high }
    #expect(Double(held.count) >= 0.95 * Double(answered.count))
    #expect(Double(proposed.count) <= 0.05 * Double(max(1, answered.count)))
    if halfLogged > 0 || days < 70 { #expect(high == 0) }
  }

  @Test("More days narrow the interval")
  func convergence() {
    let person = SimulatedPerson(expenditure: 2763, weight: 82.5, intake: 2263)
    let errors = [15, 22, 29, 42].map { days in
      let errors = person.errors(days: days, runs: 200)
      return errors.reduce(0, +) / Double(max(1, errors.count))
    }
    #expect(errors == errors.sorted(by: >))
  }
}
