import DomainKit
import Training

/// The plans and the earlier sessions that the running session refers to.
extension TrainingService {
  /// The present plan of each module of the session, by the id of that module.
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

  /// The operations that store the plans of the session after `body` has edited them. A module that occurs twice in the
  /// session is edited once per occurrence.
  func planOperations(
    _ workout: RunningWorkout, _ context: Context, _ body: (RunningModule, inout [PlannedExercise]) -> Void
  ) throws(RPCError) -> [Operation] {
    let planned = workout.session.modules.filter { $0.plannedIds != nil }
    func edit<Plan: ExercisePlan & CollectionEntity>(
      _ type: Plan.Type, _ id: EntityID?, by modules: [RunningModule]
    ) throws(RPCError) -> [Operation] {
      guard !modules.isEmpty else { return [] }
      return try context.editing(type, id) { plan throws(RPCError) in
        let old = plan
        for module in modules { body(module, &plan.exercises) }
        if plan != old, let refusal = plan.refusal { throw RPCError(refusal.inside("/changes")) }
      }
    }
    var operations: [Operation] = []
    for id in Set(planned.compactMap(\.moduleId)).sorted() {
      operations += try edit(Module.self, id, by: planned.filter { $0.moduleId == id })
    }
    return operations
      + (try edit(Workout.self, workout.session.workoutId, by: planned.filter { $0.moduleId == nil }))
  }

  func workoutSessionChanges(
    _ params: NoParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutSessionChangesResult {
    let workout = try present(context)
    return WorkoutSessionChangesResult(
      changes: StructuralChanges.all(workout, try plans(of: workout, context)), revision: try context.storeRevision())
  }

  /// The exercise in the last finished session that has it, preferably one of the same workout; nil for none.
  func lastExercise(
    _ exercise: SessionExercise, _ session: RunningSession, _ context: Context
  ) throws(RPCError) -> SessionExercise? {
    let library = try library(context)
    let key = TrainingStatistics.key(exercise.exerciseId, exercise.traits.name, library)
    let sources = [WorkoutSession.collection, CustomExercise.collection, LibraryMark.collection]
    let last = try lastMemory.current(context, sources) { () throws(RPCError) in
      LastSessions(try sessionIndex(context), library)
    }
    let session = try context.find(WorkoutSession.self, last.session(of: key, workout: session.workoutId))
    return session?.modules.flatMap(\.exercises).first {
      TrainingStatistics.key($0.exerciseId, $0.traits.name, library) == key && !$0.countedSets.isEmpty
    }
  }

  /// Whether one of the last finished sessions has a set.
  func isFinished(set id: EntityID, _ context: Context) throws(RPCError) -> Bool {
    for facts in try sessionIndex(context).sessions.suffix(30).reversed() {
      let session = try context.find(WorkoutSession.self, facts.id)
      let exercises = session?.modules.lazy.flatMap(\.exercises)
      if exercises?.contains(where: { $0.groups.contains { $0.sets.contains { $0.id == id } } }) == true { return true }
    }
    return false
  }
}

/// The last session of each exercise, overall and by workout.
struct LastSessions {
  private struct OfWorkout: Hashable {
    let key: TrainingStatistics.ExerciseKey
    let workout: EntityID
  }

  private var byKey: [TrainingStatistics.ExerciseKey: EntityID] = [:]
  private var byWorkout: [OfWorkout: EntityID] = [:]

  init(_ index: SessionIndex, _ library: TrainingLibrary) {
    let keys = index.identities.map { TrainingStatistics.key($0.exerciseId, $0.name, library) }
    for session in index.sessions {
      for exercise in session.exercises {
        let key = keys[exercise.identity]
        byKey[key] = session.id
        if let workout = session.workoutId { byWorkout[OfWorkout(key: key, workout: workout)] = session.id }
      }
    }
  }

  /// The last session with an exercise, preferably of a workout; nil for none.
  func session(of key: TrainingStatistics.ExerciseKey, workout: EntityID?) -> EntityID? {
    workout.flatMap { byWorkout[OfWorkout(key: key, workout: $0)] } ?? byKey[key]
  }
}
