import DaybookProtocol
import Values

extension RunningWorkout {
  /// An exercise of the session.
  package func exercise(_ id: EntityID, pointer: String = "/exerciseId") throws(RunningRefusal) -> SessionExercise {
    guard let exercise = exercises[id] else { throw .missing(pointer: pointer, noun: "exercise") }
    return exercise
  }

  /// Adds an exercise to a module as its last one: to the one the user is at when none is named, and to a module of its own where
  /// there is none.
  package mutating func add(
    _ exercise: SessionExercise, to module: EntityID?, _ newID: () -> EntityID
  ) throws(RunningRefusal) {
    let index: Int?
    if let module {
      index = session.modules.firstIndex { $0.id == module }
      guard index != nil else { throw .missing(pointer: "/sessionModuleId", noun: "module") }
    } else {
      index = session.position.map(\.module) ?? session.modules.indices.last
    }
    guard let index, session.modules.indices.contains(index) else {
      return try append(
        RunningModule(id: newID(), name: RunningWorkout.ownName, kind: .strength, exerciseIds: []), [exercise])
    }
    guard session.modules[index].exerciseIds.count < SetRules.mostExercises else {
      throw .value(
        Refusal(
          "/sessionModuleId", .length, "there are \(SetRules.mostExercises) exercises",
          allowed: "at most \(SetRules.mostExercises)"))
    }
    session.modules[index].exerciseIds.append(exercise.id)
    exercises[exercise.id] = exercise
    if session.position == nil { clamp() }
  }

  /// What the module of exercises that are in no module is called.
  package static let ownName = "Exercises"

  /// Takes an exercise out. The last one of a module stays, but in a session without a plan, where the module goes with it, and one
  /// that was done stays.
  package mutating func delete(_ id: EntityID) throws(RunningRefusal) {
    let exercise = try exercise(id)
    guard let module = module(of: id) else { throw .missing(pointer: "/exerciseId", noun: "exercise") }
    if session.freestyle == true {
      guard !exercise.groups.contains(where: { $0.sets.contains { $0.done == true } }) else {
        throw .lastOne("a set of it is done, and there is no plan to do it by; “uncheckSet” comes first")
      }
    } else if session.modules[module].exerciseIds.count == 1 {
      throw .lastOne("the last exercise of a module stays; “skipModule” leaves the module out")
    }
    let set = current?.set.id
    session.modules[module].exerciseIds.removeAll { $0 == id }
    if session.modules[module].exerciseIds.isEmpty { session.modules.remove(at: module) }
    exercises[id] = nil
    breakLoneSupersets()
    settle(at: set)
  }

  /// Puts the exercises of a module into an order. The user stays at the same set.
  package mutating func reorder(_ module: EntityID, _ ids: [EntityID]) throws(RunningRefusal) {
    guard let index = session.modules.firstIndex(where: { $0.id == module }) else {
      throw .missing(pointer: "/sessionModuleId", noun: "module")
    }
    let present = session.modules[index].exerciseIds
    guard ids.count == present.count, Set(ids) == Set(present) else {
      throw .value(
        Refusal(
          "/exerciseIds", .form, "these are not the exercises of the module",
          allowed: "each of its \(present.count) exercises once"))
    }
    let set = current?.set.id
    session.modules[index].exerciseIds = ids
    settle(at: set)
  }

  /// Makes exercises of one module a superset, or, without one, takes them out of theirs. How many it changes.
  package mutating func setSuperset(_ superset: EntityID?, of ids: [EntityID]) throws(RunningRefusal) -> Int {
    for (index, id) in ids.enumerated() { _ = try exercise(id, pointer: "/exerciseIds/\(index)") }
    guard superset == nil || Set(ids.map { module(of: $0) }).count == 1 else {
      throw .value(Refusal("/exerciseIds", .form, "they are of several modules", allowed: "exercises of one module"))
    }
    let before = exercises
    let all =
      superset.map { Supersets.joined(ids, as: $0, of: self.all.supersets) }
      ?? Supersets.parted(ids, of: self.all.supersets)
    for (exercise, superset) in zip(self.all, all) { exercises[exercise.id]?.supersetId = superset }
    breakLoneSupersets()
    return before.count { exercises[$0.key]?.supersetId != $0.value.supersetId }
  }

