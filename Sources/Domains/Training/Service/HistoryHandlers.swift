import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Training
import Values

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
    new.updatedAt = context.now.following(old.updatedAt)
    var operations = try energyOperations(&new, after: old, context)
    let former = FormerSession(old, replacedAt: new.updatedAt)
    operations += [try context.put(new, keeping: record), try context.put(former, keeping: nil)]
    return WorkoutSessionsAmendResult(session: new, revision: try context.commit(operations))
  }

  private func amended(
    _ old: WorkoutSession, _ params: WorkoutSessionsAmendParams, _ context: Context
  ) throws(RPCError) -> WorkoutSession {
    var new = old
    new.patch(params)
    if new.startedAt != old.startedAt {
      // The same day as seen from where the user is now, moved by what the beginning was moved by: also of a session in another zone.
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
      throw RPCError(.invalidParams, "that is still to come", pointer: pointer, allowed: "\(context.now) or earlier")
    }
    let span = WorkoutSession.span(new)
    if let seconds = params.seconds {
      guard seconds <= span else {
        throw RPCError(
          .invalidParams, "it is longer than from its beginning to its end", pointer: "/seconds",
          allowed: "at most \(span)", hint: "“endedAt” says when it was over")
      }
    } else {
      // Pauses stay as long as they were.
      new.seconds = min(max(old.seconds + span - WorkoutSession.span(old), 0), max(span, old.seconds))
    }
    guard new.seconds <= SessionRules.mostSeconds else {
      throw RPCError(
        .invalidParams, "it would be \(new.seconds) seconds long",
        pointer: params.endedAt == nil ? "/startedAt" : "/endedAt",
        allowed: "at most \(SessionRules.mostSeconds) seconds"
      )
    }
    return new
  }

  func workoutSessionsDelete(
    _ params: WorkoutSessionsDeleteParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutSessionsDeleteResult {
    let record = try context.record(of: WorkoutSession.self, params.id)
    let session = try context.decode(WorkoutSession.self, record)
    try context.checkBase(params.revision, record, session, nil)
    let snapshot = try context.snapshot()
    var operations: [Operation] = [.delete(WorkoutSession.collection, id: session.id)]
    operations += formers(of: session, snapshot).map { .delete(FormerSession.collection, id: $0.id) }
    operations += try progressionOperations(without: session, context)
    if snapshot.record(session.id, in: Exercise.collection) != nil {
      operations.append(.delete(Exercise.collection, id: session.id))
    }
    if let id = session.scheduledId, let record = snapshot.record(id, in: ScheduledWorkout.collection) {
      var scheduled = try context.decode(ScheduledWorkout.self, record)
      if scheduled.sessionId == session.id {
        scheduled.sessionId = nil
        scheduled.updatedAt = context.now.following(scheduled.updatedAt)
        operations.append(try context.put(scheduled, keeping: record))
      }
    }
    return WorkoutSessionsDeleteResult(session: session, revision: try context.commit(operations))
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

  /// The earlier versions of a session that are there, newest first. A table or another device may have brought it without them.
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
    guard exercises.count <= SetRules.mostExercises else {
      throw RPCError(
        .invalidParams, "the session has \(exercises.count) exercises", pointer: "/id",
        allowed: "a session of at most \(SetRules.mostExercises)")
    }
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
  /// Whole seconds from the beginning to the end, rounded up.
  fileprivate static func span(_ session: WorkoutSession) -> Int {
    Int((session.endedAt.milliseconds - session.startedAt.milliseconds + 999) / 1000)
  }
}
