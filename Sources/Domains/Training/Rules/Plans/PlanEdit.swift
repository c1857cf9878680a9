import DaybookProtocol

/// Makes planned exercises from the drafts of a request.
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

  /// The exercises of drafts. A draft with the id of a planned exercise changes it, and keeps members that it omits.
  ///
  /// - Throws: The first violated rule; pointers lead into the drafts.
  package func exercises(
    _ drafts: [ExerciseDraft], keeping old: [PlannedExercise]
  ) throws(Refusal) -> [PlannedExercise] {
    try Refusal.check(
      .tooMany(drafts.count, "exercises", most: SetRules.mostExercises) ?? .repeatedID(drafts.map(\.id)))
    let known = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let exercises = try drafts.mapped(inside: "") { draft throws(Refusal) in
      try exercise(draft, draft.id.flatMap { known[$0] })
    }
    return exercises.with(exercises.cleanedSupersets)
  }

  private func exercise(_ draft: ExerciseDraft, _ old: PlannedExercise?) throws(Refusal) -> PlannedExercise {
    let source = draft.exerciseId == old?.exerciseId ? nil : draft.exerciseId.flatMap(library)
    let given = draft.traits.map { traits in source.map { traits.filled(from: $0.traits) } ?? traits }
    guard let traits = given ?? source?.traits ?? old?.traits else {
      throw Refusal(
        "/exerciseId", .missing, "it has neither an exercise of the library nor traits",
        allowed: "an exercise of the library, or “traits”")
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

  /// The drafts, with the id of the exercise at the same index where they have none.
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
  /// The traits, with omitted members taken from others.
  func filled(from other: TrainingTraits) -> TrainingTraits {
    TrainingTraits(
      name: name, kind: kind, category: category ?? other.category, measures: measures ?? other.measures,
      distanceUnit: distanceUnit ?? other.distanceUnit, bodyweight: bodyweight ?? other.bodyweight,
      assisted: assisted ?? other.assisted, unilateral: unilateral ?? other.unilateral,
      muscles: muscles ?? other.muscles, secondaryMuscles: secondaryMuscles ?? other.secondaryMuscles,
      equipmentIds: equipmentIds ?? other.equipmentIds)
  }
}

/// A part of a plan whose id may be omitted in params.
package protocol PlanPart: Equatable {
  var id: EntityID? { get set }
}

extension SetGroup: PlanPart {}
extension ModuleReference: PlanPart {}
extension ProgramSlot: PlanPart {}

extension Array where Element: PlanPart {
  /// The parts, each with an id: its own, else that of an equal old part, else that of the old part at its index, else
  /// a new one. Repeating a request without ids thus changes nothing.
  ///
  /// - Throws: A repeated id; the pointer leads into the array.
  package func identified(keeping old: [Element], _ newID: () -> EntityID) throws(Refusal) -> [Element] {
    try Refusal.check(.repeatedID(map(\.id)))
    var taken = Set(compactMap(\.id))
    var parts = self
    func adopt(_ place: Int, _ part: Element?) {
      guard parts[place].id == nil, let id = part?.id, taken.insert(id).inserted else { return }
      parts[place].id = id
    }
    for place in indices where parts[place].id == nil {
      adopt(
        place,
        old.first { candidate in
          var nameless = candidate
          nameless.id = nil
          return nameless == parts[place] && candidate.id.map(taken.contains) == false
        })
    }
    for place in indices where place < old.count { adopt(place, old[place]) }
    for place in indices where parts[place].id == nil { parts[place].id = newID() }
    return parts
  }

  /// The parts with replaced ids.
  func renamed(_ newID: (EntityID) -> EntityID) -> [Element] {
    map { part in
      var renamed = part
      renamed.id = part.id.map(newID)
      return renamed
    }
  }
}
