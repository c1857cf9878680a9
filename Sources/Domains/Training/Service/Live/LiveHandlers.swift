import DomainKit
import Training

/// Logging sets and moving through the running session.
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

  // MARK: sets

  func workoutSessionLogSet(
    _ params: WorkoutSessionLogSetParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    try checkRunning(params.setId, context)
    let (exercise, prefill, rest) = try beforeLogging(params.setId, params.kind, context)
    let settings = try trainingSettings(context)
    let now = context.now
    return try change(&context, only: exercise) { workout, newID throws(RunningRefusal) in
      let place = try workout.log(
        params.setId, params.values, kind: params.kind, prefill: prefill, advances: params.advances ?? true, at: now)
      workout.endTimer(ofLogged: place.set.id)
      if params.rests ?? (settings.startsRest && !workout.isInInterval(now)), rest > 0 {
        workout.setTimer(
          SessionTimer(
            id: newID(), kind: .rest, startedAt: now, seconds: rest, exerciseId: place.exercise.id,
            setId: place.set.id), now)
      }
      return place.exercise.id
    }
  }

  /// The exercise of a set, its prefill, and the rest after it in seconds. Separate, so that no copy of the session
  /// outlives it: the set is then logged in place.
  private func beforeLogging(
    _ id: EntityID?, _ kind: SetKind?, _ context: Context
  ) throws(RPCError) -> (exercise: EntityID, prefill: SetValues?, rest: Int) {
    let workout = try present(context)
    let place: RunningPlace
    do throws(RunningRefusal) { place = try workout.place(ofSet: id) } catch { throw RPCError(error) }
    let prefill = try prefill(place, kind: kind, workout, context)?.values
    return (place.exercise.id, prefill, try rest(after: place, workout, context))
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

  /// Refuses a set of a finished session.
  private func checkRunning(_ id: EntityID?, _ context: Context) throws(RPCError) {
    guard let id, try running(context)?.position(ofSet: id) == nil, try isFinished(set: id, context) else { return }
    throw RPCError(
      .sessionFinished, "the set belongs to a finished session, which cannot be changed", pointer: "/setId",
      hint: "“workoutSessions/amend” stores a corrected version")
  }

  // MARK: position

  func workoutSessionGoTo(
    _ params: WorkoutSessionGoToParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    guard [params.move != nil, params.setId != nil, params.exerciseId != nil].count(where: { $0 }) == 1 else {
      throw RPCError(
        .invalidParams, "it has to name exactly one destination", pointer: "/move",
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

  // MARK: answers

  /// The session as clients see it.
  func state(_ workout: RunningWorkout, _ revision: Int, _ context: Context) throws(RPCError) -> WorkoutSessionState {
    let progress = workout.progress
    return WorkoutSessionState(
      session: workout.session, exercises: workout.all, step: try step(workout, context),
      timer: workout.session.timer?.reading(context.now),
      elapsedSeconds: Int(workout.session.elapsedMs(context.now) / 1000),
      done: progress.done, sets: progress.sets, revision: revision)
  }

  /// The answer to a change of the session.
  ///
  /// - Parameter changed: The exercise to answer with.
  func update(
    _ workout: RunningWorkout, changed: EntityID? = nil, _ revision: Int, _ context: Context
  ) throws(RPCError) -> SessionUpdate {
    let progress = workout.progress
    return SessionUpdate(
      exercise: changed.flatMap { workout.exercises[$0] }, step: try step(workout, context),
      timer: workout.session.timer?.reading(context.now), done: progress.done, sets: progress.sets, revision: revision)
  }

  /// The current set.
  private func step(_ workout: RunningWorkout, _ context: Context) throws(RPCError) -> SessionStep? {
    guard let place = workout.current else { return nil }
    let exercise = place.exercise
    var step = SessionStep(
      position: place.position, moduleId: place.module.id, exerciseId: exercise.id, groupId: place.group.id,
      setId: place.set.id, name: exercise.traits.name, number: place.set.number, of: exercise.logicalSets.count,
      side: place.set.side, kind: place.kind, done: place.set.done == true,
      restSeconds: try rest(after: place, workout, context))
    if let superset = exercise.supersetId {
      let members = place.module.exerciseIds.filter { workout.exercises[$0]?.supersetId == superset }
      step.supersetPlace = members.firstIndex(of: exercise.id).map { $0 + 1 }
      step.supersetSize = members.count
    }
    if let (values, source) = try prefill(place, workout, context) {
      (step.prefill, step.prefillSource) = (values, source)
    }
    return step
  }

  /// The prefill of a set; nil for none. Earlier sessions are only searched where their values are used.
  private func prefill(
    _ place: RunningPlace, kind: SetKind? = nil, _ workout: RunningWorkout, _ context: Context
  ) throws(RPCError) -> (values: SetValues, source: PrefillSource)? {
    let measured = workout.measuredSeconds(place.set.id, context.now)
    return try Prefill.values(place, kind: kind, order: try trainingSettings(context).prefill, measured: measured) {
      () throws(RPCError) in try lastValues(place, kind: kind, workout.session, context)
    }
  }

  /// The rest after a set in seconds: none within a round of a superset and after recovery exercises; in an interval
  /// only after the last round, if the plan has one.
  func rest(after place: RunningPlace, _ workout: RunningWorkout, _ context: Context) throws(RPCError) -> Int {
    guard place.exercise.traits.kind != .recovery else { return 0 }
    if place.group.mode == .interval {
      return place.position.set == place.group.sets.count - 1 ? place.group.restSeconds ?? 0 : 0
    }
    if place.exercise.supersetId != nil {
      let order = SessionOrder(workout, module: place.position.module)
      if let index = order.index(of: place.set.id), order.continuesRound(after: index) { return 0 }
    }
    if let own = place.group.restSeconds { return own }
    return try trainingSettings(context).restSeconds
  }
}
