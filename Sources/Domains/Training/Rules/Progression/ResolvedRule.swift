import DaybookProtocol

/// A progression rule with all defaults filled in; numbers are in the unit that the exercise is logged in.
package struct ResolvedRule: Equatable, Sendable {
  var metric: ProgressionMetric
  var isDouble: Bool
  var percent: Double
  /// Proposals are multiples of it; 0 for no rounding.
  var rounding: Double
  var minimum: Double
  var ceiling: Double?
  var atCeiling: CeilingAction
  var deloadPercent: Double
  var deloadAfter: Int?

  /// What the rule omits comes from its preset, else from the defaults for the exercise. A metric other than the rule's
  /// own, chosen by a profile or for endurance, uses its default steps.
  ///
  /// - Parameter step: The smallest increment of the equipment, in the unit of the weight.
  package init(_ rule: ProgressionRule, _ traits: TrainingTraits, metric preferred: ProgressionMetric?, step: Double?) {
    let preset =
      rule.preset ?? rule.metric.map { Preset.defaults($0) } ?? Preset.defaults(ResolvedRule.defaultMetric(traits))
    let own = rule.metric ?? Preset(preset).metric
    metric = preferred ?? own
    if traits.kind == .cardio, metric != .distance, metric != .seconds { metric = ResolvedRule.defaultMetric(traits) }
    let numbers = own == metric ? Preset(preset) : Preset(Preset.defaults(metric))
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

  /// The default metric: distance or time for endurance; repetitions for bodyweight exercises and those without a
  /// logged weight; else the weight.
  static func defaultMetric(_ traits: TrainingTraits) -> ProgressionMetric {
    let measures = traits.loggedMeasures
    if traits.kind == .cardio { return measures.contains(.distance) ? .distance : .seconds }
    return traits.bodyweight == true || !measures.contains(.weight) ? .reps : .weight
  }

  /// The next value by the rule alone: more by the percentage and at least by the minimum, rounded half away from zero.
  /// When rounding leaves no increase, one step more.
  func next(_ base: Double) -> Double {
    let grown = base + max(abs(base) * percent / 100, minimum)
    let rounded = multiple(grown) { $0.rounded(.toNearestOrAwayFromZero) }
    return rounded > base ? rounded : base + (metric == .reps ? 1 : rounding)
  }

  /// Rounds a value to a multiple of `rounding`; tolerates the binary error of decimal fractions.
  func multiple(_ value: Double, _ round: (Double) -> Double) -> Double {
    guard rounding > 0 else { return value }
    let count = value / rounding
    return (abs(count - count.rounded()) < 1e-9 ? count.rounded() : round(count)) * rounding
  }

  /// The smallest step back.
  var leastStepBack: Double {
    switch metric {
    case .reps: 1
    case .weight, .unknown: rounding
    case .seconds, .distance: minimum > 0 ? minimum : rounding
    }
  }

  /// The defaults of a preset.
  private struct Preset {
    let metric: ProgressionMetric
    let percent: Double
    /// The rounding and the minimum step.
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

    static func defaults(_ metric: ProgressionMetric) -> ProgressionPreset {
      switch metric {
      case .weight, .unknown: .moderate
      case .reps: .reps
      case .seconds: .seconds
      case .distance: .distance
      }
    }
  }
}

/// A profile of the adaptive policy with all defaults filled in.
struct ResolvedProfile: Equatable, Sendable {
  var minimumRatio: Double
  var minimumSets: Int
  var staleAfterDays: Int
  var progressAt: Double
  var regressAt: Double
  /// The weights of completion, performance, effort, confidence and streak, normalized to a sum of 1 unless all are
  /// zero.
  var weights: [Double]
  /// Percent.
  var maxIncrease: Double
  var maxDecrease: Double
  var floor: Double
  var minimumStep: Double

  /// The names of the signals, in the order of the weights.
  static let signals = ["completion", "performance", "effort", "confidence", "streak"]

  init(_ profile: ProgressionProfile?, _ kind: TrainingKind) {
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

  /// Minimum ratio, minimum sets and maximum age; the progress and regress thresholds; the five weights; the greatest
  /// increase and decrease.
  private static func numbers(_ preset: ProfilePreset) -> [Double] {
    switch preset {
    case .strength, .unknown: [0.7, 2, 42, 0.68, 0.38, 0.30, 0.30, 0.15, 0.15, 0.10, 10, 12]
    case .cardio: [0.8, 1, 42, 0.70, 0.40, 0.25, 0.35, 0.05, 0.20, 0.15, 8, 10]
    case .conservative: [0.8, 2, 35, 0.75, 0.35, 0.35, 0.25, 0.20, 0.10, 0.10, 5, 8]
    case .aggressive: [0.65, 1, 49, 0.62, 0.42, 0.25, 0.35, 0.10, 0.15, 0.15, 12, 12]
    }
  }
}
