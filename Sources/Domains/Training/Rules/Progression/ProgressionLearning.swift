import DaybookProtocol

/// Learns from session to session how an exercise responds to proposals.
package enum ProgressionLearning {
  /// The outcome of an exercise: the user's choice, else the result compared with the proposal. Nil without both.
  package static func outcome(of exercise: SessionExercise) -> ProgressionOutcome? {
    if let choice = exercise.choice, ProgressionOutcome.known.contains(choice) { return choice }
    guard let proposal = exercise.proposal else { return nil }
    // Less assistance is more.
    let sign: Double = exercise.traits.isHelp(proposal.metric) ? -1 : 1
    let reached = exercise.countedSets.compactMap {
      $0.set.actual?.measure(proposal.metric, unit: proposal.unit, exercise.traits.distanceUnit).map { sign * $0 }
    }.max()
    guard var reached else { return nil }
    let (base, suggested) = (sign * proposal.base.double, sign * proposal.suggested.double)
    let tolerance: Double
    switch proposal.metric {
    case .weight, .distance, .unknown: tolerance = 0.01
    case .seconds: tolerance = 0.5
    case .reps:
      tolerance = 0
      reached = reached.rounded(.toNearestOrAwayFromZero)
      if reached >= suggested { return .progress }
      return reached < max(1, base - 1) ? .regress : .stay
    }
    if reached >= suggested - tolerance { return .progress }
    return reached <= (sign > 0 ? 0.9 : 1.1) * base ? .regress : .stay
  }

  /// The direction of a proposal for an exercise.
  package static func outcome(of proposal: ProgressionProposal, _ traits: TrainingTraits) -> ProgressionOutcome {
    if let outcome = proposal.outcome { return outcome }
    if proposal.suggested == proposal.base { return .stay }
    return (proposal.suggested > proposal.base) != traits.isHelp(proposal.metric) ? .progress : .regress
  }

  /// A planned exercise in a session, and its outcome there.
  package struct Lesson {
    package let plannedId: EntityID
    package let exercise: SessionExercise
    package let day: CivilDay
    package let outcome: ProgressionOutcome

    package init(_ plannedId: EntityID, _ exercise: SessionExercise, on day: CivilDay, _ outcome: ProgressionOutcome) {
      (self.plannedId, self.exercise, self.day, self.outcome) = (plannedId, exercise, day, outcome)
    }
  }

  /// The lessons of a session, one per planned exercise.
  package static func lessons(of session: WorkoutSession) -> [Lesson] {
    var seen: Set<EntityID> = []
    return session.countedExercises.compactMap { exercise in
      guard let plannedId = exercise.plannedId, exercise.originalName == nil,
        exercise.traits.kind == .strength || exercise.traits.kind == .cardio, let outcome = outcome(of: exercise),
        seen.insert(plannedId).inserted
      else { return nil }
      return Lesson(plannedId, exercise, on: session.day, outcome)
    }
  }

  /// The state after a lesson.
  package static func state(_ old: ProgressionState, after lesson: Lesson, at now: Instant) -> ProgressionState {
    let (exercise, outcome) = (lesson.exercise, lesson.outcome)
    var state = old
    var confidence = old.confidence.double
    switch outcome {
    case .progress:
      (state.successes, state.failures) = (old.successes + 1, 0)
      confidence += 0.08
    case .regress:
      (state.successes, state.failures) = (0, old.failures + 1)
      confidence -= 0.12
    case .stay, .unknown:
      (state.successes, state.failures) = (max(0, old.successes - 1), max(0, old.failures - 1))
      confidence += 0.05 * (0.5 - confidence)
    }
    state.confidence = Decimal(rounding: min(max(confidence, 0), 1), toScale: 3) ?? .zero
    state.outcomes = Array(([outcome] + old.outcomes).prefix(3))
    state.last = most(of: exercise) ?? old.last
    if let proposal = exercise.proposal {
      state.presented += 1
      if outcome == self.outcome(of: proposal, exercise.traits) { state.accepted += 1 } else { state.dismissed += 1 }
    }
    state.missed = isMet(exercise, outcome) ? 0 : (old.missed ?? old.failures) + 1
    (state.lastDay, state.updatedAt) = (lesson.day, now)
    return state
  }

  /// Whether the exercise met its plan: it progressed, and each planned working set was done with at least its target
  /// repetitions; or the user chose to progress.
  private static func isMet(_ exercise: SessionExercise, _ outcome: ProgressionOutcome) -> Bool {
    guard outcome == .progress else { return false }
    if exercise.choice != nil { return true }
    return exercise.groups.allSatisfy { group in
      group.sets.allSatisfy { set in
        guard (set.kind ?? group.kind ?? .normal).countsInRecords else { return true }
        return set.done == true && set.actual?.reps ?? 0 >= set.target?.reps ?? 0
      }
    }
  }

  /// The greatest value of each measure, and the least assistance; nil for none.
  private static func most(of exercise: SessionExercise) -> SetValues? {
    let values = exercise.countedSets.compactMap(\.set.actual)
    var most = SetValues(reps: values.compactMap(\.reps).max(), seconds: values.compactMap(\.seconds).max())
    if let heaviest = SetValues.best(of: values, isHelp: exercise.traits.assisted == true) {
      (most.weight, most.weightUnit, most.kg) = (heaviest.weight, heaviest.weightUnit, heaviest.kg)
    }
    if let farthest = SetValues.farthest(of: values, exercise.traits.distanceUnit) {
      (most.distance, most.distanceUnit) = (farthest.distance, farthest.distanceUnit)
    }
    return most == SetValues() ? nil : most
  }

  /// How well the proposals of some sessions were followed.
  package static func health(of sessions: [WorkoutSession]) -> ProgressionHealth {
    var (decisions, followed, regressions, overrides) = (0, 0, 0, 0)
    for exercise in sessions.flatMap(\.countedExercises) {
      guard let proposal = exercise.proposal, let outcome = outcome(of: exercise) else { continue }
      decisions += 1
      followed += outcome == self.outcome(of: proposal, exercise.traits) ? 1 : 0
      regressions += outcome == .regress ? 1 : 0
      overrides += exercise.choice == nil ? 0 : 1
    }
    func part(_ count: Int) -> Decimal? {
      decisions == 0 ? nil : Decimal(rounding: Double(count) / Double(decisions), toScale: 3)
    }
    var warnings: [String] = []
    if decisions >= 4 {
      if followed * 100 < decisions * 45 { warnings.append("Fewer than 45 % of the proposals were followed.") }
      if regressions * 100 > decisions * 40 { warnings.append("More than 40 % of the exercises regressed.") }
      if overrides * 100 > decisions * 60 { warnings.append("The user decided more than 60 % of the time.") }
    }
    return ProgressionHealth(
      decisions: decisions, acceptance: part(followed), regressions: part(regressions), overrides: part(overrides),
      warnings: warnings)
  }
}
