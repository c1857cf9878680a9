import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Training
import Values

extension TrainingService {
  func progressionPropose(
    _ params: ProgressionProposeParams, _ context: inout Context
  ) throws(RPCError) -> ProgressionProposeResult {
    let (exercise, workoutId) = try planned(params.exerciseId, params.workoutId, context)
    let revision = try context.storeRevision()
    guard let program = try program(params.programId, context) else {
      return ProgressionProposeResult(why: "No program is active.", revision: revision)
    }
    let state = try progressionState(exercise.id, of: program.id, context)
    switch try answer(exercise, workoutId, program, context) {
    case .proposal(let proposal): return ProgressionProposeResult(proposal: proposal, state: state, revision: revision)
    case .none(let why): return ProgressionProposeResult(why: why, state: state, revision: revision)
    }
  }

  /// An exercise of the plans, and the workout it is in; nil of a module that no workout has.
  private func planned(
    _ id: EntityID, _ workoutId: EntityID?, _ context: Context
  ) throws(RPCError) -> (exercise: PlannedExercise, workoutId: EntityID?) {
    let workouts: [Workout]
    if let workoutId {
      workouts = [try context.entity(Workout.self, workoutId, pointer: "/workoutId")]
    } else {
      workouts = try context.all(Workout.self).sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }
    for workout in workouts {
      for part in try resolvedParts(of: workout, context).parts {
        if let exercise = part.exercises.first(where: { $0.id == id }) { return (exercise, workout.id) }
      }
    }
    let modules = workoutId == nil ? try context.all(Module.self) : []
    if let exercise = modules.lazy.flatMap(\.exercises).first(where: { $0.id == id }) { return (exercise, nil) }
    throw RPCError(
      .notFound, "there is no planned exercise with this id", pointer: "/exerciseId",
      hint: "“workouts/resolve” has those of a workout")
  }

  /// A program that has to be there; the active one without an id, nil for none.
  private func program(_ id: EntityID?, _ context: Context) throws(RPCError) -> Program? {
    guard let id else { return try context.all(Program.self).first { $0.active == true } }
    return try context.entity(Program.self, id, pointer: "/programId")
  }

  func progressionHealth(
    _ params: ProgressionHealthParams, _ context: inout Context
  ) throws(RPCError) -> ProgressionHealthResult {
    let to = params.to ?? context.today
    let from = max(to.advanced(by: 1 - (params.days ?? 28)), CivilDay.allowed.lowerBound)
    return ProgressionHealthResult(
      health: ProgressionLearning.health(of: try entities(WorkoutSession.self, from...to, context)),
      revision: try context.storeRevision())
  }
}
