import DaybookProtocol

extension RunningWorkout {
  /// An exercise of the session.
  package func exercise(_ id: EntityID, pointer: String = "/exerciseId") throws(RunningRefusal) -> SessionExercise {
    guard let exercise = exercises[id] else { throw .missing(pointer: pointer, noun: "exercise") }
    return exercise
  }

  /// Appends an exercise to a module: by default the current one, and a new one when there is none.
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

  /// The name of the module for exercises without a module.
  package static let ownName = "Exercises"

  /// Deletes an exercise. The last exercise of a module stays, except in a freestyle session, where the module is
  /// deleted with it and only done exercises stay.
  package mutating func delete(_ id: EntityID) throws(RunningRefusal) {
    let exercise = try exercise(id)
    guard let module = module(of: id) else { throw .missing(pointer: "/exerciseId", noun: "exercise") }
    if session.freestyle == true {
      guard !exercise.groups.contains(where: { $0.sets.contains { $0.done == true } }) else {
        throw .lastOne("a set of the exercise is done; send “uncheckSet” for it first")
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

  /// Reorders the exercises of a module. The current set stays current.
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

  /// Joins exercises of one module to a superset, or without one removes them from theirs. Returns the number of
  /// changed exercises.
  package mutating func setSuperset(_ superset: EntityID?, of ids: [EntityID]) throws(RunningRefusal) -> Int {
    for (index, id) in ids.enumerated() { _ = try exercise(id, pointer: "/exerciseIds/\(index)") }
    guard superset == nil || Set(ids.map { module(of: $0) }).count == 1 else {
      throw .value(
        Refusal("/exerciseIds", .form, "they belong to different modules", allowed: "exercises of one module"))
    }
    let (all, before) = (all, exercises)
    let supersets = superset.map { all.supersets(joining: ids, as: $0) } ?? all.supersets(parting: ids)
    for (exercise, superset) in zip(all, supersets) { exercises[exercise.id]?.supersetId = superset }
    breakLoneSupersets()
    return before.count { exercises[$0.key]?.supersetId != $0.value.supersetId }
  }

  /// Dissolves supersets with a single exercise in a module.
  private mutating func breakLoneSupersets() {
    for list in modules {
      for (exercise, superset) in zip(list, list.cleanedSupersets) {
        exercises[exercise.id]?.supersetId = superset
      }
    }
  }

  /// Changes the traits or the sets of an exercise. Done sets keep their logged values; other sets get the new targets,
  /// or are deleted; the two sides of a set stay together. When the exercise becomes unilateral its sets become the left
  /// sides; when it stops being unilateral, one side of each set remains: a done one, else the left one.
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
      if exercise.traits.kind != traits.kind { exercise.dropTargets(notOf: traits) }
      exercise.traits = traits
    }
    exercise.alignSides(newID)
    if let groups { exercise.replan(groups, SessionBuilder(newID)) }
    exercise.number()
    exercises[id] = exercise
    settle(at: set)
  }
}

extension SessionExercise {
  /// Removes the targets that an exercise with these traits does not log from the sets that are not done.
  fileprivate mutating func dropTargets(notOf traits: TrainingTraits) {
    for group in groups.indices {
      if !traits.loggedMeasures.contains(.reps) { groups[group].repsMax = nil }
      for set in groups[group].sets.indices where groups[group].sets[set].done != true {
        groups[group].sets[set].target = groups[group].sets[set].target?.fitting(traits)
      }
    }
  }

  /// Gives each set both sides if the exercise is unilateral; else joins them: a done side, else the left one, stays.
  fileprivate mutating func alignSides(_ newID: () -> EntityID) {
    for group in groups.indices {
      groups[group].sets = groups[group].logicalSets.flatMap { sets in
        guard traits.unilateral != true else { return sets.paired(newID) }
        var kept = sets.first { $0.done == true } ?? sets[0]
        kept.side = nil
        return [kept]
      }
    }
  }

  /// Replaces the groups by a plan. The present sets take the places of planned ones, in order and with both sides: all
  /// that are done, and as many others as the plan has room for. Done sets beyond the plan follow the last group.
  fileprivate mutating func replan(_ planned: [SetGroup], _ builder: SessionBuilder) {
    var made = (planned.isEmpty ? [SetGroup(sets: 1)] : planned).map { builder.group($0, traits) }
    func isDone(_ sets: [SetRecord]) -> Bool { sets.contains { $0.done == true } }
    var present = groups.flatMap { group in
      group.logicalSets.map { sets in
        sets.map { set in
          // A done set keeps its kind, also in another group; an open one is planned again.
          var kept = set.done == true ? set : SetRecord(id: set.id, number: set.number, side: set.side)
          kept.kind = isDone(sets) ? set.kind ?? group.kind ?? .normal : nil
          return kept
        }
      }
    }
    let room = made.reduce(0) { $0 + $1.logicalSets.count }
    while present.count > room, let last = present.lastIndex(where: { !isDone($0) }) { present.remove(at: last) }
    for group in made.indices {
      let kind = made[group].kind ?? .normal
      made[group].sets = made[group].logicalSets.flatMap { places in
        guard !present.isEmpty, present[0].map(\.side) == places.map(\.side) else { return places }
        return zip(present.removeFirst(), places).map { set, place in
          var set = set
          (set.number, set.target) = (place.number, place.target)
          if set.kind == kind { set.kind = nil }
          return set
        }
      }
    }
    for sets in present {
      let number = (made[made.count - 1].sets.last?.number ?? 0) + 1
      made[made.count - 1].sets += sets.map { set in
        var set = set
        set.number = number
        return set
      }
    }
    groups = made
  }
}

extension [SetRecord] {
  /// The sides of one set, left before right; a missing side is added, open and with the same target.
  fileprivate func paired(_ newID: () -> EntityID) -> [SetRecord] {
    guard let first else { return [] }
    return [SetSide.left, .right].map { side in
      if let own = self.first(where: { $0.side == side }) { return own }
      if side == .left, first.side == nil {
        var left = first
        left.side = .left
        return left
      }
      return SetRecord(id: newID(), number: first.number, side: side, kind: first.kind, target: first.target)
    }
  }
}
