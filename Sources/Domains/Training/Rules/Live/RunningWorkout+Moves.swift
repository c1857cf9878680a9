import DaybookProtocol

extension RunningWorkout {
  /// Restores a valid position after a change: the same set at its new place, else the same indices clamped; none
  /// without any set. Leaves a skipped module for the next one.
  mutating func settle(at set: EntityID?) {
    if let position = set.flatMap({ self.position(ofSet: $0) }) {
      session.position = position
    } else {
      clamp()
    }
    leaveSkipped()
  }

  /// Clamps each index of the position to the existing sets, starting with the module.
  package mutating func clamp() {
    let modules = modules
    guard modules.contains(where: { !$0.isEmpty }) else { return session.position = nil }
    let old = session.position ?? SessionPosition(module: 0, exercise: 0, group: 0, set: 0)
    func clamped(_ index: Int, _ count: Int) -> Int { min(max(0, index), max(0, count - 1)) }
    var module = clamped(old.module, modules.count)
    // Empty modules are passed over.
    while modules[module].isEmpty { module = (module + 1) % modules.count }
    let exercise = clamped(old.exercise, modules[module].count)
    let groups = modules[module][exercise].groups
    let group = clamped(old.group, groups.count)
    let sets = groups.indices.contains(group) ? groups[group].sets.count : 0
    session.position = SessionPosition(module: module, exercise: exercise, group: group, set: clamped(old.set, sets))
  }

  private mutating func leaveSkipped() {
    guard let place = current, place.module.skipped == true else { return }
    let places = SessionOrder(self).places
    guard let next = places.first(where: { $0.position.module > place.position.module }) ?? places.last else {
      return
    }
    session.position = next.position
  }

  /// Moves the position; does nothing where there is no destination.
  package mutating func go(_ move: SessionMove) {
    switch move {
    case .next: session.position = SessionOrder.nextOpen(self, after: current)?.position ?? session.position
    case .nextSet: step(1)
    case .previousSet: step(-1)
    case .nextExercise: goToExercise(1)
    case .previousExercise: goToExercise(-1)
    case .nextModule:
      guard let module = session.position?.module else { return }
      session.position = SessionOrder(self).places.first { $0.position.module > module }?.position ?? session.position
    case .unknown: break
    }
  }

  private mutating func step(_ by: Int) {
    let places = SessionOrder(self).places
    let index = places.firstIndex { $0.set == current?.set.id }.map { $0 + by } ?? min(by - 1, 0)
    if places.indices.contains(index) { session.position = places[index].position }
  }

  /// Moves to the first set of the exercise at an offset from the current one, ignoring skipped modules.
  private mutating func goToExercise(_ offset: Int) {
    let ids = session.modules.filter { $0.skipped != true }.flatMap(\.exerciseIds)
    guard let id = current?.exercise.id, let index = ids.firstIndex(of: id), ids.indices.contains(index + offset)
    else { return }
    session.position = firstSet(of: ids[index + offset]) ?? session.position
  }

  private func firstSet(of exercise: EntityID) -> SessionPosition? {
    exercises[exercise]?.groups.first?.sets.first.flatMap { position(ofSet: $0.id) }
  }

  /// Moves to a set.
  package mutating func go(toSet id: EntityID) throws(RunningRefusal) {
    guard let position = position(ofSet: id) else { throw .missing(pointer: "/setId", noun: "set") }
    session.position = position
  }

  /// Moves to the first set of an exercise.
  package mutating func go(toExercise id: EntityID) throws(RunningRefusal) {
    guard let position = firstSet(of: id) else { throw .missing(pointer: "/exerciseId", noun: "exercise") }
    session.position = position
  }

  /// Skips a module, or no longer skips it.
  package mutating func skip(_ module: EntityID?, _ skips: Bool) throws(RunningRefusal) {
    let index = module.map { id in session.modules.firstIndex { $0.id == id } } ?? session.position?.module
    guard let index, session.modules.indices.contains(index) else {
      throw .missing(pointer: "/sessionModuleId", noun: "module")
    }
    let set = current?.set.id
    session.modules[index].skipped = skips ? true : nil
    settle(at: set)
  }
}
