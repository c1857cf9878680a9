import CivilTime
import DaybookProtocol
import Values

/// A plan that is like a finished session.
package enum SessionPlan {
  /// The exercises that were done, with the sets that were done as targets: those alike, one behind the other, as one group.
  ///
  /// - Parameter id: The identity of what is made of a part of the session.
  package static func exercises(
    of session: WorkoutSession, at now: Instant, id: (EntityID) -> EntityID
  ) -> [PlannedExercise] {
    var exercises = session.countedExercises.compactMap { exercise -> PlannedExercise? in
      let groups = exercise.groups.flatMap { self.groups(of: $0, id) }
      guard !groups.isEmpty else { return nil }
      return PlannedExercise(
        id: id(exercise.id), exerciseId: exercise.exerciseId, traits: exercise.traits,
        groups: groups.count <= SetRules.mostGroups
          ? groups : exercise.groups.compactMap { self.groups(of: $0, id, asOne: true).first },
        supersetId: exercise.supersetId.map(id), note: exercise.note, updatedAt: now)
    }
    for (place, superset) in Supersets.cleaned(exercises.map(\.supersetId)).enumerated() {
      exercises[place].supersetId = superset
    }
    return exercises
  }

  /// - Parameter asOne: Whether all are taken to be like the first.
  private static func groups(
    of group: SessionGroup, _ id: (EntityID) -> EntityID, asOne: Bool = false
  ) -> [SetGroup] {
    var groups: [SetGroup] = []
    let sets = group.sets.filter { $0.done == true }
    for (set, isSecond) in zip(sets, sets.areSecondSides) where !isSecond {
      let (target, kind) = (set.actual?.asTarget, set.kind ?? group.kind)
      if let last = groups.indices.last, asOne || (groups[last].target == target && groups[last].kind == kind),
        groups[last].sets < 50
      {
        groups[last].sets += 1
        continue
      }
      groups.append(
        SetGroup(
          id: id(set.id), sets: 1, kind: kind, mode: group.mode, target: target, restSeconds: group.restSeconds,
          workSeconds: group.workSeconds, breakSeconds: group.breakSeconds, limitSeconds: group.limitSeconds,
          note: group.note))
    }
    return groups
  }
}
