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
  private let earlier: @Sendable (WorkoutSession) -> [WorkoutSession]?

  /// - Parameters:
  ///   - weight: The body weight for a session, in kg.
  ///   - earlier: All earlier versions of a session, oldest first; nil if one is missing.
  package init(
    weight: @escaping @Sendable (WorkoutSession) -> Double,
    earlier: @escaping @Sendable (WorkoutSession) -> [WorkoutSession]?
  ) {
    (self.weight, self.earlier) = (weight, earlier)
  }

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

  /// Whether a program's later table adds sets to a session that was imported from it. Each version must have been a part
  /// of the next one: otherwise it was edited.
  package func isPart(_ session: WorkoutSession, of draft: TrainingDraft) -> Bool {
    guard let row = draft.session, !row.isOurs, session.importedFrom == row.session.importedFrom,
      session.isPart(of: row.session), session.setTexts.count < row.session.setTexts.count,
      let versions = earlier(session).map({ $0 + [session] })
    else { return false }
    return zip(versions, versions.dropFirst()).allSatisfy { $0.name == $1.name && $0.isPart(of: $1) }
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
    guard row.texts != session.texts else { return applied }
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
  fileprivate var texts: [String] { (setTexts + noteTexts).sorted() }

  /// What its sets say.
  fileprivate var setTexts: [String] {
    modules.flatMap(\.exercises).flatMap { exercise -> [String] in
      let superset = exercise.supersetId.map { "\($0)" } ?? ""
      return exercise.groups.flatMap { group in
        group.sets.map { set in
          let values = set.actual.map { String(decoding: $0.json, as: UTF8.self) } ?? ""
          let kind = (set.kind ?? group.kind)?.rawValue ?? ""
          return "\(exercise.textName) \(superset) \(kind) \(set.side?.rawValue ?? "") \(values)"
        }
      }
    }
  }

  /// What the notes on its exercises say.
  private var noteTexts: [String] {
    modules.flatMap(\.exercises).flatMap { exercise in
      (exercise.note ?? "").split(separator: "\n").map { "\(exercise.textName) note \($0)" }
    }
  }

  /// Whether another session has all that its sets and notes say, and perhaps more.
  fileprivate func isPart(of other: WorkoutSession) -> Bool {
    var left = Dictionary(other.texts.map { ($0, 1) }, uniquingKeysWith: +)
    let lines = Set((other.note ?? "").split(separator: "\n"))
    return (note ?? "").split(separator: "\n").allSatisfy { lines.contains($0) }
      && texts.allSatisfy { text in
        left[text, default: 0] -= 1
        return left[text, default: 0] >= 0
      }
  }
}

extension SessionExercise {
  fileprivate var textName: String { exerciseId.map { "\($0)" } ?? ExerciseNames.fold(traits.name) }
}

extension TrainingTable {
  /// The exercises that an import adds to the library: those missing from it, in sessions that are added or extended, or with
  /// `replaces` also in sessions that are replaced.
  package func newExercises(_ outcomes: TableOutcomes, replaces: Bool, at now: Instant) -> [CustomExercise] {
    var seen: Set<EntityID> = []
    return zip(sessions, outcomes.list).flatMap { row, outcome -> [CustomExercise] in
      guard let draft = row.draft?.session else { return [] }
      switch outcome {
      case .new, .extended: break
      case .different where replaces: break
      case .different, .present, .ignored, .refused: return []
      }
      return draft.unknown.filter { seen.insert($0.id).inserted }.map {
        CustomExercise(id: $0.id, traits: $0.traits, createdAt: now, updatedAt: now)
      }
    }
  }
}
