import DaybookProtocol

/// Teaches progression states again, from the sessions of a program as they are now.
package struct ProgressionReplay {
  /// The states by exercise: as stored, nil where there is none, and as taught.
  private var states: [EntityID: (stored: ProgressionState?, taught: ProgressionState?)] = [:]
  private let program: EntityID
  private let now: Instant
  /// The id of an exercise's state.
  private let id: (EntityID) -> EntityID
  /// Whether an exercise has a rule now.
  private let hasRule: (EntityID) -> Bool
  /// When the rules last changed, at the latest; nil without a program.
  private let rulesSince: Instant?

  /// - Parameters:
  ///   - changed: The sessions that have changed, as they were and as they are.
  ///   - stored: The stored state with an id.
  package init(
    _ changed: [WorkoutSession], of program: EntityID, at now: Instant, rulesSince: Instant?,
    hasRule: @escaping (EntityID) -> Bool, id: @escaping (EntityID) -> EntityID,
    stored: (EntityID) -> ProgressionState?
  ) {
    (self.program, self.now, self.rulesSince) = (program, now, rulesSince)
    (self.hasRule, self.id) = (hasRule, id)
    for lesson in changed.flatMap({ ProgressionLearning.lessons(of: $0) }) where states[lesson.plannedId] == nil {
      states[lesson.plannedId] = (stored(id(lesson.plannedId)), nil)
    }
  }

  /// Whether no state depends on the change.
  package var isEmpty: Bool { states.isEmpty }

  /// Teaches what the sessions of the program say, in any order.
  package mutating func teach(_ sessions: [WorkoutSession]) {
    for session in sessions.sorted(by: { ($0.day, $0.startedAt, $0.id) < ($1.day, $1.startedAt, $1.id) }) {
      for lesson in ProgressionLearning.lessons(of: session) {
        guard let (stored, taught) = states[lesson.plannedId], counts(lesson, of: session, stored) else { continue }
        let before =
          taught
          ?? ProgressionState(
            id(lesson.plannedId), of: lesson.plannedId, program, at: stored?.createdAt ?? now)
        states[lesson.plannedId] = (stored, ProgressionLearning.state(before, after: lesson, at: now))
      }
    }
  }

  /// Whether a session taught: it did with a proposal; without one only if the exercise had a rule then. It had one if
  /// it has one now, and either the state existed already, or the rules have not changed since.
  private func counts(
    _ lesson: ProgressionLearning.Lesson, of session: WorkoutSession, _ stored: ProgressionState?
  ) -> Bool {
    if lesson.exercise.proposal != nil { return true }
    guard hasRule(lesson.plannedId) else { return false }
    if let stored, session.createdAt >= stored.createdAt { return true }
    return rulesSince.map { $0 <= session.createdAt } ?? false
  }

  /// The states that differ from the stored ones, in a fixed order; a new one of nil is to be deleted.
  package var changes: [(stored: ProgressionState?, new: ProgressionState?)] {
    states.sorted { $0.key < $1.key }.compactMap { _, state in
      let (stored, taught) = state
      guard var new = taught else { return stored.map { ($0, nil) } }
      if let stored {
        new.updatedAt = stored.updatedAt
        guard new != stored else { return nil }
      }
      return (stored, new)
    }
  }
}

extension ProgressionState {
  /// The state before the first session.
  package init(_ id: EntityID, of exercise: EntityID, _ program: EntityID, at instant: Instant) {
    self.init(
      id: id, programId: program, exerciseId: exercise, outcomes: [], successes: 0, failures: 0,
      confidence: Decimal(significand: 5, scale: 1) ?? .zero, presented: 0, accepted: 0, dismissed: 0,
      createdAt: instant, updatedAt: instant)
  }
}
