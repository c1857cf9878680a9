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

  /// The values of the matching set in the last finished sessions that have the exercise, preferably sessions of the same
  /// workout; nil for none.
  func lastValues(
    _ place: RunningPlace, kind: SetKind?, _ session: RunningSession, _ context: Context
  ) throws(RPCError) -> SetValues? {
    let (library, exercise) = (try library(context), place.exercise)
    let key = TrainingStatistics.key(exercise.exerciseId, exercise.traits.name, library)
    let sources = [WorkoutSession.collection, CustomExercise.collection, LibraryMark.collection]
    let last = try lastMemory.current(context, sources) { () throws(RPCError) in
      LastSessions(try sessionIndex(context), library)
    }
    for id in last.sessions(with: key, workout: session.workoutId) {
      let done = try context.find(WorkoutSession.self, id)?.countedExercises.filter {
        TrainingStatistics.key($0.exerciseId, $0.traits.name, library) == key && !$0.countedSets.isEmpty
      }
      // The same planned exercise first: a workout may have an exercise twice.
      let planned = exercise.plannedId.flatMap { id in done?.first { $0.plannedId == id } }
      for last in [planned].compactMap({ $0 }) + (done ?? []) {
        if let values = Prefill.values(place, kind: kind, from: last) { return values }
      }
    }
    return nil
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

/// The last sessions of each exercise, overall and by workout.
struct LastSessions {
  private struct OfWorkout: Hashable {
    let key: TrainingStatistics.ExerciseKey
    let workout: EntityID
  }

  /// Latest last.
  private var byKey: [TrainingStatistics.ExerciseKey: [EntityID]] = [:]
  private var byWorkout: [OfWorkout: [EntityID]] = [:]
  /// The most sessions that are searched for a matching set.
  private static let most = 3

  init(_ index: SessionIndex, _ library: TrainingLibrary) {
    let keys = index.identities.map { TrainingStatistics.key($0.exerciseId, $0.name, library) }
    func note(_ id: EntityID, _ ids: inout [EntityID]) {
      guard ids.last != id else { return }
      if ids.count == LastSessions.most { ids.removeFirst() }
      ids.append(id)
    }
    for session in index.sessions {
      for exercise in session.exercises {
        let key = keys[exercise.identity]
        note(session.id, &byKey[key, default: []])
        if let workout = session.workoutId {
          note(session.id, &byWorkout[OfWorkout(key: key, workout: workout), default: []])
        }
      }
    }
  }

  /// The last sessions with an exercise, newest first, those of a workout before the others.
  func sessions(with key: TrainingStatistics.ExerciseKey, workout: EntityID?) -> [EntityID] {
    let own = workout.flatMap { byWorkout[OfWorkout(key: key, workout: $0)] } ?? []
    return own.reversed() + (byKey[key] ?? []).reversed().filter { !own.contains($0) }
  }
}
