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
    let snapshot = try context.snapshot()
    for module in workout.session.modules where module.plannedIds != nil {
      if let id = module.moduleId, let record = snapshot.record(id, in: Module.collection) {
        plans[module.id] = try context.decode(Module.self, record).exercises
      } else if module.moduleId == nil, let id = workout.session.workoutId,
        let record = snapshot.record(id, in: Workout.collection)
      {
        plans[module.id] = try context.decode(Workout.self, record).exercises
      }
    }
    return plans
  }

  /// What stores the plans of the session, each edited by `body`, where that makes them others. A module that the session has twice is
  /// edited once for each.
  func planOperations(
    _ workout: RunningWorkout, _ context: Context,
    edited body: (inout [PlannedExercise]) -> Void
  ) throws(RPCError) -> [Operation] {
    try planOperations(workout, context) { _, plan in body(&plan) }
  }

  func planOperations(
    _ workout: RunningWorkout, _ context: Context, _ body: (RunningModule, inout [PlannedExercise]) -> Void
  ) throws(RPCError) -> [Operation] {
    let snapshot = try context.snapshot()
    var modules: [EntityID: (record: Record, module: Module)] = [:]
    var own: (record: Record, workout: Workout)?
    for running in workout.session.modules where running.plannedIds != nil {
      if let id = running.moduleId {
        guard let record = modules[id]?.record ?? snapshot.record(id, in: Module.collection) else { continue }
        var module = modules[id]?.module
        if module == nil { module = try context.decode(Module.self, record) }
        guard var module else { continue }
        body(running, &module.exercises)
        modules[id] = (record, module)
      } else if let id = workout.session.workoutId, let record = snapshot.record(id, in: Workout.collection) {
        var plan = own?.workout
        if plan == nil { plan = try context.decode(Workout.self, record) }
        guard var plan else { continue }
        body(running, &plan.exercises)
        own = (record, plan)
      }
    }
    var operations: [Operation] = []
    for (record, module) in modules.values.sorted(by: { $0.module.id < $1.module.id }) {
      guard try context.decode(Module.self, record) != module else { continue }
      if let refusal = module.refusal { throw RPCError(refusal.inside("/changes")) }
      var module = module
      module.updatedAt = max(context.now, module.updatedAt.advanced(by: 1))
      operations.append(try context.put(module, keeping: record))
    }
    if let own, try context.decode(Workout.self, own.record) != own.workout {
      if let refusal = own.workout.refusal { throw RPCError(refusal.inside("/changes")) }
      var plan = own.workout
      plan.updatedAt = max(context.now, plan.updatedAt.advanced(by: 1))
      operations.append(try context.put(plan, keeping: own.record))
    }
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
    guard let id = last.session(of: key, workout: session.workoutId),
      let record = try context.snapshot().record(id, in: WorkoutSession.collection)
    else { return nil }
    return try context.decode(WorkoutSession.self, record).modules.flatMap(\.exercises).first {
      TrainingNumbers.key($0.exerciseId, $0.traits.name, library) == key && !$0.countedSets.isEmpty
    }
  }

  /// Whether one of the last finished sessions has a set.
  func isFinished(set id: EntityID, _ context: Context) throws(RPCError) -> Bool {
    let snapshot = try context.snapshot()
    for facts in try book(context).sessions.suffix(30).reversed() {
      guard let record = snapshot.record(facts.id, in: WorkoutSession.collection) else { continue }
      let session = try context.decode(WorkoutSession.self, record)
      let has = session.modules.contains { module in
        module.exercises.contains { $0.groups.contains { $0.sets.contains { $0.id == id } } }
      }
      if has { return true }
    }
    return false
  }
}
