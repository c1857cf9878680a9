import DaybookProtocol

/// The order in which the sets of a session are done: every set once, for any shape. Exercises follow one another;
/// those of a superset take turns at the place of the first one: the first set of each, then the second of each, and so
/// on, until all sets are done.
package struct SessionOrder: Sendable {
  /// A set in the order.
  package struct Place: Equatable, Sendable {
    package let position: SessionPosition
    package let set: EntityID
    package let exercise: EntityID
    /// The round of a superset; nil outside supersets.
    package let turn: Turn?
    package let isDone: Bool
  }

  package struct Turn: Hashable, Sendable {
    package let superset: EntityID
    package let round: Int
  }

  /// The sets in order, without those of skipped modules.
  package let places: [Place]

  package init(_ workout: RunningWorkout) {
    places = workout.session.modules.indices.flatMap { SessionOrder(workout, module: $0).places }
  }

  /// The order of one module; empty if it is skipped.
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

  /// Calls `body` with the sets of an exercise in order and their rounds; two sides share a round.
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

  /// The first open set after a place, else the first open set of all; nil when all are done.
  package static func nextOpen(_ workout: RunningWorkout, after place: RunningPlace?) -> Place? {
    if let place, let next = openOutsideSupersets(workout, after: place) { return next }
    let count = workout.session.modules.count
    let start = place?.position.module ?? 0
    // One module at a time, as the first one mostly has it. That of the place comes twice: after the place, and last.
    for step in 0..<(count == 0 ? 0 : count + 1) {
      let order = SessionOrder(workout, module: (start + step) % count)
      let first = step == 0 ? order.index(of: place?.set.id).map { $0 + 1 } ?? 0 : 0
      if let next = order.places[first...].first(where: { !$0.isDone }) { return next }
    }
    return nil
  }

  /// The first open set after a place in the same exercise or a later one before the next superset. This is the usual
  /// case, and needs no order.
  private static func openOutsideSupersets(_ workout: RunningWorkout, after place: RunningPlace) -> Place? {
    guard place.module.skipped != true else { return nil }
    let ids = place.module.exerciseIds
    for index in place.position.exercise..<ids.count {
      guard let exercise = workout.exercises[ids[index]], exercise.supersetId == nil else { return nil }
      if let (group, set) = exercise.openSet(after: index == place.position.exercise ? place.position : nil) {
        let position = SessionPosition(module: place.position.module, exercise: index, group: group, set: set)
        return Place(
          position: position, set: exercise.groups[group].sets[set].id, exercise: exercise.id, turn: nil, isDone: false)
      }
    }
    return nil
  }

  /// The index of a set in the order.
  package func index(of set: EntityID?) -> Int? { set.flatMap { id in places.firstIndex { $0.set == id } } }

  /// Whether the next set belongs to another exercise in the same round of a superset: there is no rest between them.
  package func continuesRound(after index: Int) -> Bool {
    guard places.indices.contains(index), let turn = places[index].turn else { return false }
    return places[(index + 1)...].first.map { $0.turn == turn && $0.exercise != places[index].exercise } ?? false
  }
}

extension SessionExercise {
  /// The first open set, after a position in this exercise if one is given; nil for none.
  fileprivate func openSet(after position: SessionPosition?) -> (group: Int, set: Int)? {
    for group in (position?.group ?? 0)..<groups.count {
      let first = group == position?.group ? (position?.set ?? 0) + 1 : 0
      for set in first..<max(first, groups[group].sets.count) where groups[group].sets[set].done != true {
        return (group, set)
      }
    }
    return nil
  }
}
