import DaybookProtocol

/// Proposes the next step of a planned exercise, given its last session.
package struct ProgressionEngine: Sendable {
  var rule: ResolvedRule
  /// The thresholds of the adaptive policy; nil under the linear policy.
  var profile: ResolvedProfile?
  var kind: TrainingKind
  /// The planned sets, without warm-ups.
  var targets: [Target]
  /// The sets done in the last session, without warm-ups.
  var last: [SessionExercise.CountedSet]
  /// What the user chose at the end of the last session.
  var choice: ProgressionOutcome?
  var state: ProgressionState?
  /// The unit of distances that name none.
  var distanceUnit: DistanceUnit?
  /// Whether the metric is assistance. Its values are then below zero in all calculations, as less of it is progress.
  var isHelp: Bool

  /// A planned set.
  struct Target: Sendable {
    let values: SetValues
    /// The upper end of the repetition range, else the target repetitions.
    let reps: Int?
  }

  /// The direction of a proposal and the reason for it.
  struct Decision: Equatable {
    var outcome: ProgressionOutcome
    var code: ProgressionCode
    var confidence: Double
    var score: Double?
    var factors: [ProgressionFactor] = []
  }

  /// - Parameters:
  ///   - state: The stored state; ignored when older than the profile allows.
  ///   - age: Days since the last session of the state.
  ///   - step: The smallest increment of the equipment in a unit.
  package init(
    _ exercise: PlannedExercise, rule: ProgressionRule, profile: ProgressionProfile?, isAdaptive: Bool,
    last: SessionExercise, state: ProgressionState?, age: Int, step: (WeightUnit) -> Double?
  ) {
    let traits = exercise.traits
    kind = traits.kind
    self.last = last.countedSets
    let unit =
      SetValues.best(of: self.last.compactMap(\.set.actual), isHelp: traits.assisted == true)?.weightUnit ?? .kg
    self.rule = ResolvedRule(rule, traits, metric: isAdaptive ? profile?.metric : nil, step: step(unit))
    isHelp = traits.isHelp(self.rule.metric)
    let resolved = ResolvedProfile(profile, traits.kind)
    self.profile = isAdaptive ? resolved : nil
    targets = exercise.groups.filter { ($0.kind ?? .normal).countsInVolume }.flatMap { group in
      Array(
        repeating: Target(values: group.target ?? SetValues(), reps: group.repsMax ?? group.target?.reps),
        count: group.sets)
    }
    choice = last.choice.flatMap { ProgressionOutcome.known.contains($0) ? $0 : nil }
    self.state = age < resolved.staleAfterDays ? state : nil
    distanceUnit = traits.distanceUnit
  }

  /// The values of the last session's sets.
  private var reached: [SetValues] { last.compactMap(\.set.actual) }

  /// The unit of the metric: for weights and distances the one logged with the greatest value; nil for repetitions.
  var unit: String? {
    switch rule.metric {
    case .weight, .unknown: (SetValues.best(of: reached, isHelp: isHelp)?.weightUnit ?? .kg).rawValue
    case .reps: nil
    case .seconds: "s"
    case .distance:
      (SetValues.farthest(of: reached, distanceUnit)?.distanceUnit ?? distanceUnit ?? .m).rawValue
    }
  }

  /// The value of the metric in `unit`; nil without one, which assistance of zero is, but no other zero.
  func value(of values: SetValues?) -> Double? {
    values?.measure(rule.metric, unit: unit, distanceUnit).flatMap { isHelp ? -$0 : $0 > 0 ? $0 : nil }
  }

  /// The best value of the last session; nil for none.
  var base: Double? { reached.compactMap { value(of: $0) }.max() }

  /// The first that applies: the user's choice; a deload after too many missed sessions; double progression; too few
  /// sets to tell; the score. Nil when the rule alone decides.
  ///
  /// - Parameter base: The value reached last.
  func decision(_ base: Double) -> Decision? {
    if let choice { return Decision(outcome: choice, code: .manual, confidence: 0.95) }
    if let after = rule.deloadAfter, let state, state.missed ?? state.failures >= after {
      return Decision(outcome: .regress, code: .deload, confidence: 0.9)
    }
    if rule.isDouble, let top = targets.compactMap(\.reps).max() {
      let sets = last.filter { value(of: $0.set.actual) != nil && $0.set.actual?.reps != nil }
      let isMet = sets.allSatisfy { $0.set.actual?.reps ?? 0 >= top } && sets.count { $0.isFirstSide } >= expected
      return Decision(outcome: isMet ? .progress : .stay, code: .doubleProgression, confidence: 0.78)
    }
    guard let profile else { return nil }
    if observed < max(1, profile.minimumSets) || ratio < profile.minimumRatio {
      return Decision(outcome: .stay, code: .gate, confidence: 0.72)
    }
    return weighed(profile, signals(base))
  }

  /// Planned sets with the metric.
  private var expected: Int { targets.count { value(of: $0.values) != nil } }
  /// Sets done with the metric.
  private var observed: Int { last.count { $0.isFirstSide && value(of: $0.set.actual) != nil } }
  private var ratio: Double { expected == 0 ? 1 : min(1, Double(observed) / Double(expected)) }

  /// Completion, performance, effort, confidence and streak, each 0…1.
  private func signals(_ base: Double) -> [Double] {
    let streak = state.map { 0.5 + 0.1 * Double($0.successes - $0.failures) } ?? 0.5
    return [ratio, performance(base), effort, state?.confidence.double ?? 0.5, streak].map { min(max($0, 0), 1) }
  }

  /// The reached share of the target; for weights, of its repetitions.
  private func performance(_ base: Double) -> Double {
    if rule.metric == .weight {
      guard let target = targets.compactMap(\.values.reps).max(), target > 0,
        let reps = reached.compactMap(\.reps).max()
      else { return 1 }
      return Double(reps) / Double(target)
    }
    return targets.compactMap { value(of: $0.values) }.max().map { base / $0 } ?? 1
  }

  /// The effort in reserve: by the rate of perceived exertion or the repetitions in reserve, for endurance by the heart
  /// rate.
  private var effort: Double {
    if kind == .cardio {
      let rates = reached.compactMap(\.heartRate)
      guard !rates.isEmpty else { return 0.55 }
      let rate = Double(rates.reduce(0, +)) / Double(rates.count)
      return rate < 145 ? 0.75 : rate < 165 ? 0.6 : rate < 180 ? 0.4 : 0.25
    }
    let exertions = reached.compactMap { $0.rpe?.double ?? $0.rir.map { 10 - Double($0) } }
    guard !exertions.isEmpty else { return 0.6 }
    return (10 - exertions.reduce(0, +) / Double(exertions.count)) / 3
  }

  /// The decision by the weighted signals. A score close to the threshold does not reverse the previous direction.
  private func weighed(_ profile: ResolvedProfile, _ signals: [Double]) -> Decision {
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
    // The rounding error of the sums is below this.
    let slack = 1e-9
    if score >= profile.progressAt - slack {
      (decision.outcome, decision.confidence) = (.progress, min(0.9, 0.55 + max(0, score - profile.progressAt)))
    } else if score <= profile.regressAt + slack {
      (decision.outcome, decision.confidence) = (.regress, min(0.9, 0.55 + max(0, profile.regressAt - score)))
    }
    let isReversal =
      switch (state?.outcomes.first, decision.outcome) {
      case (.progress, .regress): score >= profile.regressAt - 0.05 - slack
      case (.regress, .progress): score <= profile.progressAt + 0.05 + slack
      default: false
      }
    if isReversal { (decision.outcome, decision.code, decision.confidence) = (.stay, .hysteresis, 0.64) }
    return decision
  }
}

