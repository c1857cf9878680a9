import CivilTime
import DaybookProtocol
import Values

/// What a proposal rests on.
package struct ProgressionCase: Sendable {
  package var rule: ResolvedRule
  /// How the adaptive policy decides; nil by the rule alone.
  package var profile: ResolvedProfile?
  package var kind: TrainingKind
  /// What each set of the plan is to be, without warm-ups.
  package var targets: [Target]
  /// What was done in the last session, without warm-ups.
  package var last: [SessionExercise.CountedSet]
  /// What the user wanted for this one.
  package var choice: ProgressionOutcome?
  package var state: ProgressionState?
  /// The distance's unit where a set names none.
  package var distanceUnit: DistanceUnit?

  /// A set of the plan.
  package struct Target: Sendable {
    package let values: SetValues
    /// The upper end of its range of repetitions, else what they are to be.
    package let reps: Int?
  }

  /// - Parameter state: What is remembered; it counts no more when it is older than the profile allows.
  /// - Parameter age: How many days ago the last session of the state was.
  /// - Parameter step: The smallest step of the equipment in the unit of a weight.
  package init(
    _ exercise: PlannedExercise, rule: ProgressionRule, profile: ProgressionProfile?, isAdaptive: Bool,
    last: SessionExercise, state: ProgressionState?, age: Int, step: (WeightUnit) -> Double?
  ) {
    let traits = exercise.traits
    kind = traits.kind
    self.last = last.countedSets
    let unit = ProgressionCase.heaviest(self.last)?.weightUnit ?? .kg
    self.rule = ResolvedRule(rule, traits, metric: isAdaptive ? profile?.metric : nil, step: step(unit))
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

  private static func heaviest(_ sets: [SessionExercise.CountedSet]) -> SetValues? {
    sets.compactMap(\.set.actual).filter { $0.weight != nil }.max { $0.load ?? 0 < $1.load ?? 0 }
  }

  /// The unit of the metric: of a weight or distance as it was typed where it was greatest; nil of repetitions.
  package var unit: String? {
    switch rule.metric {
    case .weight, .unknown: return (ProgressionCase.heaviest(last)?.weightUnit ?? .kg).rawValue
    case .reps: return nil
    case .seconds: return "s"
    case .distance:
      let farthest = last.compactMap(\.set.actual).filter { $0.distance != nil }
        .max { $0.millimetres(distanceUnit) ?? 0 < $1.millimetres(distanceUnit) ?? 0 }
      return (farthest?.distanceUnit ?? distanceUnit ?? .m).rawValue
    }
  }

  /// The metric of a set in its unit; nil without one, and of nothing.
  package func value(of values: SetValues?) -> Double? {
    guard let values else { return nil }
    return values.measure(rule.metric, unit: unit, distanceUnit).flatMap { $0 > 0 ? $0 : nil }
  }

  /// The most that was reached; nil for nothing.
  package var base: Double? { last.compactMap { value(of: $0.set.actual) }.max() }
}

extension SetValues {
  /// What a metric is, in a unit as proposals name them; nil without one.
  package func measure(_ metric: ProgressionMetric, unit: String?, _ usual: DistanceUnit?) -> Double? {
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
      if (distanceUnit ?? usual ?? .m).rawValue == unit { return distance.double }
      guard let unit = DistanceUnit.known.first(where: { $0.rawValue == unit }),
        let metres = millimetres(usual).map({ Double($0) / 1000 }), let one = Distances.metres(Decimal(1), unit)
      else { return nil }
      return metres / one.double
    }
  }
}
