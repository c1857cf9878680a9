import CivilTime
import DaybookProtocol
import Tables
import Training
import Values

extension WorkoutSession: TableEntity {}
extension FormerSession: TableEntity {}
extension CustomExercise: TableEntity {}

/// Rows that become sessions.
package struct SessionTarget: TableTarget {
  /// What the user weighed for a session, kg.
  private let weight: @Sendable (WorkoutSession) -> Double

  package init(weight: @escaping @Sendable (WorkoutSession) -> Double) { self.weight = weight }

  /// When a session began, and its name.
  package struct Likeness: Hashable, Sendable {
    let startedAt: Instant
    let name: String
  }

  /// Also one with other sets is the session of its beginning and name.
  package var takesOnlySame: Bool { false }

  /// Nil of a part of a session.
  package func likeness(of draft: TrainingDraft) -> Likeness? {
    if case .session(let draft) = draft { likeness(of: draft.session) } else { nil }
  }

  package func likeness(of session: WorkoutSession) -> Likeness {
    Likeness(startedAt: session.startedAt, name: ExerciseNames.fold(session.name))
  }

  package func day(of session: WorkoutSession) -> CivilDay? { session.day }

  package func day(of draft: TrainingDraft) -> CivilDay? {
    if case .session(let draft) = draft { draft.session.day } else { nil }
  }

  /// The members that differ of what the rows tell. Another program's tell nothing of what was decided here: the zone that the user was in, the
  /// name, what the library has of an exercise.
  package func differences(of session: WorkoutSession, from draft: TrainingDraft) -> [String] {
    guard let row = applied(draft, over: session) else { return [] }
    let (same, isTime) = (session, session.startedAt != row.startedAt || session.endedAt != row.endedAt)
    var names: [String] = []
    if same.day != row.day { names.append("day") }
    if isTime { names.append("startedAt") }
    if same.seconds != row.seconds { names.append("seconds") }
    if same.name != row.name { names.append("name") }
    if same.modules != row.modules { names.append("modules") }
    if same.note != row.note { names.append("note") }
    if names.isEmpty, same != row { names.append("session") }
    return names
  }

  /// The next version of a session, with what the rows tell; nil of a part of a session.
  package func applied(_ draft: TrainingDraft, to session: WorkoutSession) throws(Refusal) -> WorkoutSession? {
    guard var applied = applied(draft, over: session) else { return nil }
    applied.version = session.version + 1
    // An estimate that the table does not change follows what it changes.
    if applied.kcal == session.kcal, !applied.hasSameWork(as: session) {
      applied.kcal = SessionEnergy.kcal(of: applied, weight: weight(applied))
    }
    return applied
  }

  /// A stored session with what the rows tell of it.
  private func applied(_ draft: TrainingDraft, over session: WorkoutSession) -> WorkoutSession? {
    guard case .session(let draft) = draft else { return nil }
    var applied = draft.isOurs ? draft.session : session
    (applied.id, applied.version) = (session.id, session.version)
    (applied.createdAt, applied.updatedAt) = (session.createdAt, session.updatedAt)
    guard !draft.isOurs else { return applied }
    let row = draft.session
    if row.seconds > 0 { applied.seconds = row.seconds }
    if let note = row.note { applied.note = note }
    // In another zone the same clock stands for another instant.
    if row.zone == session.zone { (applied.day, applied.startedAt) = (row.day, row.startedAt) }
    if row.zone == session.zone || row.seconds != session.seconds {
      applied.endedAt = applied.startedAt.advanced(by: Int64(applied.seconds) * 1000)
    }
    applied.modules = row.modules
    let known = Dictionary(
      session.modules.flatMap(\.exercises).map { ($0.id, $0) }
    ) { first, _ in first }
    for m in applied.modules.indices {
      for e in applied.modules[m].exercises.indices {
        let exercise = applied.modules[m].exercises[e]
        guard let there = known[exercise.id], there.exerciseId == exercise.exerciseId else { continue }
        if there.exerciseId != nil || ExerciseNames.fold(there.traits.name) == ExerciseNames.fold(exercise.traits.name)
        {
          applied.modules[m].exercises[e].traits = there.traits
        }
      }
    }
    return applied
  }

  /// The first version of a session; nil of a part of one.
  package func made(of draft: TrainingDraft, id: EntityID, at instant: Instant) -> WorkoutSession? {
    guard case .session(let draft) = draft else { return nil }
    var session = draft.session
    (session.id, session.createdAt, session.updatedAt) = (id, instant, instant)
    if !draft.isOurs { session.kcal = SessionEnergy.kcal(of: session, weight: weight(session)) }
    return session
  }
}

extension TrainingTable {
  /// The exercises that an import adds to the library: those it does not have of sessions that are added, or changed where that
  /// `replaces`.
  package func newExercises(_ outcomes: TableOutcomes, replaces: Bool, at now: Instant) -> [CustomExercise] {
    var seen: Set<EntityID> = []
    return zip(sessions, outcomes.list).flatMap { row, outcome -> [CustomExercise] in
      guard case .draft(.session(let draft)) = row.content else { return [] }
      switch outcome {
      case .new: break
      case .different where replaces: break
      case .different, .present, .ignored, .refused: return []
      }
      return draft.unknown.filter { seen.insert($0.id).inserted }.map {
        CustomExercise(id: $0.id, traits: $0.traits, createdAt: now, updatedAt: now)
      }
    }
  }
}
