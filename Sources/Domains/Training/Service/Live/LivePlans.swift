import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Training
import Values

/// The plans that the running session came from.
extension TrainingService {
  /// The plan of each module of the session as it is now, by the module of the session.
  func plans(of workout: RunningWorkout, _ context: Context) throws(RPCError) -> StructuralChanges.Plans {
    var plans: StructuralChanges.Plans = [:]
    for module in workout.session.modules where module.plannedIds != nil {
      plans[module.id] =
        if let id = module.moduleId {
          try context.find(Module.self, id)?.exercises
        } else {
          try context.find(Workout.self, workout.session.workoutId)?.exercises
        }
    }
    return plans
  }

  /// What stores the plans of the session, each edited by `body`, where that makes them others. A module that the session has twice is
  /// edited once for each.
  func planOperations(
    _ workout: RunningWorkout, _ context: Context, _ body: (RunningModule, inout [PlannedExercise]) -> Void
  ) throws(RPCError) -> [Operation] {
    let planned = workout.session.modules.filter { $0.plannedIds != nil }
    var operations: [Operation] = []
    func edit<Plan: ExercisePlan & CollectionEntity>(
      _ type: Plan.Type, _ id: EntityID, by modules: [RunningModule]
    ) throws(RPCError) {
      guard !modules.isEmpty, let record = try context.snapshot().record(id, in: type.collection) else { return }
      let old = try context.decode(type, record)
      var plan = old
      for module in modules { body(module, &plan.exercises) }
      guard plan != old else { return }
      if let refusal = plan.refusal { throw RPCError(refusal.inside("/changes")) }
      plan.updatedAt = context.now.following(old.updatedAt)
      operations.append(try context.put(plan, keeping: record))
    }
    for id in Set(planned.compactMap(\.moduleId)).sorted() {
      try edit(Module.self, id, by: planned.filter { $0.moduleId == id })
    }
    if let id = workout.session.workoutId { try edit(Workout.self, id, by: planned.filter { $0.moduleId == nil }) }
    return operations
  }

  func workoutSessionChanges(
    _ params: NoParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutSessionChangesResult {
    let workout = try present(context)
    return WorkoutSessionChangesResult(
      changes: StructuralChanges.all(workout, try plans(of: workout, context)), revision: try context.storeRevision())
  }

  /// The last finished session that has an exercise, as that has it: of the same workout first. Nil for none.
  func lastExercise(
    _ exercise: SessionExercise, _ session: RunningSession, _ context: Context
  ) throws(RPCError) -> SessionExercise? {
    let library = try library(context)
    let key = TrainingNumbers.key(exercise.exerciseId, exercise.traits.name, library)
    let sources = [WorkoutSession.collection, CustomExercise.collection, LibraryMark.collection]
    let last = try lastMemory.current(context, sources) { () throws(RPCError) in
      LastSessions(try book(context), library)
    }
    let session = try context.find(WorkoutSession.self, last.session(of: key, workout: session.workoutId))
    return session?.modules.flatMap(\.exercises).first {
      TrainingNumbers.key($0.exerciseId, $0.traits.name, library) == key && !$0.countedSets.isEmpty
    }
  }

  /// Whether one of the last finished sessions has a set.
  func isFinished(set id: EntityID, _ context: Context) throws(RPCError) -> Bool {
    for facts in try book(context).sessions.suffix(30).reversed() {
      guard let session = try context.find(WorkoutSession.self, facts.id) else { continue }
      let has = session.modules.contains { module in
        module.exercises.contains { $0.groups.contains { $0.sets.contains { $0.id == id } } }
      }
      if has { return true }
    }
    return false
  }
}
