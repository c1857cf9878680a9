import DaybookProtocol

/// Builds session exercises from plans.
package struct SessionBuilder {
  private let newID: () -> EntityID

  package init(_ newID: @escaping () -> EntityID) { self.newID = newID }

  /// A copy of a planned exercise, with a set per planned set, on both sides if it is unilateral.
  package func exercise(_ planned: PlannedExercise) -> SessionExercise {
    var exercise = exercise(planned.traits, planned.exerciseId, planned.groups)
    exercise.plannedId = planned.id
    exercise.supersetId = planned.supersetId
    exercise.plannedSets = exercise.logicalSets.count
    exercise.note = planned.note
    return exercise
  }

  /// An exercise without a plan; without groups it gets one empty set.
  package func exercise(_ traits: TrainingTraits, _ library: EntityID?, _ groups: [SetGroup]) -> SessionExercise {
    let planned = groups.isEmpty ? [SetGroup(sets: 1)] : groups
    var exercise = SessionExercise(
      id: newID(), exerciseId: library, traits: traits, groups: planned.map { self.group($0, traits) })
    exercise.number()
    return exercise
  }

  /// A group of a session. The target of an interval round is its work time.
  package func group(_ planned: SetGroup, _ traits: TrainingTraits) -> SessionGroup {
    var target = planned.target
    if planned.mode == .interval {
      target = target ?? SetValues()
      target?.seconds = planned.workSeconds ?? SetRules.work
    }
    return SessionGroup(
      id: newID(), plannedId: planned.id, kind: planned.kind, mode: planned.mode, repsMax: planned.repsMax,
      restSeconds: planned.restSeconds, workSeconds: planned.workSeconds, breakSeconds: planned.breakSeconds,
      limitSeconds: planned.limitSeconds, note: planned.note,
      sets: sets(planned.sets, target, traits.unilateral == true))
  }

  /// A number of sets, each with a left and a right side if unilateral.
  func sets(_ count: Int, _ target: SetValues?, _ isUnilateral: Bool) -> [SetRecord] {
    let sides: [SetSide?] = isUnilateral ? [.left, .right] : [nil]
    return (1...max(1, count)).flatMap { number in
      sides.map { SetRecord(id: newID(), number: number, side: $0, target: target) }
    }
  }

  /// A copy of a finished exercise, with its values as targets.
  package func again(_ done: SessionExercise) -> SessionExercise {
    var exercise = done
    exercise.id = newID()
    (exercise.proposal, exercise.choice, exercise.note, exercise.originalName) = (nil, nil, nil, nil)
    exercise.plannedSets = done.logicalSets.count
    for group in exercise.groups.indices {
      exercise.groups[group].id = newID()
      for set in exercise.groups[group].sets.indices {
        let old = exercise.groups[group].sets[set]
        exercise.groups[group].sets[set] = SetRecord(
          id: newID(), number: old.number, side: old.side, kind: old.kind, target: old.doneOrTarget)
      }
    }
    return exercise
  }
}

extension RunningWorkout {
  /// Appends a module with exercises, and moves to its first set if there is no current set, or if `goes`.
  package mutating func append(
    _ module: RunningModule, _ list: [SessionExercise], goes: Bool = false
  ) throws(RunningRefusal) {
    guard session.modules.count < 50 else {
      throw .value(Refusal("/moduleId", .length, "there are 50 modules", allowed: "at most 50 modules"))
    }
    var module = module
    module.exerciseIds = list.map(\.id)
    session.modules.append(module)
    for exercise in list { exercises[exercise.id] = exercise }
    guard session.position == nil || goes, !list.isEmpty else { return }
    session.position = SessionPosition(module: session.modules.count - 1, exercise: 0, group: 0, set: 0)
  }
}
