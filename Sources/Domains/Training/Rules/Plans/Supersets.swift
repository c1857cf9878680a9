import CivilTime
import DaybookProtocol
import Values

/// Exercises done in turns: those of one module, of one workout's own or of one session that name the same superset.
package enum Supersets {
  /// The supersets of exercises, without those that have one exercise only.
  package static func cleaned(_ supersets: [EntityID?]) -> [EntityID?] {
    var counts: [EntityID: Int] = [:]
    for case let superset? in supersets { counts[superset, default: 0] += 1 }
    return supersets.map { superset in superset.flatMap { counts[$0, default: 0] > 1 ? $0 : nil } }
  }

  /// The supersets after some exercises were made the one of an id: they are all of it, and in no other.
  package static func joined(
    _ ids: [EntityID], as superset: EntityID, of exercises: [(id: EntityID, superset: EntityID?)]
  ) -> [EntityID?] {
    let members = Set(ids)
    return cleaned(
      exercises.map { members.contains($0.id) ? superset : $0.superset == superset ? nil : $0.superset })
  }

  /// The superset that some exercises are already, and no others with them; nil when they are none.
  package static func common(
    _ ids: [EntityID], of exercises: [(id: EntityID, superset: EntityID?)]
  ) -> EntityID? {
    guard let superset = exercises.first(where: { $0.id == ids.first })?.superset else { return nil }
    return Set(exercises.filter { $0.superset == superset }.map(\.id)) == Set(ids) ? superset : nil
  }

  /// The supersets after some exercises were taken out of theirs.
  package static func parted(
    _ ids: [EntityID], of exercises: [(id: EntityID, superset: EntityID?)]
  ) -> [EntityID?] {
    let members = Set(ids)
    return cleaned(exercises.map { members.contains($0.id) ? nil : $0.superset })
  }
}

extension PlannedExercise {
  /// The same, changed by the user now: never at the instant of the change before.
  package func stamped(_ now: Instant) -> PlannedExercise {
    var stamped = self
    stamped.updatedAt = now.following(updatedAt)
    return stamped
  }
}

extension [SessionExercise] {
  /// The exercises with their supersets.
  package var supersets: [(id: EntityID, superset: EntityID?)] { map { ($0.id, $0.supersetId) } }
}

extension [PlannedExercise] {
  /// The exercises with their supersets.
  package var supersets: [(id: EntityID, superset: EntityID?)] { map { ($0.id, $0.supersetId) } }

  /// The same with other supersets; those that change are stamped.
  package func with(_ supersets: [EntityID?], at now: Instant) -> [PlannedExercise] {
    zip(self, supersets).map { exercise, superset in
      guard exercise.supersetId != superset else { return exercise }
      var moved = exercise
      moved.supersetId = superset
      return moved.stamped(now)
    }
  }

  /// Single exercises alone, those of a superset together at the place of the first.
  package var rounds: [ExerciseRound] {
    var rounds: [ExerciseRound] = []
    var places: [EntityID: Int] = [:]
    for exercise in self {
      if let superset = exercise.supersetId, let place = places[superset] {
        rounds[place].exercises.append(exercise)
        continue
      }
      if let superset = exercise.supersetId { places[superset] = rounds.count }
      rounds.append(ExerciseRound(supersetId: exercise.supersetId, exercises: [exercise]))
    }
    return rounds
  }
}
