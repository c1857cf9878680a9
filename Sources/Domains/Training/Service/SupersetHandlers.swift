import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Training
import Values

extension TrainingService {
  func supersetsMake(_ params: SupersetsMakeParams, _ context: inout Context) throws(RPCError) -> SupersetsMakeResult {
    let ids = params.exerciseIds
    guard (2...SetRules.mostExercises).contains(ids.count), Set(ids).count == ids.count else {
      throw RPCError(
        .invalidParams, "a superset has two exercises at least, each once", pointer: "/exerciseIds",
        allowed: "two exercises or more")
    }
    var superset = params.supersetId ?? context.newID()
    guard params.moduleId != nil || params.workoutId != nil else {
      if params.supersetId == nil, let present = Supersets.common(ids, of: try present(context).all.supersets) {
        superset = present
      }
      return SupersetsMakeResult(
        supersetId: superset, revision: try runningSuperset(ids, superset, &context).revision)
    }
    let revision = try edit(params.moduleId, params.workoutId, ids, &context) { exercises in
      if params.supersetId == nil, let present = Supersets.common(ids, of: exercises) { superset = present }
      return Supersets.joined(ids, as: superset, of: exercises)
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
      Supersets.parted(params.exerciseIds, of: $0)
    }
    return SupersetsBreakResult(changed: changed, revision: revision)
  }

  /// Changes the supersets of a module or a workout. Answers how many exercises changed.
  private func edit(
    _ moduleId: EntityID?, _ workoutId: EntityID?, _ ids: [EntityID], _ context: inout Context,
    _ body: ([(id: EntityID, superset: EntityID?)]) -> [EntityID?]
  ) throws(RPCError) -> (changed: Int, revision: Int) {
    if moduleId != nil, let workoutId {
      throw RPCError(
        .invalidParams, "it names a module and the workout \(workoutId)", pointer: "/workoutId",
        allowed: "one of both")
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
      new.exercises = old.exercises.with(body(old.exercises.supersets), at: context.now)
      let changed = zip(old.exercises, new.exercises).count { $0 != $1 }
      return (changed, try context.update(record, from: old, to: new, basedOn: nil).revision)
    }
    if let moduleId { return try edited(Module.self, moduleId, pointer: "/moduleId") }
    guard let workoutId else { return (0, try context.storeRevision()) }
    return try edited(Workout.self, workoutId, pointer: "/workoutId")
  }
}
