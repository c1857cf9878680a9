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
    places = workout.session.modules.indices.flatMap { SessionOrder(workout, module: $0).places }
  }

  /// The order of one module; none of one that is skipped.
  package init(_ workout: RunningWorkout, module index: Int) {
    let module = workout.session.modules[index]
    var places: [Place] = []
    var taken: Set<EntityID> = []
    for (place, id) in module.exerciseIds.enumerated() where module.skipped != true {
      guard let superset = workout.exercises[id]?.supersetId else {
        if let exercise = workout.exercises[id] {
          SessionOrder.visit(exercise, index, place) { made, _ in places.append(made) }
        }
        continue
      }
      guard taken.insert(superset).inserted else { continue }
      var turns: [[Place]] = []
      for (place, id) in module.exerciseIds.enumerated() {
        guard let exercise = workout.exercises[id], exercise.supersetId == superset else { continue }
        SessionOrder.visit(exercise, index, place, superset) { made, round in
          if round == turns.count { turns.append([]) }
          turns[round].append(made)
        }
      }
      places += turns.flatMap { $0 }
    }
    self.places = places
  }

  /// Calls with the sets of an exercise in order, and which turn each is of: both sides of one are of the same.
  private static func visit(
    _ exercise: SessionExercise, _ module: Int, _ place: Int, _ superset: EntityID? = nil,
    _ body: (Place, _ round: Int) -> Void
  ) {
    var round = -1
    for (group, one) in exercise.groups.enumerated() {
      for (index, isSecond) in one.sets.areSecondSides.enumerated() {
        let set = one.sets[index]
        if !isSecond { round += 1 }
        body(
          Place(
            position: SessionPosition(module: module, exercise: place, group: group, set: index), set: set.id,
            exercise: exercise.id, turn: superset.map { Turn(superset: $0, round: round) }, isDone: set.done == true),
          round)
      }
    }
  }

  /// The first set after a place, else the first of all, that is not done; nil when all are. Modules are looked at one by one.
  package static func nextOpen(_ workout: RunningWorkout, after place: RunningPlace?) -> Place? {
    let count = workout.session.modules.count
    guard count > 0 else { return nil }
    let start = place?.position.module ?? 0
    // Mostly it is the next one of the same exercise.
    if let place, place.exercise.supersetId == nil, place.module.skipped != true,
      let next = place.exercise.openPosition(behind: place.position)
    {
      let set = place.exercise.groups[next.group].sets[next.set]
      return Place(position: next, set: set.id, exercise: place.exercise.id, turn: nil, isDone: false)
    }
    let own = SessionOrder(workout, module: start)
    let index = own.index(of: place?.set.id).map { $0 + 1 } ?? 0
    if let next = own.places[index...].first(where: { !$0.isDone }) { return next }
    for module in [Int](start + 1..<max(count, start + 1)) + [Int](0...start) {
      if let next = SessionOrder(workout, module: module).places.first(where: { !$0.isDone }) { return next }
    }
    return nil
  }

  /// Where a set is in the order.
  package func index(of set: EntityID?) -> Int? { set.flatMap { id in places.firstIndex { $0.set == id } } }

  /// Whether the set after one is another exercise's in the same turn of a superset: no rest is between them.
  package func goesOnAtOnce(after index: Int) -> Bool {
    guard places.indices.contains(index), let turn = places[index].turn else { return false }
    return places[(index + 1)...].first.map { $0.turn == turn && $0.exercise != places[index].exercise } ?? false
  }
}

extension SessionExercise {
  /// The first set behind a place of this exercise that is not done; nil for none.
  fileprivate func openPosition(behind position: SessionPosition) -> SessionPosition? {
    for group in position.group..<groups.count {
      let first = group == position.group ? position.set + 1 : 0
      for set in first..<max(first, groups[group].sets.count) where groups[group].sets[set].done != true {
        return SessionPosition(module: position.module, exercise: position.exercise, group: group, set: set)
      }
    }
    return nil
  }
}
