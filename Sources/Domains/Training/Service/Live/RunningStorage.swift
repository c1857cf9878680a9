import DomainKit
import Training

extension TrainingService {
  /// The collections that store the running session.
  static let runningCollections = [RunningSession.collection, RunningModules.collection, RunningExercise.collection]

  /// The running session; nil while none runs. It is read again only after a change by somebody else.
  func running(_ context: Context) throws(RPCError) -> RunningWorkout? {
    try runningMemory.current(context, TrainingService.runningCollections) { () throws(RPCError) in
      try read(context).map { [$0] } ?? []
    }.first
  }

  private func read(_ context: Context) throws(RPCError) -> RunningWorkout? {
    let snapshot = try context.snapshot()
    // After an undo there may be two: the one started last runs, and the other continues when that ends.
    var sessions: [RunningSession] = []
    for record in snapshot.records(in: RunningSession.collection) {
      sessions.append(try context.decode(RunningSession.self, record))
    }
    guard var session = sessions.max(by: { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }) else { return nil }
    // An earlier version stored the modules in the session; a separate record beside such a session is outdated.
    if session.modules.isEmpty, let record = snapshot.record(session.id, in: RunningModules.collection) {
      session.modules = try context.decode(RunningModules.self, record).modules
    }
    var exercises: [EntityID: SessionExercise] = [:]
    for id in session.modules.flatMap(\.exerciseIds) {
      guard let record = snapshot.record(id, in: RunningExercise.collection) else { continue }
      do throws(RPCError) { exercises[id] = try context.decode(RunningExercise.self, record).exercise } catch {
        context.folder.warn("an exercise of the running session is left out: \(error.message)")
      }
    }
    // Missing and unreadable exercises are left out.
    for module in session.modules.indices { session.modules[module].exerciseIds.removeAll { exercises[$0] == nil } }
    var workout = RunningWorkout(session, exercises)
    if workout.current == nil { workout.clamp() }
    return workout
  }

  /// The running session.
  ///
  /// - Throws: `sessionMissing` while none runs.
  func present(_ context: Context) throws(RPCError) -> RunningWorkout {
    if let workout = try running(context) { return workout }
    throw RPCError(.sessionMissing, "no session is running", hint: "“workoutSession/start” starts one")
  }

  /// Changes the running session.
  ///
  /// - Parameters:
  ///   - only: The only exercise that `body` changes, if known: the others are then neither copied nor compared.
  ///   - body: Changes the session with a source of new ids, and returns the exercise to answer with.
  func change(
    _ context: inout Context, only: EntityID? = nil,
    _ body: (inout RunningWorkout, @escaping () -> EntityID) throws(RunningRefusal) -> EntityID?
  ) throws(RPCError) -> SessionUpdate {
    var new = try present(context)
    let old = only.map { RunningWorkout(new.session, [$0: new.exercises[$0]].compactMapValues { $0 }) } ?? new
    // With the cached reference gone, the change is made in place; if it fails, the session is read again.
    if only != nil { runningMemory = RevisionCache() }
    let folder = context.folder
    let changed: EntityID?
    do throws(RunningRefusal) { changed = try body(&new) { folder.newID() } } catch { throw RPCError(error) }
    let revision = try commit(from: old, to: new, only: only, &context)
    return try update(try running(context) ?? new, changed: changed, revision, context)
  }

  /// Replaces the stored session by another, together with other operations, as one change.
  func commit(
    from old: RunningWorkout?, to new: RunningWorkout?, only: EntityID? = nil, with others: [Operation] = [],
    _ context: inout Context
  ) throws(RPCError) -> Int {
    var new = new
    let own = try operations(from: old, to: &new, only: only, context)
    let revision = try context.commit(own + others)
    // After the end of one session another may continue, which an undo has restored: the next read finds it.
    runningMemory = RevisionCache()
    if let new { runningMemory[context.folder] = [new] }
    return revision
  }

  /// The operations that replace the stored session, which gets their time. With `only`, no other exercise has changed,
  /// and `old` may lack the others.
  private func operations(
    from old: RunningWorkout?, to workout: inout RunningWorkout?, only: EntityID?, _ context: Context
  ) throws(RPCError) -> [Operation] {
    guard let new = workout else {
      guard let id = old?.session.id else { return [] }
      return [.delete(RunningSession.collection, id: id), .delete(RunningModules.collection, id: id)]
        + deletions(from: old, to: nil)
    }
    let snapshot = try context.snapshot()
    var operations: [Operation] = []
    var session = new.session
    if session != old?.session {
      let record = snapshot.record(session.id, in: RunningSession.collection)
      let modules = snapshot.record(session.id, in: RunningModules.collection)
      let hasOwnModules = try record.map { record throws(RPCError) in
        try !context.decode(RunningSession.self, record).modules.isEmpty
      }
      let isNew = modules == nil ? !session.modules.isEmpty : session.modules != old?.session.modules
      if isNew || hasOwnModules == true {
        var stored = RunningModules(
          id: session.id, modules: session.modules, createdAt: session.createdAt, updatedAt: session.updatedAt)
        operations.append(try context.put(&stored, keeping: modules))
      }
      session.modules = []
      var present = old?.session
      present?.modules = []
      operations.append(try context.put(&session, keeping: record, readAs: present))
      workout?.session.updatedAt = session.updatedAt
    }
    for id in only.map({ [$0] }) ?? new.session.modules.flatMap(\.exerciseIds) {
      guard let exercise = new.exercises[id], exercise != old?.exercises[id] else { continue }
      let record = snapshot.record(id, in: RunningExercise.collection)
      let (created, updated) = (record?.createdAt ?? context.now, record?.updatedAt ?? context.now)
      var stored = RunningExercise(
        id: id, sessionId: session.id, exercise: exercise, createdAt: created, updatedAt: updated)
      let present = old?.exercises[id].map {
        RunningExercise(id: id, sessionId: session.id, exercise: $0, createdAt: created, updatedAt: updated)
      }
      operations.append(try context.put(&stored, keeping: record, readAs: present))
    }
    return only == nil ? operations + deletions(from: old, to: new) : operations
  }

  /// The operations that delete the exercises of a session that another lacks.
  private func deletions(from old: RunningWorkout?, to new: RunningWorkout?) -> [Operation] {
    (old?.session.modules.flatMap(\.exerciseIds) ?? []).filter { new?.exercises[$0] == nil }
      .map { .delete(RunningExercise.collection, id: $0) }
  }
}

extension RPCError {
  init(_ refusal: RunningRefusal) {
    switch refusal {
    case .missing(let pointer, let noun):
      self.init(
        .notFound, "there is no \(noun) with this id in the session", pointer: pointer,
        hint: "“workoutSession/get” lists the ids")
    case .lastOne(let text): self.init(.lastOne, text)
    case .value(let refusal): self.init(refusal)
    }
  }
}
