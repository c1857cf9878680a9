import DaybookProtocol
import Values

/// The order in which the sets of a session are done: every set once, for any shape. Exercises follow one another; those of a superset
/// take turns, at the place of the first of them: the first set of each, then the second of each, and so on, until each has done all
/// of its own.
package struct SessionOrder: Sendable {
  /// A set in the order.
  package struct Place: Equatable, Sendable {
    package let position: SessionPosition
    package let set: EntityID
    package let exercise: EntityID
    /// Of a superset: which one, and which turn, from 0.
    package let turn: Turn?
    package let isDone: Bool
  }

  package struct Turn: Hashable, Sendable {
    package let superset: EntityID
    package let round: Int
  }

  /// The sets in order, without those of modules that are skipped.
  package let places: [Place]

  package init(_ workout: RunningWorkout) {
    var places: [Place] = []
    for (index, (module, list)) in zip(workout.session.modules, workout.modules).enumerated()
    where module.skipped != true {
      var taken: Set<EntityID> = []
      for (place, exercise) in list.enumerated() {
        guard let superset = exercise.supersetId else {
          places += SessionOrder.sets(of: exercise, index, place).flatMap { $0 }
          continue
        }
        guard taken.insert(superset).inserted else { continue }
        let members = list.enumerated().filter { $0.element.supersetId == superset }
          .map { SessionOrder.sets(of: $0.element, index, $0.offset, superset) }
        for round in 0..<(members.map(\.count).max() ?? 0) {
          for member in members where round < member.count { places += member[round] }
        }
      }
    }
    self.places = places
  }

  /// The sets of an exercise, both sides of one together.
  private static func sets(
    of exercise: SessionExercise, _ module: Int, _ place: Int, _ superset: EntityID? = nil
  ) -> [[Place]] {
    var sets: [[Place]] = []
    for (group, one) in exercise.groups.enumerated() {
      var before: SetRecord?
      for (index, set) in one.sets.enumerated() {
        let isOtherSide = set.side == .right && before?.side == .left && before?.number == set.number
        before = set
        let turn = superset.map { Turn(superset: $0, round: isOtherSide ? sets.count - 1 : sets.count) }
        let made = Place(
          position: SessionPosition(module: module, exercise: place, group: group, set: index), set: set.id,
          exercise: exercise.id, turn: turn, isDone: set.done == true)
        if isOtherSide { sets[sets.count - 1].append(made) } else { sets.append([made]) }
      }
    }
    return sets
  }

  /// Where a set is in the order.
  package func index(of set: EntityID?) -> Int? { set.flatMap { id in places.firstIndex { $0.set == id } } }

  /// The first set after a place, else the first of all, that is not done; nil when all are.
  package func nextOpen(after index: Int?) -> Place? {
    let start = index.map { $0 + 1 } ?? 0
    return places[min(start, places.count)...].first { !$0.isDone } ?? places.first { !$0.isDone }
  }

  /// Whether the set after one is another exercise's in the same turn of a superset: no rest is between them.
  package func goesOnAtOnce(after index: Int) -> Bool {
    guard places.indices.contains(index), let turn = places[index].turn else { return false }
    return places[(index + 1)...].first.map { $0.turn == turn && $0.exercise != places[index].exercise } ?? false
  }
}
