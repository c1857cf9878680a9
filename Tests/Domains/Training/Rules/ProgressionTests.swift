import DaybookProtocol
import Testing

@testable import Training

@Suite("Progression")
struct ProgressionTests {
  private func ruled(_ preset: ProgressionPreset?, _ change: (inout ProgressionRule) -> Void = { _ in })
    -> ProgressionRule
  {
    var rule = ProgressionRule(preset: preset)
    change(&rule)
    return rule
  }

  @Test(
    "Proposals by the rule alone (PR1)",
    arguments: [
      ("100", "moderate", "105"), ("98", "conservative", "105"), ("130", "conservative", "135"),
      ("30", "fineGrained", "32.5"), ("25", "fineGrained", "27.5"), ("225", "aggressive", "240"),
      ("45", "moderate", "50"), ("10", "reps", "11"), ("1800", "seconds", "1890"), ("3.1", "distance", "3.25"),
    ])
  func linear(base: String, preset: String, expected: String) throws {
    let preset = try #require(ProgressionPreset.known.first { $0.rawValue == preset })
    let kind: TrainingKind = preset == .seconds || preset == .distance ? .cardio : .strength
    let resolved = ResolvedRule(ruled(preset), TrainingTraits(name: "x", kind: kind), metric: nil, step: nil)
    #expect(Decimal(rounding: resolved.next(number(base).double), toScale: 3) == number(expected))
  }

  @Test(
    "Proposals without a minimum step, and with another percentage",
    arguments: [("101", "1", "0", "106"), ("102", "2.5", "0", "105")])
  func withoutMinimum(base: String, percent: String, minimum: String, expected: String) {
    let own = ruled(nil) { ($0.percent, $0.minimum) = (number(percent), number(minimum)) }
    let resolved = ResolvedRule(own, TrainingTraits(name: "x", kind: .strength), metric: nil, step: nil)
    #expect(resolved.next(number(base).double) == number(expected).double)
  }

  @Test("Omitted members of a rule have the defaults of the exercise (PR2, PR5)")
  func defaults() {
    func metric(_ rule: ProgressionRule, _ traits: TrainingTraits) -> ResolvedRule {
      ResolvedRule(rule, traits, metric: nil, step: nil)
    }
    #expect(metric(ruled(nil), TrainingTraits(name: "x", kind: .strength)).metric == .weight)
    #expect(metric(ruled(nil), TrainingTraits(name: "x", kind: .strength, bodyweight: true)).metric == .reps)
    #expect(metric(ruled(nil), TrainingTraits(name: "x", kind: .cardio, measures: [.seconds])).metric == .seconds)
    let run = metric(ruled(.moderate), TrainingTraits(name: "x", kind: .cardio))
    #expect(run.metric == .distance && run.rounding == 0.05 && run.minimum == 0.05)
    let held = metric(ruled(.seconds), TrainingTraits(name: "x", kind: .cardio))
    #expect(held.metric == .seconds && held.rounding == 30)
    let stepped = ResolvedRule(ruled(.moderate), TrainingTraits(name: "x", kind: .strength), metric: nil, step: 2.5)
    #expect(stepped.rounding == 2.5 && stepped.minimum == 2.5)
  }

  // MARK: the adaptive policy

  private func propose(
    _ sets: [SetValues], targets: SetGroup, rule: ProgressionRule = ProgressionRule(),
    profile: ProgressionProfile? = nil,
    isAdaptive: Bool = true, state: ProgressionState? = nil, choice: ProgressionOutcome? = nil, age: Int = 1,
    kind: TrainingKind = .strength, step: Double? = nil
  ) -> ProgressionProposal? {
    var last = exercise("x", sets.enumerated().map { done($0.offset + 1, $0.element) }, kind: kind)
    last.choice = choice
    let planned = PlannedExercise(
      id: identity(1), traits: TrainingTraits(name: "x", kind: kind), groups: [targets],
      updatedAt: Instant(milliseconds: 0))
    return ProgressionEngine(
      planned, rule: rule, profile: profile, isAdaptive: isAdaptive, last: last, state: state, age: age
    ) { _ in step }.proposal()
  }

  private let three = SetGroup(sets: 3, target: SetValues(weight: number("100"), kg: number("100"), reps: 5))

