import DaybookProtocol
import Values

/// Decides which way a proposal goes, and how far.
package struct ProgressionEngine {
  /// Which way, and why.
  package struct Decision: Equatable {
    package var outcome: ProgressionOutcome
    package var code: ProgressionCode
    package var confidence: Double
    package var score: Double?
    package var factors: [ProgressionFactor] = []
  }

  let given: ProgressionCase

  package init(_ given: ProgressionCase) { self.given = given }

  /// The first that applies: what the user said; too many sessions that were not met; whether all sets reached the upper repetitions; too few
  /// sets to tell; the score. Nil by the rule alone.
  ///
  /// - Parameter base: What was reached last.
  package func decision(_ base: Double) -> Decision? {
    if let choice = given.choice { return Decision(outcome: choice, code: .manual, confidence: 0.95) }
    if let after = given.rule.deloadAfter, let state = given.state, state.missed ?? state.failures >= after {
      return Decision(outcome: .regress, code: .deload, confidence: 0.9)
    }
    if given.rule.isDouble, let top = given.targets.compactMap(\.reps).max() {
      let sets = given.last.filter { given.value(of: $0.set.actual) != nil && $0.set.actual?.reps != nil }
      let isMet = sets.allSatisfy { $0.set.actual?.reps ?? 0 >= top } && sets.count { $0.isFirstSide } >= expected
      return Decision(outcome: isMet ? .progress : .stay, code: .doubleProgression, confidence: 0.78)
    }
    guard let profile = given.profile else { return nil }
    let observed = observed
    if observed < max(1, profile.minimumSets) || ratio < profile.minimumRatio {
      return Decision(outcome: .stay, code: .gate, confidence: 0.72)
    }
    return weighed(profile, signals(base))
  }

  /// Sets of the plan that have the metric.
  private var expected: Int { given.targets.count { given.value(of: $0.values) != nil } }
  private var observed: Int { given.last.count { $0.isFirstSide && given.value(of: $0.set.actual) != nil } }
  private var ratio: Double { expected == 0 ? 1 : min(1, Double(observed) / Double(expected)) }

  /// Completion, performance, effort, confidence, streak: each 0 to 1.
  func signals(_ base: Double) -> [Double] {
    let streak = given.state.map { 0.5 + 0.1 * Double($0.successes - $0.failures) } ?? 0.5
    return [ratio, performance(base), effort, given.state?.confidence.double ?? 0.5, streak].map { min(max($0, 0), 1) }
  }

  /// What was reached of the target; of a weight, of its repetitions.
  private func performance(_ base: Double) -> Double {
    if given.rule.metric == .weight {
      guard let target = given.targets.compactMap(\.values.reps).max(), target > 0,
        let reached = given.last.compactMap(\.set.actual?.reps).max()
      else { return 1 }
      return Double(reached) / Double(target)
    }
    let target = given.targets.compactMap { given.value(of: $0.values) }.max()
    return target.map { base / $0 } ?? 1
  }

  /// How much was left: by the rate of perceived exertion or the repetitions in reserve, of endurance by the heart rate.
  private var effort: Double {
    let values = given.last.compactMap(\.set.actual)
    if given.kind == .cardio {
      let rates = values.compactMap(\.heartRate)
      guard !rates.isEmpty else { return 0.55 }
      let rate = Double(rates.reduce(0, +)) / Double(rates.count)
      return rate < 145 ? 0.75 : rate < 165 ? 0.6 : rate < 180 ? 0.4 : 0.25
    }
    let exertions = values.compactMap { $0.rpe?.double ?? $0.rir.map { 10 - Double($0) } }
    guard !exertions.isEmpty else { return 0.6 }
    return (10 - exertions.reduce(0, +) / Double(exertions.count)) / 3
  }

  /// By the weighed signals. A score too near the limit does not turn round what went the other way before.
  func weighed(_ profile: ResolvedProfile, _ signals: [Double]) -> Decision {
    let parts = zip(profile.weights, signals).map { $0 * $1 }
    let score = parts.reduce(0, +)
    var decision = Decision(outcome: .stay, code: .score, confidence: 0.58, score: score)
    decision.factors = parts.indices.sorted { left, right in
      (parts[left], profile.weights[left], -left) > (parts[right], profile.weights[right], -right)
    }.prefix(2).map { place in
      ProgressionFactor(
        name: ResolvedProfile.signals[place], weight: Decimal(rounding: profile.weights[place], toScale: 3) ?? .zero,
        signal: Decimal(rounding: signals[place], toScale: 3) ?? .zero)
    }
    // Sums of binary fractions are off by less than this.
    let slack = 1e-9
    if score >= profile.progressAt - slack {
      (decision.outcome, decision.confidence) = (.progress, min(0.9, 0.55 + max(0, score - profile.progressAt)))
    } else if score <= profile.regressAt + slack {
      (decision.outcome, decision.confidence) = (.regress, min(0.9, 0.55 + max(0, profile.regressAt - score)))
    }
    let isTurn =
      switch (given.state?.outcomes.first, decision.outcome) {
      case (.progress, .regress): score >= profile.regressAt - 0.05 - slack
      case (.regress, .progress): score <= profile.progressAt + 0.05 + slack
      default: false
      }
    if isTurn { (decision.outcome, decision.code, decision.confidence) = (.stay, .hysteresis, 0.64) }
    return decision
  }
}
