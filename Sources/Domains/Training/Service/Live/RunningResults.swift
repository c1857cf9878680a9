import CivilTime
import DaybookProtocol
import DomainKit
import JSONRPC
import Training
import Values

extension TrainingService {
  /// A session as clients see it.
  func state(_ workout: RunningWorkout, _ revision: Int, _ context: Context) throws(RPCError) -> WorkoutSessionState {
    let progress = workout.progress
    return WorkoutSessionState(
      session: workout.session, exercises: workout.all, step: try step(workout, context),
      timer: workout.session.timer?.reading(context.now), elapsed: Int(workout.session.elapsedMs(context.now) / 1000),
      done: progress.done, sets: progress.sets, revision: revision)
  }

  /// The answer to a change; `changed` is the exercise that was changed.
  func update(
    _ workout: RunningWorkout, changed: EntityID? = nil, _ revision: Int, _ context: Context
  ) throws(RPCError) -> SessionUpdate {
    let progress = workout.progress
    return SessionUpdate(
      exercise: changed.flatMap { workout.exercises[$0] }, step: try step(workout, context),
      timer: workout.session.timer?.reading(context.now), done: progress.done, sets: progress.sets, revision: revision)
  }

  /// The set the user is at.
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

  /// What a set may be filled in with. Earlier sessions are looked through only where their values count.
  func prefill(
    _ place: RunningPlace, _ workout: RunningWorkout, _ context: Context
  ) throws(RPCError) -> (values: SetValues, source: PrefillSource)? {
    let order = try trainingSettings(context).prefill
    if place.set.actual != nil { return Prefill.values(place, last: nil, order: order) }
    let first = Prefill.values(place, last: nil, order: order)
    let needsLast = first == nil || first?.source == .target && (order == .last || place.group.mode == .amrap)
    guard needsLast else { return first }
    return Prefill.values(place, last: try lastExercise(place.exercise, workout.session, context), order: order)
  }

  /// The rest after a set, seconds: none before another of the same turn of a superset, and of exercises for rest; after the rounds of
  /// an interval only behind the last, where the plan says so.
  func rest(after place: RunningPlace, _ workout: RunningWorkout, _ context: Context) throws(RPCError) -> Int {
    guard place.exercise.traits.kind != .recovery else { return 0 }
    if place.group.mode == .interval {
      return place.position.set == place.group.sets.count - 1 ? place.group.restSeconds ?? 0 : 0
    }
    if place.exercise.supersetId != nil {
      let order = SessionOrder(workout, module: place.position.module)
      if let index = order.index(of: place.set.id), order.goesOnAtOnce(after: index) { return 0 }
    }
    if let own = place.group.restSeconds { return own }
    return try trainingSettings(context).restSeconds
  }
}
