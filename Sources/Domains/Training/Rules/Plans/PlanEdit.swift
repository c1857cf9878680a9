import CivilTime
import DaybookProtocol
import Values

/// Makes the exercises of a module or a workout of what params say.
package struct PlanEdit {
  private let now: Instant
  private let newID: () -> EntityID
  private let library: (EntityID) -> LibraryExercise?

  package init(
    now: Instant, newID: @escaping () -> EntityID, library: @escaping (EntityID) -> LibraryExercise?
  ) {
    self.now = now
    self.newID = newID
    self.library = library
  }

  /// The exercises of drafts. One that is planned already is named by its id, and keeps what its draft leaves open. Those that become
  /// others, or stand elsewhere among those that stay, are stamped.
  ///
  /// - Throws: What is wrong with them; pointers lead into the drafts.
  package func exercises(
    _ drafts: [ExerciseDraft], keeping old: [PlannedExercise]
  ) throws(Refusal) -> [PlannedExercise] {
    try Refusal.check(
      .tooMany(drafts.count, "exercises", most: SetRules.mostExercises) ?? .repeatedID(drafts.map(\.id)))
    let known = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var exercises = try drafts.mapped(inside: "") { draft throws(Refusal) in
      try exercise(draft, draft.id.flatMap { known[$0] })
    }
    let stays = exercises.map(\.id).filter { known[$0] != nil }
    let stayed = old.map(\.id).filter { Set(stays).contains($0) }
    let moved = Set(zip(stays, stayed).filter { $0 != $1 }.map(\.0))
    exercises = exercises.map { exercise in
      guard let before = known[exercise.id] else { return exercise }
      return exercise != before || moved.contains(exercise.id) ? exercise.stamped(now) : exercise
    }
    return exercises.with(Supersets.cleaned(exercises.map(\.supersetId)), at: now)
  }

  private func exercise(_ draft: ExerciseDraft, _ old: PlannedExercise?) throws(Refusal) -> PlannedExercise {
    let source = draft.exerciseId == old?.exerciseId ? nil : draft.exerciseId.flatMap(library)
    let given = draft.traits.map { traits in source.map { traits.filled(from: $0.traits) } ?? traits }
    guard let traits = given ?? source?.traits ?? old?.traits else {
      throw Refusal(
        "/exerciseId", .missing, "nothing says what it is", allowed: "an exercise of the library, or “traits”")
    }
    if let refusal = traits.refusal { throw refusal.inside("/traits") }
    var exercise =
      old ?? PlannedExercise(id: draft.id ?? newID(), traits: traits, groups: [], updatedAt: now)
    exercise.exerciseId = draft.exerciseId ?? old?.exerciseId
    exercise.traits = traits
    exercise.note = draft.note ?? old?.note
    if let groups = draft.groups {
      exercise.groups = try groups.stored(keeping: old?.groups, newID)
    } else if old == nil {
      exercise.groups = (source?.groups ?? []).renamed { _ in newID() }
    }
    return exercise
  }

  /// Drafts that name the exercises in their places, where they name none.
  package static func placed(_ drafts: [ExerciseDraft], on exercises: [PlannedExercise]) -> [ExerciseDraft] {
    drafts.enumerated().map { place, draft in
      guard draft.id == nil, place < exercises.count else { return draft }
      var placed = draft
      placed.id = exercises[place].id
      return placed
    }
  }
}

extension TrainingTraits {
  /// The same with what it leaves open taken from others.
  func filled(from other: TrainingTraits) -> TrainingTraits {
    TrainingTraits(
      name: name, kind: kind, category: category ?? other.category, measures: measures ?? other.measures,
      distanceUnit: distanceUnit ?? other.distanceUnit, bodyweight: bodyweight ?? other.bodyweight,
      assisted: assisted ?? other.assisted, unilateral: unilateral ?? other.unilateral,
      muscles: muscles ?? other.muscles, secondaryMuscles: secondaryMuscles ?? other.secondaryMuscles,
      equipmentIds: equipmentIds ?? other.equipmentIds)
  }
}
