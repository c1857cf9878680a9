import DomainKit
import Training

extension TrainingService {
  /// The planned exercises of drafts.
  ///
  /// - Throws: A violated rule, with pointers below `/exercises`; `notFound` for an exercise or equipment that a draft
  ///   newly names.
  func exercises(
    _ drafts: [ExerciseDraft], keeping old: [PlannedExercise], _ context: Context
  ) throws(RPCError) -> [PlannedExercise] {
    let library = try library(context)
    let known = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for (place, draft) in drafts.enumerated() {
      let before = draft.id.flatMap { known[$0] }
      try checkEquipment(of: draft.traits, since: before?.traits, context, pointer: "/exercises/\(place)/traits")
      guard let id = draft.exerciseId, before?.exerciseId != id, library.exercise(id) == nil else { continue }
      throw RPCError(
        .notFound, "there is no exercise with this id", pointer: "/exercises/\(place)/exerciseId",
        hint: "“library/search” has the ids; “traits” describe an exercise without the library")
    }
    let edit = PlanEdit(now: context.now, newID: context.newID) { library.exercise($0) }
    do throws(Refusal) { return try edit.exercises(drafts, keeping: old) } catch {
      throw RPCError(error.inside("/exercises"))
    }
  }

  /// The same for a request to add a plan that may already exist: drafts without an id stand for the exercises at their
  /// index.
  func exercises(
    _ drafts: [ExerciseDraft], placedOn old: [PlannedExercise]?, _ context: Context
  ) throws(RPCError) -> [PlannedExercise] {
    try exercises(PlanEdit.placed(drafts, on: old ?? []), keeping: old ?? [], context)
  }

  /// The module references of params, with ids.
  ///
  /// - Throws: A repeated id; `notFound` for a missing module that the workout did not reference before.
  func references(
    _ modules: [ModuleReference], keeping old: [ModuleReference], _ context: Context
  ) throws(RPCError) -> [ModuleReference] {
    let known = Set(old.map(\.moduleId))
    for (place, reference) in modules.enumerated() where !known.contains(reference.moduleId) {
      _ = try context.record(of: Module.self, reference.moduleId, pointer: "/modules/\(place)/moduleId")
    }
    do throws(Refusal) { return try modules.identified(keeping: old, context.newID) } catch {
      throw RPCError(error.inside("/modules"))
    }
  }
}

extension ScheduledWorkout {
  /// Whether it was done, with or without a session.
  var isCompleted: Bool { sessionId != nil || completed == true }

  /// The operation that deletes it.
  var deletion: Operation { .delete(ScheduledWorkout.collection, id: id) }
}

extension Context {
  /// The operations that edit a stored entity: none when it is missing or stays the same.
  func editing<Entity: CollectionEntity>(
    _ type: Entity.Type, _ id: EntityID?, _ change: (inout Entity) throws(RPCError) -> Void
  ) throws(RPCError) -> [Operation] {
    guard let id, let record = try snapshot().record(id, in: type.collection) else { return [] }
    let old = try decode(type, record)
    var new = old
    try change(&new)
    return try edit(record, from: old, to: new, basedOn: nil).map { [$0.operation] } ?? []
  }
}

extension RPCError {
  /// Refuses the params of a request unless a condition holds.
  static func check(
    _ isMet: Bool, _ message: @autoclosure () -> String, pointer: String, allowed: @autoclosure () -> String,
    hint: String? = nil
  ) throws(RPCError) {
    guard isMet else { throw RPCError(.invalidParams, message(), pointer: pointer, allowed: allowed(), hint: hint) }
  }
}

extension TrainingService {
  func supersetsMake(_ params: SupersetsMakeParams, _ context: inout Context) throws(RPCError) -> SupersetsMakeResult {
    let ids = params.exerciseIds
    try RPCError.check(
      (2...SetRules.mostExercises).contains(ids.count) && Set(ids).count == ids.count,
      "a superset has at least two different exercises", pointer: "/exerciseIds", allowed: "two exercises or more")
    var superset = params.supersetId ?? context.newID()
    guard params.moduleId != nil || params.workoutId != nil else {
      if params.supersetId == nil, let present = try present(context).all.superset(of: ids) {
        superset = present
      }
      return SupersetsMakeResult(
        supersetId: superset, revision: try runningSuperset(ids, superset, &context).revision)
    }
    let revision = try edit(params.moduleId, params.workoutId, ids, &context) { exercises in
      if params.supersetId == nil, let present = exercises.superset(of: ids) { superset = present }
      return exercises.supersets(joining: ids, as: superset)
    }.revision
    return SupersetsMakeResult(supersetId: superset, revision: revision)
  }

  func supersetsBreak(
    _ params: SupersetsBreakParams, _ context: inout Context
  ) throws(RPCError) -> SupersetsBreakResult {
    guard params.moduleId != nil || params.workoutId != nil else {
      let (changed, revision) = try runningSuperset(params.exerciseIds, nil, &context)
      return SupersetsBreakResult(changed: changed, revision: revision)
    }
    let (changed, revision) = try edit(params.moduleId, params.workoutId, params.exerciseIds, &context) {
      $0.supersets(parting: params.exerciseIds)
    }
    return SupersetsBreakResult(changed: changed, revision: revision)
  }

  /// Changes the supersets of a module or a workout. Returns the number of changed exercises.
  private func edit(
    _ moduleId: EntityID?, _ workoutId: EntityID?, _ ids: [EntityID], _ context: inout Context,
    _ body: ([PlannedExercise]) -> [EntityID?]
  ) throws(RPCError) -> (changed: Int, revision: Int) {
    if moduleId != nil, let workoutId {
      throw RPCError(
        .invalidParams, "it names both a module and the workout \(workoutId)", pointer: "/workoutId",
        allowed: "one of them")
    }
    func edited<Plan: ExercisePlan & CollectionEntity>(
      _ type: Plan.Type, _ id: EntityID, pointer: String
    ) throws(RPCError) -> (changed: Int, revision: Int) {
      let record = try context.record(of: type, id, pointer: pointer)
      let old = try context.decode(type, record)
      let known = Set(old.exercises.map(\.id))
      if let place = ids.firstIndex(where: { !known.contains($0) }) {
        throw RPCError(
          .notFound, "there is no exercise with this id in it", pointer: "/exerciseIds/\(place)",
          hint: "“modules/get” and “workouts/get” have the ids")
      }
      var new = old
      new.exercises = old.exercises.with(body(old.exercises))
      let changed = zip(old.exercises, new.exercises).count { $0 != $1 }
      return (changed, try context.update(record, from: old, to: new, basedOn: nil).revision)
    }
    if let moduleId { return try edited(Module.self, moduleId, pointer: "/moduleId") }
    guard let workoutId else { return (0, try context.storeRevision()) }
    return try edited(Workout.self, workoutId, pointer: "/workoutId")
  }
}
