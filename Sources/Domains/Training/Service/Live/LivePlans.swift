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
      var module = module
      module.updatedAt = max(context.now, module.updatedAt.advanced(by: 1))
      operations.append(try context.put(module, keeping: record))
    }
    if let own, try context.decode(Workout.self, own.record) != own.workout {
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
    let book = try book(context)
    let places = Set(
      book.identities.indices.filter {
        TrainingNumbers.key(book.identities[$0].exerciseId, book.identities[$0].name, library) == key
      })
    let has = { (facts: SessionFacts) in facts.exercises.contains { places.contains($0.identity) } }
    let own = session.workoutId.flatMap { id in book.sessions.last { $0.workoutId == id && has($0) } }
    guard let found = own ?? book.sessions.last(where: has),
      let record = try context.snapshot().record(found.id, in: WorkoutSession.collection)
    else { return nil }
    return try context.decode(WorkoutSession.self, record).modules.flatMap(\.exercises).first {
      TrainingNumbers.key($0.exerciseId, $0.traits.name, library) == key && !$0.countedSets.isEmpty
    }
  }

  /// Whether a finished session has a set: looked for in their texts, as only a mistake asks it.
  func isFinished(set id: EntityID, _ context: Context) throws(RPCError) -> Bool {
    let wanted = Array("\"\(id)\"".utf8)
    for record in try context.snapshot().records(in: WorkoutSession.collection) {
      let body = context.folder.migrations.body(of: record, in: WorkoutSession.collection)
      let found = body.withUnsafeBytes { text in
        text.indices.contains { index in
          text[index] == wanted[0] && text[index...].prefix(wanted.count).elementsEqual(wanted)
        }
      }
      if found { return true }
    }
    return false
  }
}