  @Test("A perfect session without a state scores 0.815 and progresses (AD7)")
  func perfect() throws {
    let proposal = try #require(propose(Array(repeating: lifted("100", 5), count: 3), targets: three))
    #expect(proposal.outcome == .progress && proposal.code == .score)
    #expect(proposal.suggested == number("105") && proposal.percent == number("5") && proposal.unit == "kg")
    // 0.55 plus the excess over 0.68.
    #expect(proposal.confidence == number("0.685"))
    #expect(proposal.factors?.map(\.name) == ["completion", "performance"])
    #expect(
      proposal.text
        == "Go up from 100 kg to 105 kg: the last session scores 0.82 of 1, mostly by completion and performance.")
  }

  /// A score of exactly `text`, by one signal: the confidence of the state.
  private func scored(_ text: String, after outcome: ProgressionOutcome) -> ProgressionProposal? {
    let weights = SignalWeights(
      completion: .zero, performance: .zero, effort: .zero, confidence: Decimal(1), streak: .zero)
    return propose(
      Array(repeating: lifted("100", 5), count: 3), targets: three, profile: ProgressionProfile(weights: weights),
      state: remembered(outcome, confidence: text))
  }

  @Test(
    "A score close to the threshold does not reverse the direction (AD5)",
    arguments: [
      ("0.38", ProgressionOutcome.progress, ProgressionCode.hysteresis, ProgressionOutcome.stay),
      ("0.33", .progress, .hysteresis, .stay), ("0.3075", .progress, .score, .regress),
      ("0.38", .regress, .score, .regress), ("0.68", .regress, .hysteresis, .stay),
      ("0.73", .regress, .hysteresis, .stay),
      ("0.74", .regress, .score, .progress), ("0.68", .progress, .score, .progress), ("0.5", .stay, .score, .stay),
    ])
  func hysteresis(
    score: String, before: ProgressionOutcome, code: ProgressionCode, outcome: ProgressionOutcome
  ) throws {
    let proposal = try #require(scored(score, after: before))
    #expect(proposal.code == code && proposal.outcome == outcome)
    if code == .hysteresis { #expect(proposal.confidence == number("0.64") && proposal.suggested == number("100")) }
  }

  @Test(
    "A stale state is ignored (AD7)", arguments: [(41, ProgressionCode.hysteresis), (42, .score)])
  func stale(age: Int, code: ProgressionCode) throws {
    // With a state: 0.75 × 0.5 + 0.25 × 0, after progress; without one: 0.5.
    let weights = SignalWeights(
      completion: .zero, performance: .zero, effort: .zero, confidence: number("3"), streak: number("1"))
    let proposal = try #require(
      propose(
        Array(repeating: lifted("100", 5), count: 3), targets: three, profile: ProgressionProfile(weights: weights),
        state: remembered(.progress, successes: 0, failures: 5), age: age))
    #expect(proposal.code == code && proposal.outcome == .stay)
  }

  @Test("Too few sets decide nothing (AD3)", arguments: [(1, ProgressionCode.gate), (2, .gate), (3, .score)])
  func gate(sets: Int, code: ProgressionCode) throws {
    let proposal = try #require(propose(Array(repeating: lifted("100", 5), count: sets), targets: three))
    #expect(proposal.code == code)
    if code == .gate { #expect(proposal.outcome == .stay && proposal.confidence == number("0.72")) }
  }

  @Test("The user's choice comes first (AD1), also without a profile", arguments: [true, false])
  func manual(isAdaptive: Bool) throws {
    for (choice, suggested) in [(ProgressionOutcome.progress, "105"), (.stay, "100"), (.regress, "95")] {
      let proposal = try #require(
        propose([lifted("100", 1)], targets: three, isAdaptive: isAdaptive, choice: choice))
      #expect(proposal.code == .manual && proposal.outcome == choice && proposal.suggested == number(suggested))
      #expect(proposal.confidence == number("0.95"))
    }
  }

  @Test("The weight increases once every set has reached the upper repetitions (AD2)")
  func double() throws {
    let range = SetGroup(sets: 3, target: SetValues(weight: number("60"), kg: number("60"), reps: 8), repsMax: 12)
    let rule = ruled(.fineGrained) { $0.strategy = .doubleProgression }
    let reached = try #require(propose(Array(repeating: lifted("60", 12), count: 3), targets: range, rule: rule))
    #expect(reached.code == .doubleProgression && reached.outcome == .progress && reached.suggested == number("62.5"))
    for sets in [[lifted("60", 12), lifted("60", 12), lifted("60", 11)], [lifted("60", 12), lifted("60", 12)]] {
      let open = try #require(propose(sets, targets: range, rule: rule))
      #expect(open.code == .doubleProgression && open.outcome == .stay && open.suggested == number("60"))
      #expect(open.confidence == number("0.78"))
    }
  }

  @Test("Effort follows from the reserve and from the heart rate (AD4)")
  func effort() throws {
    let weights = SignalWeights(
      completion: .zero, performance: .zero, effort: Decimal(1), confidence: .zero, streak: .zero)
    let profile = ProgressionProfile(minimumSets: 1, weights: weights)
    for (rpe, signal) in [("10", "0"), ("8.5", "0.5"), ("7", "1"), ("6", "1")] {
      let proposal = try #require(propose([lifted("100", 5, rpe: rpe)], targets: SetGroup(sets: 1), profile: profile))
      #expect(proposal.factors?.first?.name == "effort" && proposal.factors?.first?.signal == number(signal))
    }
    var left = lifted("100", 5)
    left.rir = 2
    #expect(
      propose([left], targets: SetGroup(sets: 1), profile: profile)?.factors?.first?.signal == number("0.667"))
    for (rate, signal) in [(144, "0.75"), (145, "0.6"), (164, "0.6"), (165, "0.4"), (180, "0.25")] {
      let run = SetValues(seconds: 1800, distance: number("5"), distanceUnit: .km, heartRate: rate)
      let proposal = try #require(
        propose([run], targets: SetGroup(sets: 1), profile: profile, kind: .cardio))
      #expect(
        proposal.factors?.first?.signal == number(signal) && proposal.metric == .distance && proposal.unit == "km")
    }
  }

  @Test(
    "Limits round toward the last value, and a step beyond them is not taken (PR7)",
    arguments: [
      ("45", "5", "45", ProgressionOutcome.stay), ("20", "5", "20", .stay), ("45", "2.5", "47.5", .progress),
      ("20", "2", "22", .progress), ("100", "5", "105", .progress), ("20", "1", "21", .progress),
    ])
  func limits(base: String, step: String, expected: String, outcome: ProgressionOutcome) throws {
    let group = SetGroup(sets: 3, target: SetValues(weight: number(base), kg: number(base), reps: 5))
    let proposal = try #require(
      propose(Array(repeating: lifted(base, 5), count: 3), targets: group, step: number(step).double))
    #expect(proposal.suggested == number(expected) && proposal.outcome == outcome)
    if outcome == .stay { #expect(proposal.text.hasSuffix("is more than the limits allow.")) }
  }

  @Test("A regress goes back one step, within the limit (PR6)", arguments: [("100", "95"), ("60", "55"), ("20", "20")])
  func back(base: String, expected: String) throws {
    let group = SetGroup(sets: 3, target: SetValues(weight: number(base), kg: number(base), reps: 5))
    let proposal = try #require(
      propose(Array(repeating: lifted(base, 5), count: 3), targets: group, choice: .regress))
    #expect(proposal.suggested == number(expected))
  }

  @Test("At the ceiling it stays, or restarts with less")
  func ceiling() throws {
    let sets = Array(repeating: lifted("120", 5), count: 3)
    let held = try #require(
      propose(sets, targets: three, rule: ruled(.moderate) { $0.ceiling = number("120") }, isAdaptive: false))
    #expect(held.code == .ceiling && held.suggested == number("120") && held.outcome == .stay)
    let again = ruled(.moderate) {
      ($0.ceiling, $0.atCeiling, $0.deloadPercent) = (number("120"), .deload, number("20"))
    }
    let less = try #require(propose(sets, targets: three, rule: again, isAdaptive: false))
    #expect(less.code == .ceiling && less.suggested == number("95") && less.outcome == .regress)
    let near = try #require(
      propose(sets, targets: three, rule: ruled(.moderate) { $0.ceiling = number("122.5") }, isAdaptive: false))
    #expect(near.code == .rule && near.suggested == number("122.5") && near.outcome == nil)
  }

  @Test(
    "The outcome follows the numbers: a ceiling below the last value is a regress",
    arguments: [true, false])
  func backToCeiling(isAdaptive: Bool) throws {
    let rule = ruled(.moderate) { $0.ceiling = number("110") }
    for choice in [nil, ProgressionOutcome.stay] {
      let proposal = try #require(
        propose(
          Array(repeating: lifted("120", 5), count: 3), targets: three, rule: rule, isAdaptive: isAdaptive,
          choice: choice))
      #expect(proposal.suggested == number("110") && proposal.outcome == .regress)
      #expect(proposal.text.hasPrefix("Go down from 120 kg to 110 kg: "))
    }
  }

  @Test("Consecutive missed sessions cause a deload", arguments: [true, false])
  func deload(isAdaptive: Bool) throws {
    let rule = ruled(.moderate) { $0.deloadAfter = 3 }
    for (failures, code) in [(2, isAdaptive ? ProgressionCode.score : .rule), (3, .deload)] {
      let proposal = try #require(
        propose(
          Array(repeating: lifted("100", 5), count: 3), targets: three, rule: rule, isAdaptive: isAdaptive,
          state: remembered(.regress, failures: failures)))
      #expect(proposal.code == code)
      if code == .deload { #expect(proposal.suggested == number("90") && proposal.outcome == .regress) }
    }
  }

  @Test("A weight is proposed in the unit it was logged in")
  func pounds() throws {
    let set = SetValues(weight: number("225"), weightUnit: .lb, reps: 5)
    let proposal = try #require(
      propose([set, set], targets: SetGroup(sets: 2), rule: ruled(.aggressive), isAdaptive: false))
    #expect(proposal.unit == "lb" && proposal.suggested == number("240") && proposal.confidence == nil)
    #expect(proposal.text == "Go up from 225 lb to 240 lb: the rule is 7.5 %, in steps of 5 lb.")
  }
}
