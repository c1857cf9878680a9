import DaybookProtocol

/// An exercise that may be done in turns with others: those of a module, of a workout itself or of a session with the
/// same superset.
package protocol SupersetMember {
  var id: EntityID { get }
  var supersetId: EntityID? { get }
}

extension PlannedExercise: SupersetMember {}
extension SessionExercise: SupersetMember {}

enum Supersets {
  /// The supersets without those of a single exercise.
  static func cleaned(_ supersets: [EntityID?]) -> [EntityID?] {
    var counts: [EntityID: Int] = [:]
    for case let superset? in supersets { counts[superset, default: 0] += 1 }
    return supersets.map { superset in superset.flatMap { counts[$0, default: 0] > 1 ? $0 : nil } }
  }
}

extension Array where Element: SupersetMember {
  /// The superset of each exercise, without supersets of a single exercise.
  var cleanedSupersets: [EntityID?] { Supersets.cleaned(map(\.supersetId)) }

  /// The supersets after joining some exercises into one, which then has no other members.
  package func supersets(joining ids: [EntityID], as superset: EntityID) -> [EntityID?] {
    let joined = Set(ids)
    return Supersets.cleaned(
      map { joined.contains($0.id) ? superset : $0.supersetId == superset ? nil : $0.supersetId })
  }

  /// The supersets after removing some exercises from theirs.
  package func supersets(parting ids: [EntityID]) -> [EntityID?] {
    let parted = Set(ids)
    return Supersets.cleaned(map { parted.contains($0.id) ? nil : $0.supersetId })
  }

  /// The superset that consists of exactly these exercises; nil for none.
  package func superset(of ids: [EntityID]) -> EntityID? {
    guard let superset = first(where: { $0.id == ids.first })?.supersetId else { return nil }
    return Set(filter { $0.supersetId == superset }.map(\.id)) == Set(ids) ? superset : nil
  }
}

extension [PlannedExercise] {
  /// The exercises with other supersets.
  package func with(_ supersets: [EntityID?]) -> [PlannedExercise] {
    zip(self, supersets).map { exercise, superset in
      var moved = exercise
      moved.supersetId = superset
      return moved
    }
  }

  /// The rounds: each single exercise, and each superset at the place of its first member.
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
