import DomainKit
import Training

/// Ending and cancelling the running session, and logging a session of one set.
extension TrainingService {
  func workoutSessionEnd(
    _ params: WorkoutSessionEndParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutSessionEndResult {
    let workout = try present(context)
    let end = try TrainingService.end(params.at, of: workout, context.now)
    var session = workout.finished(at: end, now: context.now)
    session.feeling = params.feeling
    session.note = params.note ?? session.note
    let (others, applied) = try changes(params, workout, context)
    var operations = others
    operations += try energyOperations(&session, context)
    operations += try progressionOperations(after: session, context)
    // The scheduled entry that the session was started from is completed.
    operations += try context.editing(ScheduledWorkout.self, session.scheduledId) { entry in
      if entry.sessionId == nil { (entry.sessionId, entry.completed) = (session.id, nil) }
    }
    let records = try newRecords(of: session, context)
    operations.append(try context.put(new: session))
    let revision = try commit(from: workout, to: nil, with: operations, &context)
    return WorkoutSessionEndResult(session: session, records: records, applied: applied, revision: revision)
  }

  private static func end(_ at: Instant?, of workout: RunningWorkout, _ now: Instant) throws(RPCError) -> Instant {
    let logged = workout.all.flatMap(\.groups).flatMap(\.sets).compactMap { $0.done == true ? $0.at : nil }
    let first = max(workout.session.startedAt, logged.max() ?? workout.session.startedAt)
    // The clock may have been set back to before the last set.
    let latest = max(now, first)
    guard let at else { return latest }
    try RPCError.check(
      at >= first && at <= latest, "the session cannot end then", pointer: "/at",
      allowed: "an instant from \(first), when the last set was logged, to \(latest)")
    return at
  }

  /// The operations that apply differences to the plans, and the number of these differences.
  private func changes(
    _ params: WorkoutSessionEndParams, _ workout: RunningWorkout, _ context: Context
  ) throws(RPCError) -> (operations: [Operation], count: Int) {
    guard params.allChanges == true || params.changes?.isEmpty == false else { return ([], 0) }
    let all = StructuralChanges.all(workout, try plans(of: workout, context))
    for (index, number) in (params.changes ?? []).enumerated() where !all.indices.contains(number) {
      throw RPCError(
        .invalidParams, "there is no difference \(number)", pointer: "/changes/\(index)",
        allowed: all.isEmpty ? "none: the session is as planned" : "0 to \(all.count - 1)",
        hint: "“workoutSession/changes” lists the differences")
    }
    let numbers = Set(params.changes ?? [])
    let chosen = params.allChanges == true ? all : all.filter { numbers.contains($0.number) }
    let (folder, now) = (context.folder, context.now)
    // A module that occurs twice is changed once, by the differences of both occurrences.
    var seen: Set<EntityID?> = []
    let operations = try planOperations(workout, context) { module, plan in
      guard seen.insert(module.moduleId).inserted else { return }
      let own = chosen.filter { $0.moduleId == module.moduleId }
      plan = StructuralChanges.applied(own, to: plan, workout, at: now) { folder.newID() }
    }
    return (operations, chosen.count)
  }

  func workoutSessionCancel(
    _ params: NoParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutSessionCancelResult {
    do throws(RPCError) {
      let workout = try present(context)
      let revision = try commit(from: workout, to: nil, &context)
      return WorkoutSessionCancelResult(session: workout.session, revision: revision)
    } catch {
      guard error.code == ErrorName.storeUnavailable.code else { throw error }
    }
    // Unreadable records can still be deleted.
    let snapshot = try context.snapshot()
    let operations = TrainingService.runningCollections.flatMap { collection in
      snapshot.records(in: collection).map { Operation.delete(collection, id: $0.id) }
    }
    return WorkoutSessionCancelResult(revision: try context.commit(operations))
  }

  // MARK: a session of one set

  func workoutSessionQuickLog(
    _ params: WorkoutSessionQuickLogParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutSessionQuickLogResult {
    let (traits, library) = try named(params.traits, params.exerciseId, context)
    let values: SetValues
    do throws(Refusal) { values = try params.values.normalized() } catch { throw RPCError(error.inside("/values")) }
    try RPCError.check(
      values.hasResult, "the set has no result", pointer: "/values",
      allowed: "a weight, repetitions, a time or a distance")
    let id = params.sessionId ?? context.newID()
    let day = params.day ?? context.currentDay
    if let stored = try context.find(WorkoutSession.self, id) {
      let exercise = stored.modules.first?.exercises.first
      guard stored.quickLog == true, exercise?.groups.first?.sets.first?.actual == values, exercise?.traits == traits,
        exercise?.exerciseId == library?.id, params.day ?? stored.day == stored.day, params.note == stored.note,
        params.feeling == stored.feeling
      else {
        throw RPCError(
          .conflict, "there is a session with this id and other content", pointer: "/sessionId",
          hint: "leave the id out, or use “workoutSessions/amend”",
          conflict: ConflictVersions(current: jsonValue(stored), yours: jsonValue(values)))
      }
      return WorkoutSessionQuickLogResult(
        session: stored, created: false, records: [], revision: try context.storeRevision())
    }
    try RPCError.check(
      day <= context.today, "the day is in the future", pointer: "/day", allowed: "a day up to \(context.today)")
    let seconds = values.seconds ?? 0
    let end = day == context.today ? context.now : context.days.zone.instant(day, secondOfDay: 12 * 3600)
    var exercise = SessionBuilder(context.newID).exercise(traits, library?.id, [SetGroup(sets: 1)])
    // One set even if the exercise has sides.
    exercise.groups[0].sets = [
      SetRecord(id: exercise.groups[0].sets[0].id, number: 1, actual: values, done: true, at: end)
    ]
    let module = SessionModule(
      id: context.newID(), name: RunningWorkout.ownName, kind: traits.kind.defaultModuleKind, exercises: [exercise])
    var session = WorkoutSession(
      id: id, day: day, zone: context.zoneName, version: 1, startedAt: end.advanced(by: -Int64(seconds) * 1000),
      endedAt: end, seconds: seconds, name: traits.name, quickLog: true, modules: [module], feeling: params.feeling,
      bodyWeight: try weight(on: day, context), note: params.note, createdAt: context.now, updatedAt: context.now)
    var operations = try energyOperations(&session, context)
    let records = try newRecords(of: session, context)
    operations.append(try context.put(new: session))
    return WorkoutSessionQuickLogResult(
      session: session, created: true, records: records, revision: try context.commit(operations))
  }
}
