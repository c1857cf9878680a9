import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Training
import Values

/// What is known of the running session, at one revision.
struct RunningMemory {
  let revision: Int
  let epoch: Int
  /// The session as it is stored; nil while none runs.
  let workout: RunningWorkout?
}

extension TrainingService {
  /// What the running session is stored in.
  static let runningCollections = [RunningSession.collection, RunningModules.collection, RunningExercise.collection]

  /// The running session; nil while none runs. It is read again only after a change of it by somebody else.
  func running(_ context: Context) throws(RPCError) -> RunningWorkout? {
    let snapshot = try context.snapshot()
    let (revision, epoch) = (snapshot.revision, context.folder.epoch)
    if let known = runningMemory, known.epoch == epoch {
      if known.revision == revision { return known.workout }
      if known.revision < revision,
        context.changes(since: known.revision, of: TrainingService.runningCollections, atMost: 1)?.isEmpty == true
      {
        runningMemory = RunningMemory(revision: revision, epoch: epoch, workout: known.workout)
        return known.workout
      }
    }
    let workout = try read(snapshot, context)
    runningMemory = RunningMemory(revision: revision, epoch: epoch, workout: workout)
    return workout
  }

  private func read(_ snapshot: Snapshot, _ context: Context) throws(RPCError) -> RunningWorkout? {
    // After an undo there may be two: the one that was begun last runs, and the other after it.
    var sessions: [RunningSession] = []
    for record in snapshot.records(in: RunningSession.collection) {
      sessions.append(try context.decode(RunningSession.self, record))
    }
    guard var session = sessions.max(by: { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }) else { return nil }
    // One that an earlier version stored has its modules itself; what stands beside it is older.
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
    var workout = RunningWorkout(session, exercises)
    // An exercise that is gone, or cannot be read, is passed over.
    for module in workout.session.modules.indices {
      workout.session.modules[module].exerciseIds.removeAll { exercises[$0] == nil }
    }
    if workout.current == nil { workout.clamp() }
    return workout
  }

  /// The running session, which has to be there.
  func present(_ context: Context) throws(RPCError) -> RunningWorkout {
    if let workout = try running(context) { return workout }
    throw RPCError(.sessionMissing, "no session runs", hint: "“workoutSession/start” begins one")
  }

  /// What stores a session in the place of what there was. With `only`, no other exercise was changed, and `old` need not have another.
  private func operations(
    from old: RunningWorkout?, to new: RunningWorkout?, only: EntityID?, _ context: Context
  ) throws(RPCError) -> [Operation] {
    let snapshot = try context.snapshot()
    var operations: [Operation] = []
    if var session = new?.session, session != old?.session {
      let record = snapshot.record(session.id, in: RunningSession.collection)
      let modules = snapshot.record(session.id, in: RunningModules.collection)
      let hasOwnModules = try record.map { record throws(RPCError) in
        try !context.decode(RunningSession.self, record).modules.isEmpty
      }
      let isNew = modules == nil ? !session.modules.isEmpty : session.modules != old?.session.modules
      if isNew || hasOwnModules == true {
        let stored = RunningModules(
          id: session.id, modules: session.modules, createdAt: session.createdAt, updatedAt: session.updatedAt)
        operations.append(try context.put(stored, keeping: modules))
      }
      session.modules = []
      var present = old?.session
      present?.modules = []
      operations.append(try context.put(session, keeping: record, readAs: present))
    } else if new == nil, let old {
      operations += [RunningSession.collection, RunningModules.collection].map { .delete($0, id: old.session.id) }
    }
    for id in only.map({ [$0] }) ?? new?.session.modules.flatMap(\.exerciseIds) ?? [] {
      guard let exercise = new?.exercises[id], exercise != old?.exercises[id], let session = new?.session else {
        continue
      }
      let record = snapshot.record(id, in: RunningExercise.collection)
      let (created, updated) = (record?.createdAt ?? context.now, record?.updatedAt ?? context.now)
      let stored = RunningExercise(
        id: id, sessionId: session.id, exercise: exercise, createdAt: created, updatedAt: max(context.now, updated))
      let present = old?.exercises[id].map {
        RunningExercise(id: id, sessionId: session.id, exercise: $0, createdAt: created, updatedAt: updated)
      }
      operations.append(try context.put(stored, keeping: record, readAs: present))
    }
    guard only == nil else { return operations }
    for id in old?.session.modules.flatMap(\.exerciseIds) ?? [] where new?.exercises[id] == nil {
      operations.append(.delete(RunningExercise.collection, id: id))
    }
    return operations
  }

  /// Stores a session in place of the old one, with other operations, as one change.
  func commit(
    from old: RunningWorkout?, to new: RunningWorkout?, only: EntityID? = nil, with others: [Operation] = [],
    _ context: inout Context
  ) throws(RPCError) -> Int {
    var new = new
    if let old, var session = new?.session, session != old.session {
      session.updatedAt = max(context.now, old.session.updatedAt)
      new?.session = session
    }
    let revision = try context.commit(try operations(from: old, to: new, only: only, context) + others)
    // After one that ended another may go on, which an undo has brought back: it is looked for.
    runningMemory = new.map { RunningMemory(revision: revision, epoch: context.folder.epoch, workout: $0) }
    return revision
  }
}

extension RPCError {
  /// What the rules refuse of the running session.
  init(_ refusal: RunningRefusal) {
    switch refusal {
    case .missing(let pointer, let noun):
      self.init(
        .notFound, "there is no \(noun) with this id in the session", pointer: pointer,
        hint: "“workoutSession/get” has what there is")
    case .lastOne(let text): self.init(.lastOne, text)
    case .value(let refusal): self.init(refusal)
    }
  }
}
