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
    // A superset of which one exercise is left is none.
    let sizes = exercises.reduce(into: [EntityID: Int]()) { sizes, exercise in
      if let superset = exercise.supersetId { sizes[superset, default: 0] += 1 }
    }
    for place in exercises.indices where exercises[place].supersetId.flatMap({ sizes[$0] }) == 1 {
      exercises[place].supersetId = nil
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
      let (target, kind) = (set.actual?.prescription, set.kind ?? group.kind)
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

extension SetValues {
  /// What of it can be a target: not how it felt. Nil for nothing.
  fileprivate var prescription: SetValues? {
    let target = SetValues(
      weight: weight, weightUnit: weightUnit, kg: kg, reps: reps, seconds: seconds, distance: distance,
      distanceUnit: distanceUnit, temperature: temperature, extra: extra)
    return target == SetValues() ? nil : target
  }
}
