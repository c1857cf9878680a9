import DomainKit
import Training

/// Changing the exercises and modules of the running session.
extension TrainingService {
  func workoutSessionAddExercise(
    _ params: WorkoutSessionAddExerciseParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    let workout = try present(context)
    if let id = params.addedId, let present = workout.exercises[id] {
      guard params.exerciseId ?? present.exerciseId == present.exerciseId,
        params.traits ?? present.traits == present.traits
      else {
        throw RPCError(
          .conflict, "the session has another exercise with this id", pointer: "/addedId",
          hint: "leave the id out")
      }
      return try update(workout, changed: id, try context.storeRevision(), context)
    }
    let (traits, library) = try named(params.traits, params.exerciseId, context)
    let groups = try normalized(params.groups ?? library?.groups ?? [], context)
    let builder = SessionBuilder(context.newID)
    var made = builder.exercise(traits, library?.id, groups)
    made.id = params.addedId ?? made.id
    let exercise = made
    return try change(&context) { workout, newID throws(RunningRefusal) in
      try workout.add(exercise, to: params.sessionModuleId, newID)
      return exercise.id
    }
  }

  /// The exercise that a request names by its id in the library, by traits, or both.
  func named(
    _ traits: TrainingTraits?, _ id: EntityID?, _ context: Context, pointer: String = "/exerciseId"
  ) throws(RPCError) -> (traits: TrainingTraits, library: LibraryExercise?) {
    if let refusal = traits?.refusal { throw RPCError(refusal.inside("/traits")) }
    let library = try id.map { id throws(RPCError) in try libraryExercise(id, context, pointer: pointer) }
    guard let traits = traits ?? library?.traits else {
      throw RPCError(
        .invalidParams, "it names no exercise", pointer: "/exerciseId", allowed: "“exerciseId” or “traits”")
    }
    return (traits, library)
  }

  func normalized(_ groups: [SetGroup], _ context: Context) throws(RPCError) -> [SetGroup] {
    do throws(Refusal) { return try SetGroup.normalized(groups, context.newID) } catch {
      throw RPCError(error.inside("/groups"))
    }
  }

  func workoutSessionAddModule(
    _ params: WorkoutSessionAddModuleParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    _ = try present(context)
    let module = try context.entity(Module.self, params.moduleId, pointer: "/moduleId")
    let builder = SessionBuilder(context.newID)
    let list = module.exercises.map(builder.exercise)
    return try change(&context) { workout, newID throws(RunningRefusal) in
      guard !list.isEmpty else { return nil }
      try workout.append(
        RunningModule(
          id: newID(), moduleId: module.id, name: module.name, kind: module.kind,
          plannedIds: module.exercises.map(\.id), exerciseIds: []), list, goes: true)
      return list.first?.id
    }
  }

  func workoutSessionDeleteExercise(
    _ params: WorkoutSessionDeleteExerciseParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    try change(&context) { workout, _ throws(RunningRefusal) in
      try workout.delete(params.exerciseId)
      return nil
    }
  }

  func workoutSessionReorder(
    _ params: WorkoutSessionReorderParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    try change(&context) { workout, _ throws(RunningRefusal) in
      try workout.reorder(params.sessionModuleId, params.exerciseIds)
      return nil
    }
  }

  func workoutSessionEditExercise(
    _ params: WorkoutSessionEditExerciseParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    let old = try present(context)
    var workout = old
    var (traits, library): (TrainingTraits?, LibraryExercise?) = (params.traits, nil)
    if params.replacementId != nil || params.traits != nil {
      (traits, library) = try named(params.traits, params.replacementId, context, pointer: "/replacementId")
    }
    let groups = try params.groups.map { groups throws(RPCError) in try normalized(groups, context) }
    do throws(RunningRefusal) {
      let folder = context.folder
      try workout.edit(params.exerciseId, traits: traits, groups: groups, library: library?.id) { folder.newID() }
    } catch { throw RPCError(error) }
    if var exercise = workout.exercises[params.exerciseId] {
      exercise.note = params.note.applied(to: exercise.note)
      exercise.choice = params.choice.applied(to: exercise.choice)
      workout.exercises[params.exerciseId] = exercise
    }
    var others: [Operation] = []
    if params.updatesPlan == true, let exercise = workout.exercises[params.exerciseId] {
      others = try planOperations(workout, context) { _, plan in
        for index in plan.indices where plan[index].id == exercise.plannedId {
          (plan[index].traits, plan[index].exerciseId) = (exercise.traits, exercise.exerciseId)
        }
      }
      // The plan has the same exercise now.
      if !others.isEmpty { workout.exercises[params.exerciseId]?.originalName = nil }
    }
    let revision = try commit(from: old, to: workout, with: others, &context)
    return try update(try running(context) ?? workout, changed: params.exerciseId, revision, context)
  }

  func runningSuperset(
    _ ids: [EntityID], _ superset: EntityID?, _ context: inout Context
  ) throws(RPCError) -> (changed: Int, revision: Int) {
    var changed = 0
    let update = try change(&context) { workout, _ throws(RunningRefusal) in
      changed = try workout.setSuperset(superset, of: ids)
      return nil
    }
    return (changed, update.revision)
  }
}
