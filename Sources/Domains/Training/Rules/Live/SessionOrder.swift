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
    if let place, let next = openOutsideSupersets(workout, after: place) { return next }
    let start = place?.position.module ?? 0
    if workout.hasOpenSet(inModule: start) {
      let own = SessionOrder(workout, module: start)
      let index = own.index(of: place?.set.id).map { $0 + 1 } ?? 0
      if let next = own.places[index...].first(where: { !$0.isDone }) { return next }
    }
    for module in [Int](start + 1..<max(count, start + 1)) + [Int](0...start) where workout.hasOpenSet(inModule: module)
    {
      if let next = SessionOrder(workout, module: module).places.first(where: { !$0.isDone }) { return next }
    }
    return nil
  }

  /// The first set after a place that is not done, of the same exercise or those behind it up to a superset: mostly that is the one, and
  /// no order has to be made.
  private static func openOutsideSupersets(_ workout: RunningWorkout, after place: RunningPlace) -> Place? {
    guard place.module.skipped != true else { return nil }
    let ids = place.module.exerciseIds
    for index in place.position.exercise..<ids.count {
      guard let exercise = workout.exercises[ids[index]], exercise.supersetId == nil else { return nil }
      let behind = index == place.position.exercise ? place.position : nil
      if let (group, set) = exercise.openSet(behind: behind) {
        let position = SessionPosition(module: place.position.module, exercise: index, group: group, set: set)
        return Place(
          position: position, set: exercise.groups[group].sets[set].id, exercise: exercise.id, turn: nil, isDone: false)
      }
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

extension RunningWorkout {
  /// Whether a module has a set that is not done.
  fileprivate func hasOpenSet(inModule module: Int) -> Bool {
    session.modules[module].exerciseIds.contains { exercises[$0]?.openSet(behind: nil) != nil }
  }
}

extension SessionExercise {
  /// The first set that is not done, behind a place of this exercise where one is given; nil for none.
  fileprivate func openSet(behind position: SessionPosition?) -> (group: Int, set: Int)? {
    for group in (position?.group ?? 0)..<groups.count {
      let first = group == position?.group ? (position?.set ?? 0) + 1 : 0
      for set in first..<max(first, groups[group].sets.count) where groups[group].sets[set].done != true {
        return (group, set)
      }
    }
    return nil
  }
}