extension SetValues {
  /// The values with the greatest weight, or with the least if it is assistance; nil when none has a weight.
  static func best(of values: [SetValues], isHelp: Bool) -> SetValues? {
    values.filter { $0.weight != nil }.max { isHelp ? $0.load ?? 0 > $1.load ?? 0 : $0.load ?? 0 < $1.load ?? 0 }
  }

  /// The values with the greatest distance; nil when none has a distance.
  static func farthest(of values: [SetValues], _ unit: DistanceUnit?) -> SetValues? {
    values.filter { $0.distance != nil }.max { $0.millimetres(unit) ?? 0 < $1.millimetres(unit) ?? 0 }
  }

  /// The value of a metric in a unit as proposals name it; nil without one.
  ///
  /// - Parameter fallback: The unit of a distance that names none.
  func measure(_ metric: ProgressionMetric, unit: String?, _ fallback: DistanceUnit?) -> Double? {
    switch metric {
    case .weight, .unknown:
      guard let weight else { return nil }
      if (weightUnit ?? .kg).rawValue == unit { return weight.double }
      guard let unit = WeightUnit.known.first(where: { $0.rawValue == unit }), let load else { return nil }
      return Decimal(significand: load, scale: 4).flatMap { Loads.weight($0, in: unit, scale: 3) }?.double
    case .reps: return reps.map(Double.init)
    case .seconds: return seconds.map(Double.init)
    case .distance:
      guard let distance else { return nil }
      if (distanceUnit ?? fallback ?? .m).rawValue == unit { return distance.double }
      guard let unit = DistanceUnit.known.first(where: { $0.rawValue == unit }),
        let metres = millimetres(fallback).map({ Double($0) / 1000 }), let one = Distances.metres(Decimal(1), unit)
      else { return nil }
      return metres / one.double
    }
  }
}
