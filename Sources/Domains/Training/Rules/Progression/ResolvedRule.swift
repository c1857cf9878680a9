import DaybookProtocol
import Values

/// How much something grows, with everything said; numbers in the unit that it is logged in.
package struct ResolvedRule: Equatable, Sendable {
  package var metric: ProgressionMetric
  package var isDouble: Bool
  package var percent: Double
  /// What is proposed is a multiple of it; 0 for anything.
  package var rounding: Double
  package var minimum: Double
  package var ceiling: Double?
  package var atCeiling: CeilingAction
  package var deloadPercent: Double
  package var deloadAfter: Int?

  /// A rule for an exercise. What it leaves open is its preset's, else what is usual for the exercise. A metric that is not the rule's
  /// own, as for endurance or by a profile, has the steps usual for it.
  ///
  /// - Parameter step: The smallest step of the equipment, in the unit of the weight.
  package init(_ rule: ProgressionRule, _ traits: TrainingTraits, metric preferred: ProgressionMetric?, step: Double?) {
    let preset = rule.preset ?? rule.metric.map { Preset.usual($0) } ?? Preset.usual(ResolvedRule.usualMetric(traits))
    let own = rule.metric ?? Preset(preset).metric
    metric = preferred ?? own
    if traits.kind == .cardio, metric != .distance, metric != .seconds { metric = ResolvedRule.usualMetric(traits) }
    let numbers = own == metric ? Preset(preset) : Preset(Preset.usual(metric))
    percent = rule.percent?.double ?? Preset(preset).percent
    rounding = (own == metric ? rule.rounding?.double : nil) ?? numbers.step
    minimum = (own == metric ? rule.minimum?.double : nil) ?? numbers.step
    if let step, step > 0, metric == .weight, rule.rounding == nil {
      rounding = step
      minimum = rule.minimum?.double ?? step
    }
    isDouble = rule.strategy == .doubleProgression && metric == .weight
    ceiling = own == metric ? rule.ceiling?.double : nil
    atCeiling = rule.atCeiling ?? .hold
    deloadPercent = rule.deloadPercent?.double ?? 10
    deloadAfter = rule.deloadAfter
  }

  /// What grows where nothing says: distance or time of endurance, repetitions where the body's own weight is moved or none is logged,
  /// else the weight.
  static func usualMetric(_ traits: TrainingTraits) -> ProgressionMetric {
    let measures = traits.loggedMeasures
    if traits.kind == .cardio { return measures.contains(.distance) ? .distance : .seconds }
    return traits.bodyweight == true || !measures.contains(.weight) ? .reps : .weight
  }

  /// What follows something by the rule alone: so many percent more, by the least step at least, rounded to a multiple half away from
  /// zero; where that is no more, one step more.
  package func next(_ base: Double) -> Double {
    let grown = base + max(base * percent / 100, minimum)
    let rounded = multiple(grown) { $0.rounded(.toNearestOrAwayFromZero) }
    return rounded > base ? rounded : base + (metric == .reps ? 1 : rounding)
  }

  /// The multiple of the rounding that `round` makes of a value; numbers of two digits are not exact in binary.
  func multiple(_ value: Double, _ round: (Double) -> Double) -> Double {
    guard rounding > 0 else { return value }
    let count = value / rounding
    return (abs(count - count.rounded()) < 1e-9 ? count.rounded() : round(count)) * rounding
  }

  /// The least step back.
  var leastStepBack: Double {
    switch metric {
    case .reps: 1
    case .weight, .unknown: rounding
    case .seconds, .distance: minimum > 0 ? minimum : rounding
    }
  }

  /// The numbers of a rule by name.
  private struct Preset {
    let metric: ProgressionMetric
    let percent: Double
    /// Rounding and least step.
    let step: Double

    init(_ preset: ProgressionPreset) {
      (metric, percent, step) =
        switch preset {
        case .conservative: (.weight, 2.5, 5)
        case .moderate, .unknown: (.weight, 5, 5)
        case .aggressive: (.weight, 7.5, 5)
        case .fineGrained: (.weight, 2.5, 2.5)
        case .reps: (.reps, 5, 1)
        case .seconds: (.seconds, 5, 30)
        case .distance: (.distance, 5, 0.05)
        }
    }

    static func usual(_ metric: ProgressionMetric) -> ProgressionPreset {
      switch metric {
      case .weight, .unknown: .moderate
      case .reps: .reps
      case .seconds: .seconds
      case .distance: .distance
      }
    }
  }
}

/// How the adaptive policy decides, with everything said.
package struct ResolvedProfile: Equatable, Sendable {
  package var minimumRatio: Double
  package var minimumSets: Int
  package var staleAfterDays: Int
  package var progressAt: Double
  package var regressAt: Double
  /// Completion, performance, effort, confidence, streak: brought to a sum of 1, if there is any.
  package var weights: [Double]
  /// Percent.
  package var maxIncrease: Double
  package var maxDecrease: Double
  package var floor: Double
  package var minimumStep: Double

  /// The signals, in the order of the weights.
  package static let signals = ["completion", "performance", "effort", "confidence", "streak"]

  package init(_ profile: ProgressionProfile?, _ kind: TrainingKind) {
    let numbers = ResolvedProfile.numbers(profile?.preset ?? (kind == .cardio ? .cardio : .strength))
    minimumRatio = profile?.minimumRatio?.double ?? numbers[0]
    minimumSets = profile?.minimumSets ?? Int(numbers[1])
    staleAfterDays = profile?.staleAfterDays ?? Int(numbers[2])
    progressAt = profile?.progressAt?.double ?? numbers[3]
    regressAt = profile?.regressAt?.double ?? numbers[4]
    let given = profile?.weights
    let said = [given?.completion, given?.performance, given?.effort, given?.confidence, given?.streak]
    weights = zip(said, numbers[5..<10]).map { $0?.double ?? $1 }
    let sum = weights.reduce(0, +)
    if sum > 0 { weights = weights.map { $0 / sum } }
    maxIncrease = profile?.maxIncrease?.double ?? numbers[10]
    maxDecrease = profile?.maxDecrease?.double ?? numbers[11]
    floor = profile?.floor?.double ?? 0
    minimumStep = profile?.minimumStep?.double ?? 0
  }

  /// Ratio, sets and days of the gate; progress and regress; the five weights; the caps.
  private static func numbers(_ preset: ProfilePreset) -> [Double] {
    switch preset {
    case .strength, .unknown: [0.7, 2, 42, 0.68, 0.38, 0.30, 0.30, 0.15, 0.15, 0.10, 10, 12]
    case .cardio: [0.8, 1, 42, 0.70, 0.40, 0.25, 0.35, 0.05, 0.20, 0.15, 8, 10]
    case .conservative: [0.8, 2, 35, 0.75, 0.35, 0.35, 0.25, 0.20, 0.10, 0.10, 5, 8]
    case .aggressive: [0.65, 1, 49, 0.62, 0.42, 0.25, 0.35, 0.10, 0.15, 0.15, 12, 12]
    }
  }
}
