import DaybookProtocol

extension ProgressionEngine {
  /// The proposal; nil when the last session has no value of the metric.
  package func proposal() -> ProgressionProposal? {
    guard let base else { return nil }
    var decision = decision(base)
    var suggested = applied(decision, base)
    if let ceiling, base >= ceiling, decision?.outcome ?? .progress == .progress {
      suggested = deloadsAtCeiling ? deloaded(base) : ceiling
      decision = Decision(outcome: .stay, code: .ceiling, confidence: decision?.confidence ?? 0.9)
    } else if let ceiling {
      suggested = min(suggested, ceiling)
    }
    if isHelp { suggested = max(suggested, floor) }
    // The limits may leave no change, and a ceiling below the last value is a step back.
    let isCut = suggested == base && decision.map { $0.outcome != .stay } ?? false
    let outcome: ProgressionOutcome = suggested == base ? .stay : suggested > base ? .progress : .regress
    let percent = base == 0 ? 0 : (suggested - base) / base * 100
    return ProgressionProposal(
      metric: rule.metric, unit: unit, base: decimal(base), suggested: decimal(suggested),
      outcome: decision == nil ? nil : outcome, percent: Decimal(rounding: percent, toScale: 2) ?? .zero,
      code: decision?.code ?? .rule, confidence: decision.flatMap { Decimal(rounding: $0.confidence, toScale: 3) },
      factors: decision.flatMap { $0.factors.isEmpty ? nil : $0.factors },
      text: text(decision, base, suggested, isCut: isCut))
  }

  /// The limit of progress: the ceiling; for assistance, which falls, the floor.
  private var ceiling: Double? { isHelp ? -(profile?.floor ?? 0) : rule.ceiling }

  /// The limit of steps back.
  private var floor: Double { isHelp ? -(rule.ceiling ?? .infinity) : profile?.floor ?? 0 }

  private var deloadsAtCeiling: Bool { !isHelp && rule.atCeiling == .deload }

  /// Values are zero or more, and those of assistance zero or less.
  private func bounded(_ value: Double) -> Double { isHelp ? min(value, 0) : max(value, 0) }

  /// The value that a decision suggests.
  private func applied(_ decision: Decision?, _ base: Double) -> Double {
    let next = isHelp ? bounded(rule.next(base)) : rule.next(base)
    guard let decision else { return next }
    if decision.code == .deload { return deloaded(base) }
    switch decision.outcome {
    case .stay, .unknown: return guarded(base, base, .stay)
    case .progress: return guarded(next, base, .progress)
    case .regress:
      let back = base - max(next - base, rule.leastStepBack)
      return guarded(rule.metric == .reps ? max(back, 1) : bounded(back), base, .regress)
    }
  }

  /// The value after a deload: less by the rule's percentage, rounded down, and by at least one step.
  private func deloaded(_ base: Double) -> Double {
    let less = rule.multiple(base - abs(base) * rule.deloadPercent / 100) { $0.rounded(.down) }
    return whole(less < base ? less : bounded(base - rule.leastStepBack))
  }

  /// Limits a value by the profile, in this order: floor, ceiling, greatest change, minimum step, and again the
  /// greatest change. Weights and distances are then rounded toward the last value, so that a step beyond the limits is
  /// not taken.
  private func guarded(_ value: Double, _ base: Double, _ outcome: ProgressionOutcome) -> Double {
    guard let profile else { return whole(value) }
    let (low, high) = (
      base - abs(base) * profile.maxDecrease / 100, base + abs(base) * profile.maxIncrease / 100
    )
    // Of no assistance, no percentage is any.
    func capped(_ value: Double) -> Double { base == 0 ? value : min(max(value, low), high) }
    var guarded = max(value, floor)
    if let ceiling { guarded = min(guarded, ceiling) }
    guarded = capped(guarded)
    if outcome == .progress { guarded = max(guarded, base + profile.minimumStep) }
    if outcome == .regress { guarded = min(guarded, base - profile.minimumStep) }
    guarded = capped(guarded)
    guard rule.metric == .weight || rule.metric == .distance else { return whole(guarded) }
    if guarded > base { guarded = max(base, rule.multiple(guarded) { $0.rounded(.down) }) }
    if guarded < base { guarded = min(base, rule.multiple(guarded) { $0.rounded(.up) }) }
    return bounded(guarded)
  }

  /// Rounds repetitions and seconds to whole numbers of at least 1.
  private func whole(_ value: Double) -> Double {
    switch rule.metric {
    case .reps, .seconds: max(1, value.rounded(.toNearestOrAwayFromZero))
    case .weight, .distance, .unknown: bounded(value)
    }
  }

  private func decimal(_ value: Double) -> Decimal { Decimal(rounding: abs(value), toScale: 3) ?? .zero }

  // MARK: in words

  private func text(_ decision: Decision?, _ base: Double, _ suggested: Double, isCut: Bool) -> String {
    "\(change(base, suggested)): \(reason(decision, base))"
      + (isCut ? "; a step of \(words(rule.rounding)) is more than the limits allow." : ".")
  }

  private func change(_ base: Double, _ suggested: Double) -> String {
    let (from, to) = (words(base), words(suggested) + (isHelp ? " of help" : ""))
    if suggested == base { return "Stay at \(to)" }
    return "Go \((suggested > base) != isHelp ? "up" : "down") from \(from) to \(to)"
  }

  private func words(_ value: Double) -> String {
    "\(decimal(value)) " + (unit ?? (value == 1 ? "repetition" : "repetitions"))
  }

  private func reason(_ decision: Decision?, _ base: Double) -> String {
    guard let decision else {
      return "the rule is \(decimal(rule.percent)) %, in steps of \(words(rule.rounding))"
    }
    switch decision.code {
    case .manual: return "you asked for \(asked) at the end of the last session"
    case .deload: return "the last \(state.map { $0.missed ?? $0.failures } ?? 0) sessions in a row missed the plan"
    case .ceiling:
      if isHelp { return base == 0 ? "no help is left" : "the least help of \(words(ceiling ?? base)) is reached" }
      return "the ceiling of \(words(rule.ceiling ?? base)) is reached"
        + (deloadsAtCeiling ? "; restart with less" : "")
    case .doubleProgression:
      let top = targets.compactMap(\.reps).max() ?? 0
      return decision.outcome == .progress
        ? "every set reached \(top) repetitions" : "not every set has reached \(top) repetitions"
    case .gate: return "too few sets were done to decide"
    case .hysteresis: return "the score of \(score(decision)) is too close to the threshold to reverse the direction"
    case .score, .rule, .unknown:
      let factors = decision.factors.map(\.name).joined(separator: " and ")
      return "the last session scores \(score(decision)) of 1, mostly by \(factors)"
    }
  }

  private func score(_ decision: Decision) -> String {
    "\(Decimal(rounding: decision.score ?? 0, toScale: 2) ?? .zero)"
  }

  private var asked: String {
    switch choice {
    case .progress: "more"
    case .regress: "less"
    default: "the same"
    }
  }
}
