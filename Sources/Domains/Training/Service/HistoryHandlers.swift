import DomainKit
import Training

extension TrainingService {
  func workoutSessionsAmend(
    _ params: WorkoutSessionsAmendParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutSessionsAmendResult {
    let record = try context.record(of: WorkoutSession.self, params.id)
    let old = try context.decode(WorkoutSession.self, record)
    var new = try amended(old, params, context)
    try context.checkBase(params.revision, record, old, new)
    guard new != old else { return WorkoutSessionsAmendResult(session: old, revision: try context.storeRevision()) }
    new.version += 1
    var operations = try energyOperations(&new, after: old, context)
    operations += try progressionOperations(replacing: old, by: new, context)
    operations.append(try context.put(&new, keeping: record, readAs: old))
    operations.append(try context.put(new: FormerSession(old, replacedAt: new.updatedAt)))
    return WorkoutSessionsAmendResult(session: new, revision: try context.commit(operations))
  }

  private func amended(
    _ old: WorkoutSession, _ params: WorkoutSessionsAmendParams, _ context: Context
  ) throws(RPCError) -> WorkoutSession {
    var new = old
    new.patch(params)
    if new.startedAt != old.startedAt {
      // The day moves by as many days as the start does in the user's present zone, even for a session from another
      // zone.
      func day(_ instant: Instant) -> Int {
        Int(context.days.dayStart.day(at: instant, in: context.days.zone).daysSinceEpoch)
      }
      new.day = old.day.advanced(by: day(new.startedAt) - day(old.startedAt))
    }
    do throws(Refusal) { new = try new.normalized() } catch { throw RPCError(error) }
    if params.modules != nil, let problem = Refusal.firstNew(new.structuralProblems, since: old.structuralProblems) {
      throw RPCError(problem)
    }
    for (pointer, instant) in [("/startedAt", params.startedAt), ("/endedAt", params.endedAt)] {
      guard let instant, instant > context.now else { continue }
      throw RPCError(
        .invalidParams, "the instant is in the future", pointer: pointer, allowed: "\(context.now) or earlier")
    }
    let span = new.span
    if let seconds = params.seconds {
      try RPCError.check(
        seconds <= span, "it is longer than the time from start to end", pointer: "/seconds",
        allowed: "at most \(span)", hint: "“endedAt” changes the end")
    } else {
      // The pauses keep their length.
      new.seconds = min(max(old.seconds + span - old.span, 0), max(span, old.seconds))
    }
    try RPCError.check(
      new.seconds <= SessionRules.mostSeconds, "it would be \(new.seconds) seconds long",
      pointer: params.endedAt == nil ? "/startedAt" : "/endedAt", allowed: "at most \(SessionRules.mostSeconds) seconds"
    )
    return new
  }

  func workoutSessionsDelete(
    _ params: WorkoutSessionsDeleteParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutSessionsDeleteResult {
    let record = try context.record(of: WorkoutSession.self, params.id)
    let session = try context.decode(WorkoutSession.self, record)
    // Before the work that follows from the deletion.
    try context.checkBase(params.revision, record, session, nil)
    let snapshot = try context.snapshot()
    var others = formers(of: session, snapshot).map { Operation.delete(FormerSession.collection, id: $0.id) }
    others += try progressionOperations(replacing: session, by: nil, context)
    others +=
      try context.offers.records.exerciseEntries?.operations(
        storing: nil, of: session.id, in: ProjectionSource(context), at: context.now) ?? []
    others += try context.editing(ScheduledWorkout.self, session.scheduledId) { entry in
      if entry.sessionId == session.id { entry.sessionId = nil }
    }
    let revision = try context.commit([.delete(WorkoutSession.collection, id: session.id)] + others)
    return WorkoutSessionsDeleteResult(session: session, revision: revision)
  }

  func workoutSessionsVersions(
    _ params: WorkoutSessionsVersionsParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutSessionsVersionsResult {
    let session = try context.entity(WorkoutSession.self, params.id)
    var sessions = [session]
    for former in formers(of: session, try context.snapshot()) {
      sessions.append(try context.decode(FormerSession.self, former).session)
    }
    return WorkoutSessionsVersionsResult(sessions: sessions, revision: try context.storeRevision())
  }

  /// The stored earlier versions of a session, newest first. Some may be missing: an import or another device may have
  /// brought it without them. The search ends after 100 missing ones.
  private func formers(of session: WorkoutSession, _ snapshot: Snapshot) -> [Record] {
    var records: [Record] = []
    var missing = 0
    for version in stride(from: session.version - 1, to: 0, by: -1) where missing < 100 {
      if let record = snapshot.record(DerivedID.formerSession(session.id, version), in: FormerSession.collection) {
        records.append(record)
      } else {
        missing += 1
      }
    }
    return records
  }

  func workoutSessionsToWorkout(
    _ params: WorkoutSessionsToWorkoutParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutSessionsToWorkoutResult {
    let session = try context.entity(WorkoutSession.self, params.id)
    let id = params.workoutId ?? context.newID()
    let exercises = SessionPlan.exercises(of: session, at: context.now) { DerivedID.workoutPart(id, $0) }
    try RPCError.check(
      exercises.count <= SetRules.mostExercises, "the session has \(exercises.count) exercises", pointer: "/id",
      allowed: "a session of at most \(SetRules.mostExercises)")
    let workout = Workout(
      id: id, name: params.name ?? session.name, modules: [], exercises: exercises, createdAt: context.now,
      updatedAt: context.now)
    let added = try context.create(workout, isNewID: params.workoutId == nil, pointer: "/workoutId") { present in
      present.name == workout.name && present.modules.isEmpty
        && present.exercises.map(\.groups) == exercises.map(\.groups)
        && present.exercises.map(\.traits) == exercises.map(\.traits)
    }
    return WorkoutSessionsToWorkoutResult(workout: added.entity, created: added.isNew, revision: added.revision)
  }
}

extension WorkoutSession {
  /// The seconds from start to end, rounded up.
  fileprivate var span: Int { Int((endedAt.milliseconds - startedAt.milliseconds + 999) / 1000) }
}
