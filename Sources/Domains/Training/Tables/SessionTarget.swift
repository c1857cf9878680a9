import DaybookProtocol
import Tables
import Training

extension WorkoutSession: TableEntity {}
extension FormerSession: TableEntity {}
extension CustomExercise: TableEntity {}

/// How rows are imported as sessions.
package struct SessionTarget: TableTarget {
  /// The body weight for a session, in kg.
  private let weight: @Sendable (WorkoutSession) -> Double

  package init(weight: @escaping @Sendable (WorkoutSession) -> Double) { self.weight = weight }

  /// The start and the folded name of a session.
  package struct Likeness: Hashable, Sendable {
    let startedAt: Instant
    let name: String
  }

  /// Sessions with the same start and name match even if their sets differ.
  package var takesOnlySame: Bool { false }

  /// Nil for a part of a session.
  package func likeness(of draft: TrainingDraft) -> Likeness? { draft.session.map { likeness(of: $0.session) } }

  package func likeness(of session: WorkoutSession) -> Likeness {
    Likeness(startedAt: session.startedAt, name: ExerciseNames.fold(session.name))
  }

  package func day(of session: WorkoutSession) -> CivilDay? { session.day }

  package func day(of draft: TrainingDraft) -> CivilDay? { draft.session?.session.day }

  /// The members in which a stored session differs from a draft. Rows of other programs do not override what was
  /// decided here: the zone, the name, and the library's traits of an exercise.
  package func differences(of session: WorkoutSession, from draft: TrainingDraft) -> [String] {
    guard let row = applied(draft, over: session) else { return [] }
    let names = [
      ("day", session.day != row.day),
      ("startedAt", session.startedAt != row.startedAt || session.endedAt != row.endedAt),
      ("seconds", session.seconds != row.seconds), ("name", session.name != row.name),
      ("modules", session.modules != row.modules), ("note", session.note != row.note),
    ].filter(\.1).map(\.0)
    return names.isEmpty && session != row ? ["session"] : names
  }

  /// The next version of a stored session, with the changes of a draft; nil for a part of a session.
  package func applied(_ draft: TrainingDraft, to session: WorkoutSession) throws(Refusal) -> WorkoutSession? {
    guard var applied = applied(draft, over: session) else { return nil }
    applied.version = session.version + 1
    // An energy estimate that the table leaves alone follows the changed sets.
    if applied.kcal == session.kcal, !applied.hasSameWork(as: session) {
      applied.kcal = SessionEnergy.kcal(of: applied, weight: weight(applied))
    }
    return applied
  }

  /// A stored session with the changes of a draft.
  private func applied(_ draft: TrainingDraft, over session: WorkoutSession) -> WorkoutSession? {
    guard let draft = draft.session else { return nil }
    var applied = draft.isOurs ? draft.session : session
    (applied.id, applied.version) = (session.id, session.version)
    (applied.createdAt, applied.updatedAt) = (session.createdAt, session.updatedAt)
    guard !draft.isOurs else { return applied }
    let row = draft.session
    if row.seconds > 0 { applied.seconds = row.seconds }
    if let note = row.note { applied.note = note }
    // In another zone, the same wall time is another instant.
    if row.zone == session.zone { (applied.day, applied.startedAt) = (row.day, row.startedAt) }
    if row.zone == session.zone || row.seconds != session.seconds {
      applied.endedAt = applied.startedAt.advanced(by: Int64(applied.seconds) * 1000)
    }
    // Rows in another order say nothing new.
    guard row.setTexts != session.setTexts else { return applied }
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

  /// A new session; nil for a part of a session.
  package func made(of draft: TrainingDraft, id: EntityID, at instant: Instant) -> WorkoutSession? {
    guard let draft = draft.session else { return nil }
    var session = draft.session
    (session.id, session.createdAt, session.updatedAt) = (id, instant, instant)
    if !draft.isOurs { session.kcal = SessionEnergy.kcal(of: session, weight: weight(session)) }
    return session
  }
}

extension WorkoutSession {
  /// What its sets and notes say, in any order.
  fileprivate var setTexts: [String] {
    modules.flatMap(\.exercises).flatMap { exercise -> [String] in
      let name = exercise.exerciseId.map { "\($0)" } ?? ExerciseNames.fold(exercise.traits.name)
      let superset = exercise.supersetId.map { "\($0)" } ?? ""
      let sets = exercise.groups.flatMap { group in
        group.sets.map { set in
          let values = set.actual.map { String(decoding: $0.json, as: UTF8.self) } ?? ""
          return "\(name) \(superset) \((set.kind ?? group.kind)?.rawValue ?? "") \(set.side?.rawValue ?? "") \(values)"
        }
      }
      return sets + (exercise.note ?? "").split(separator: "\n").map { "\(name) note \($0)" }
    }.sorted()
  }
}

extension TrainingTable {
  /// The exercises that an import adds to the library: those missing from it, in sessions that are added, or with
  /// `replaces` also in sessions that are changed.
  package func newExercises(_ outcomes: TableOutcomes, replaces: Bool, at now: Instant) -> [CustomExercise] {
    var seen: Set<EntityID> = []
    return zip(sessions, outcomes.list).flatMap { row, outcome -> [CustomExercise] in
      guard let draft = row.draft?.session else { return [] }
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
