import CivilTime
import DaybookProtocol
import DomainKit
import JSONRPC
import Training
import Values

/// The running session as it is done.
extension TrainingService {
  func workoutSessionGet(_ params: NoParams, _ context: inout Context) throws(RPCError) -> WorkoutSessionGetResult {
    let revision = try context.storeRevision()
    guard let workout = try running(context) else { return WorkoutSessionGetResult(state: nil, revision: revision) }
    return WorkoutSessionGetResult(state: try state(workout, revision, context), revision: revision)
  }

  func workoutSessionClaim(_ params: NoParams, _ context: inout Context) throws(RPCError) -> SessionUpdate {
    let author = TrainingService.author(context)
    return try change(&context) { workout, _ throws(RunningRefusal) in
      workout.session.heldBy = author
      return nil
    }
  }

  /// Changes the running session by a rule, which says which exercise it was; `only` says that it changes no other than that one.
  func change(
    _ context: inout Context, only: EntityID? = nil,
    _ body: (inout RunningWorkout, @escaping () -> EntityID) throws(RunningRefusal) -> EntityID?
  ) throws(RPCError) -> SessionUpdate {
    var new = try present(context)
    let old = only.map { RunningWorkout(new.session, [$0: new.exercises[$0]].compactMapValues { $0 }) } ?? new
    // It is changed in place, without a copy of all exercises, and read again if the change fails.
    if only != nil { runningMemory = nil }
    let folder = context.folder
    let changed: EntityID?
    do throws(RunningRefusal) { changed = try body(&new) { folder.newID() } } catch { throw RPCError(error) }
    let revision = try commit(from: old, to: new, only: only, &context)
    return try update(try running(context) ?? new, changed: changed, revision, context)
  }

  // MARK: sets

  func workoutSessionLogSet(
    _ params: WorkoutSessionLogSetParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    try checkRunning(params.setId, context)
    let (exercise, filled, rest) = try beforeLogging(params.setId, context)
    let settings = try trainingSettings(context)
    let now = context.now
    return try change(&context, only: exercise) { workout, newID throws(RunningRefusal) in
      let place = try workout.log(
        params.setId, params.values, kind: params.kind, prefill: filled, advances: params.advances ?? true, at: now)
      // The timer of the set itself has done its work.
      if workout.session.timer?.setId == place.set.id { workout.session.timer = nil }
      if params.rests ?? settings.startsRest, rest > 0 {
        workout.session.timer = SessionTimer(
          id: newID(), kind: .rest, startedAt: now, seconds: rest, exerciseId: place.exercise.id, setId: place.set.id)
      }
      return place.exercise.id
    }
  }

  /// Of a set that is to be logged: its exercise, what it would be filled in with, and the rest after it, seconds.
  private func beforeLogging(
    _ id: EntityID?, _ context: Context
  ) throws(RPCError) -> (exercise: EntityID, filled: SetValues?, rest: Int) {
    let workout = try present(context)
    let place: RunningPlace
    do throws(RunningRefusal) { place = try workout.place(ofSet: id) } catch { throw RPCError(error) }
    let filled = try prefill(place, workout, context)?.values
    return (place.exercise.id, filled, try rest(after: place, workout, context))
  }

  func workoutSessionUncheckSet(
    _ params: WorkoutSessionUncheckSetParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    try checkRunning(params.setId, context)
    return try change(&context) { workout, _ throws(RunningRefusal) in try workout.uncheck(params.setId).exercise.id }
  }

  func workoutSessionAddSet(
    _ params: WorkoutSessionAddSetParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    try change(&context) { workout, newID throws(RunningRefusal) in
      try workout.addSet(to: params.exerciseId, target: params.target, kind: params.kind, newID)
    }
  }

  func workoutSessionDeleteSet(
    _ params: WorkoutSessionDeleteSetParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    try checkRunning(params.setId, context)
    return try change(&context) { workout, _ throws(RunningRefusal) in try workout.deleteSet(params.setId) }
  }

  /// Says of a set that is not in the running session whether a finished one has it.
  private func checkRunning(_ id: EntityID?, _ context: Context) throws(RPCError) {
    guard let id, try running(context)?.position(ofSet: id) == nil, try isFinished(set: id, context) else { return }
    throw RPCError(
      .sessionFinished, "the set is of a finished session, which does not change", pointer: "/setId",
      hint: "“workoutSessions/amend” stores a corrected version")
  }

  // MARK: where the user is

  func workoutSessionGoTo(
    _ params: WorkoutSessionGoToParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    guard [params.move != nil, params.setId != nil, params.exerciseId != nil].count(where: { $0 }) == 1 else {
      throw RPCError(
        .invalidParams, "where to go is to be said once", pointer: "/move",
        allowed: "one of “move”, “setId”, “exerciseId”")
    }
    return try change(&context) { workout, _ throws(RunningRefusal) in
      if let move = params.move { workout.go(move) }
      if let set = params.setId { try workout.go(toSet: set) }
      if let exercise = params.exerciseId { try workout.go(toExercise: exercise) }
      return nil
    }
  }

  func workoutSessionSkipModule(
    _ params: WorkoutSessionSkipModuleParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    try change(&context) { workout, _ throws(RunningRefusal) in
      try workout.skip(params.sessionModuleId, params.skipped ?? true)
      return nil
    }
  }

  func workoutSessionUpdate(
    _ params: WorkoutSessionUpdateParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    let now = context.now
    return try change(&context) { workout, _ throws(RunningRefusal) in
      workout.session.name = params.name ?? workout.session.name
      workout.session.note = params.note.applied(to: workout.session.note)
      workout.session.bodyWeight = params.bodyWeight.applied(to: workout.session.bodyWeight)
      if params.paused == true { workout.session.pause(now) }
      if params.paused == false { workout.session.resume(now) }
      return nil
    }
  }
}
