import DaybookProtocol
import Testing
import Training

@Suite("Learning from sessions")
struct ProgressionLearningTests {
  @Test(
    "The outcome of a session (ST1)",
    arguments: [
      ("105", ProgressionOutcome.progress), ("104.99", .progress), ("104", .stay), ("90.1", .stay), ("90", .regress),
    ])
  func outcome(reached: String, expected: ProgressionOutcome) {
    var done = exercise("x", [done(1, lifted(reached, 5))])
    done.proposal = ProgressionProposal(
      metric: .weight, unit: "kg", base: number("100"), suggested: number("105"), outcome: .progress,
      percent: Decimal(5),
      code: .score, text: "")
    #expect(ProgressionLearning.outcome(of: done) == expected)
    done.choice = .stay
    #expect(ProgressionLearning.outcome(of: done) == .stay)
    done.choice = nil
    done.proposal = nil
    #expect(ProgressionLearning.outcome(of: done) == nil)
  }

  @Test(
    "One repetition less is a stay, two less is a regress (ST1)",
    arguments: [(11, ProgressionOutcome.progress), (9, .stay), (8, .regress)])
  func repetitions(reached: Int, expected: ProgressionOutcome) {
    var done = exercise("x", [done(1, SetValues(reps: reached))])
    done.proposal = ProgressionProposal(
      metric: .reps, base: Decimal(10), suggested: Decimal(11), percent: Decimal(10), code: .rule, text: "")
    #expect(ProgressionLearning.outcome(of: done) == expected)
  }

  @Test("The state after a lesson (ST2, ST3)")
  func learning() {
    var done = exercise("x", [done(1, lifted("100", 5)), done(2, lifted("105", 3))])
    done.proposal = ProgressionProposal(
      metric: .weight, unit: "kg", base: number("100"), suggested: number("105"), percent: Decimal(5), code: .rule,
      text: "")
    let now = Instant(milliseconds: 20_000 * 86_400_000 + 1)
    var state = remembered(.regress, confidence: "0.5", successes: 1, failures: 2)
    state = ProgressionLearning.state(
      state, after: ProgressionLearning.Lesson(identity(1), done, on: day(5), .progress), at: now)
    #expect(state.successes == 2 && state.failures == 0 && state.confidence == number("0.58"))
    #expect(
      state.outcomes == [.progress, .regress] && state.presented == 1 && state.accepted == 1 && state.dismissed == 0)
    #expect(state.last?.weight == number("105") && state.last?.reps == 5)
    #expect(state.lastDay == day(5) && state.updatedAt == now)
    state = ProgressionLearning.state(
      state, after: ProgressionLearning.Lesson(identity(1), done, on: day(5), .stay), at: now)
    #expect(state.successes == 1 && state.failures == 0 && state.confidence == number("0.576") && state.dismissed == 1)
    state = ProgressionLearning.state(
      state, after: ProgressionLearning.Lesson(identity(1), done, on: day(5), .regress), at: now)
    #expect(state.successes == 0 && state.failures == 1 && state.confidence == number("0.456"))
    state = ProgressionLearning.state(
      state, after: ProgressionLearning.Lesson(identity(1), done, on: day(5), .regress), at: now)
    #expect(state.outcomes == [.regress, .regress, .stay] && state.failures == 2 && state.presented == 4)
  }

  @Test("Health warnings start at four decisions (H7)")
  func health() {
    var failed = exercise("x", [done(1, lifted("80", 5))])
    failed.proposal = ProgressionProposal(
      metric: .weight, unit: "kg", base: number("100"), suggested: number("105"), percent: Decimal(5), code: .rule,
      text: "")
    var chosen = failed
    chosen.choice = .progress
    func health(_ exercises: [SessionExercise]) -> ProgressionHealth {
      ProgressionLearning.health(of: [session(1, day: day(0), exercises)])
    }
    #expect(health([failed, failed, failed]).warnings.isEmpty)
    let bad = health([failed, failed, failed, failed])
    #expect(bad.decisions == 4 && bad.acceptance == .zero && bad.regressions == Decimal(1) && bad.warnings.count == 2)
    let forced = health([chosen, chosen, chosen, failed])
    #expect(forced.acceptance == number("0.75") && forced.overrides == number("0.75") && forced.warnings.count == 1)
  }
}

@Suite("Assistance")
struct AssistanceTests {
  private let traits = TrainingTraits(name: "Pull-Up", kind: .strength, bodyweight: true, assisted: true)

  private func proposal(
    _ help: String, rule: ProgressionRule, profile: ProgressionProfile? = nil, choice: ProgressionOutcome? = nil
  ) -> ProgressionProposal? {
    var last = exercise("x", [done(1, lifted(help, 8)), done(2, lifted(help, 8))])
    last.traits = traits
    last.choice = choice
    let planned = PlannedExercise(
      id: identity(1), traits: traits, groups: [SetGroup(sets: 2, target: SetValues(reps: 8))],
      updatedAt: Instant(milliseconds: 0))
    return ProgressionEngine(
      planned, rule: rule, profile: profile, isAdaptive: profile != nil, last: last, state: nil, age: 0
    ) { _ in nil }.proposal()
  }

  @Test(
    "Progress is less help, never below none",
    arguments: [
      ("30", "5", "2.5", "27.5", "Go down from 30 kg to 27.5 kg of help"),
      ("30", "20", "2.5", "25", "Go down from 30 kg to 25 kg of help"),
      ("28", "5", "2.5", "25", "Go down from 28 kg to 25 kg of help"),
      ("2", "5", "2.5", "0", "Go down from 2 kg to 0 kg of help"),
      ("0", "5", "2.5", "0", "Stay at 0 kg of help"),
    ])
  func rule(help: String, percent: String, step: String, expected: String, text: String) throws {
    let rule = ProgressionRule(
      metric: .weight, percent: number(percent), rounding: number(step), minimum: number(step))
    let made = try #require(proposal(help, rule: rule))
    #expect(made.suggested == number(expected) && made.base == number(help))
    #expect(made.text.hasPrefix(text))
  }

  @Test("A step back is more help; a profile limits both directions")
  func adaptive() throws {
    let rule = ProgressionRule(metric: .weight, percent: number("5"), rounding: number("2.5"), minimum: number("2.5"))
    let profile = ProgressionProfile(maxIncrease: number("10"), maxDecrease: number("10"))
    let back = try #require(proposal("30", rule: rule, profile: profile, choice: .regress))
    #expect(back.suggested == number("32.5") && back.outcome == .regress)
    let ahead = try #require(proposal("30", rule: rule, profile: profile, choice: .progress))
    #expect(ahead.suggested == number("27.5") && ahead.outcome == .progress)
    // The step of 2.5 kg is more than 10 % of 20 kg.
    let none = try #require(proposal("20", rule: rule, profile: profile, choice: .progress))
    #expect(none.suggested == number("20") && none.outcome == .stay)
  }

  @Test(
    "With less help than proposed a session progresses, with a tenth more it regresses",
    arguments: [
      ("27.5", ProgressionOutcome.progress), ("20", .progress), ("28", .stay), ("32.9", .stay), ("33", .regress),
    ])
  func outcome(reached: String, expected: ProgressionOutcome) {
    var done = exercise("x", [done(1, lifted(reached, 5)), done(2, lifted("60", 5))])
    done.traits = traits
    done.proposal = ProgressionProposal(
      metric: .weight, unit: "kg", base: number("30"), suggested: number("27.5"), percent: number("-8.33"), code: .rule,
      text: "")
    #expect(ProgressionLearning.outcome(of: done) == expected)
  }
}
