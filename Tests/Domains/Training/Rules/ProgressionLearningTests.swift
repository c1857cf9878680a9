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