  /// A superset with one exercise in its module is dissolved.
  private mutating func breakLoneSupersets() {
    for list in modules {
      for (exercise, superset) in zip(list, Supersets.cleaned(list.map(\.supersetId))) {
        exercises[exercise.id]?.supersetId = superset
      }
    }
  }

  /// Changes what an exercise is, or its sets. What is done keeps what was logged; sets that are not done get the new targets, or
  /// go. One that is done on each side from now on keeps its sets as the left ones; one that is not any more keeps the left ones.
  package mutating func edit(
    _ id: EntityID, traits: TrainingTraits?, groups: [SetGroup]?, library: EntityID?, _ newID: @escaping () -> EntityID
  ) throws(RunningRefusal) {
    var exercise = try exercise(id)
    let set = current?.set.id
    if let traits {
      if traits.name != exercise.traits.name, library != nil {
        exercise.originalName = exercise.originalName ?? exercise.traits.name
        exercise.proposal = nil
      }
      exercise.exerciseId = library ?? exercise.exerciseId
      exercise.setSides(traits.unilateral == true, newID)
      if exercise.traits.kind != traits.kind { exercise.dropTargets(notOf: traits) }
      exercise.traits = traits
    }
    if let groups { exercise.replan(groups, SessionBuilder(newID)) }
    exercise.number()
    exercises[id] = exercise
    settle(at: set)
  }
}

extension SessionExercise {
  /// Takes from the sets that are not done what is not logged of an exercise of another kind.
  fileprivate mutating func dropTargets(notOf traits: TrainingTraits) {
    for group in groups.indices {
      if !traits.loggedMeasures.contains(.reps) { groups[group].repsMax = nil }
      for set in groups[group].sets.indices where groups[group].sets[set].done != true {
        groups[group].sets[set].target = groups[group].sets[set].target?.fitting(traits)
      }
    }
  }

  fileprivate mutating func setSides(_ isUnilateral: Bool, _ newID: () -> EntityID) {
    guard isUnilateral != (traits.unilateral == true) else { return }
    for group in groups.indices {
      if isUnilateral {
        groups[group].sets = groups[group].sets.flatMap { set in
          var left = set
          left.side = .left
          return [left, SetRecord(id: newID(), number: set.number, side: .right, kind: set.kind, target: set.target)]
        }
      } else {
        groups[group].sets.removeAll { $0.side == .right }
        for set in groups[group].sets.indices { groups[group].sets[set].side = nil }
      }
    }
    groups.removeAll(where: \.sets.isEmpty)
  }

  /// Takes a plan of groups over: sets that are done stay, in the place of as many of the plan.
  fileprivate mutating func replan(_ planned: [SetGroup], _ builder: SessionBuilder) {
    // A set that was done stays what it was for, also in another group.
    var done = groups.flatMap { group in
      group.sets.filter { $0.done == true }.map { set in
        var set = set
        set.kind = set.kind ?? group.kind ?? .normal
        return set
      }
    }
    var made = (planned.isEmpty ? [SetGroup(sets: 1)] : planned).map { builder.group($0, traits) }
    for group in made.indices {
      for set in made[group].sets.indices {
        guard let first = done.first, first.side == made[group].sets[set].side else { continue }
        var kept = done.removeFirst()
        kept.target = made[group].sets[set].target
        if kept.kind == made[group].kind ?? .normal { kept.kind = nil }
        made[group].sets[set] = kept
      }
    }
    // More were done than are planned now.
    made[made.count - 1].sets += done
    groups = made
  }
}
