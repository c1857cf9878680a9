import DomainKit
import Training

/// What is learned from finished sessions.
extension TrainingService {
  /// The stored progression state of a program's exercise; nil for none.
  func progressionState(
    _ exercise: EntityID, of program: EntityID, _ context: Context
  ) throws(RPCError) -> ProgressionState? {
    try context.find(ProgressionState.self, DerivedID.progressionState(program, exercise))
  }

  /// The operations that update the progression states after a session that is about to be stored. One that is not the
  /// last in the order of sessions is taught in its place.
  func progressionOperations(
    after session: WorkoutSession, _ context: Context
  ) throws(RPCError) -> [Operation] {
    let snapshot = try context.snapshot()
    guard let programId = session.programId,
      let progression = try context.find(Program.self, programId)?.progression
    else { return [] }
    guard try sessionIndex(context).sessions.last?.isBefore(session) ?? true else {
      var nothing = session
      nothing.modules = []
      return try progressionOperations(replacing: nothing, by: session, context)
    }
    var operations: [Operation] = []
    for lesson in ProgressionLearning.lessons(of: session)
    where TrainingService.rule(of: lesson.plannedId, progression) != nil {
      let id = DerivedID.progressionState(programId, lesson.plannedId)
      let known = try context.find(ProgressionState.self, id)
      let old = known ?? ProgressionState(id, of: lesson.plannedId, programId, at: context.now)
      let state = ProgressionLearning.state(old, after: lesson, at: context.now)
      if let known, let record = snapshot.record(id, in: ProgressionState.collection) {
        operations += try context.edit(record, from: known, to: state, basedOn: nil).map { [$0.operation] } ?? []
      } else {
        operations.append(try context.put(new: state))
      }
    }
    return operations
  }

  /// The operations that update the progression states after a stored session has become another, or is deleted.
  func progressionOperations(
    replacing old: WorkoutSession, by new: WorkoutSession?, _ context: Context
  ) throws(RPCError) -> [Operation] {
    let snapshot = try context.snapshot()
    var operations: [Operation] = []
    let changes = TrainingService.taughtAgain(
      [(old, new)], snapshot, context.folder.migrations, at: context.now)
    for (stored, new) in changes {
      if var new {
        let record = snapshot.record(new.id, in: ProgressionState.collection)
        operations.append(try context.put(&new, keeping: record, readAs: stored))
      } else if let stored {
        operations.append(.delete(ProgressionState.collection, id: stored.id))
      }
    }
    return operations
  }

  /// The progression states that change with sessions: they are derived again from all sessions of their programs. A
  /// new one of nil is to be deleted, as no session teaches it.
  static func taughtAgain(
    _ changes: [(old: WorkoutSession, new: WorkoutSession?)], _ snapshot: Snapshot, _ migrations: RecordMigrations,
    at now: Instant
  ) -> [(stored: ProgressionState?, new: ProgressionState?)] {
    // What is no lesson, such as a note, teaches nothing else.
    let changes = changes.filter { old, new in
      new.map { ($0.modules, $0.day, $0.startedAt) != (old.modules, old.day, old.startedAt) } ?? true
    }
    let byProgram = Dictionary(grouping: changes) { $0.old.programId }
    return byProgram.keys.compactMap { $0 }.sorted().flatMap {
      programId -> [(stored: ProgressionState?, new: ProgressionState?)] in
      let changed = byProgram[programId] ?? []
      let program = snapshot.record(programId, in: Program.collection)
        .flatMap { try? migrations.decode(Program.self, $0) }
      var replay = ProgressionReplay(
        changed.flatMap { [$0.old] + [$0.new].compactMap { $0 } }, of: programId, at: now,
        rulesSince: program?.updatedAt,
        hasRule: { id in program?.progression.flatMap { rule(of: id, $0) } != nil },
        id: { DerivedID.progressionState(programId, $0) },
        stored: { id in
          snapshot.record(id, in: ProgressionState.collection)
            .flatMap { try? migrations.decode(ProgressionState.self, $0) }
        })
      guard !replay.isEmpty else { return [] }
      let gone = Set(changed.map(\.old.id))
      var sessions = changed.compactMap(\.new)
      snapshot.forEachRecord(in: WorkoutSession.collection) { record in
        guard !gone.contains(record.id),
          let program = try? migrations.read(SessionProgram.self, record, in: WorkoutSession.collection),
          program.id == programId, let session = try? migrations.decode(WorkoutSession.self, record)
        else { return true }
        sessions.append(session)
        return true
      }
      replay.teach(sessions)
      return replay.changes
    }
  }
}

/// The program of a finished session: all that is read of a record before it is known to matter.
private struct SessionProgram: JSONDecodable {
  private(set) var id: EntityID?

  init(from reader: inout JSONReader) throws(JSONError) {
    var object = try reader.beginObject()
    while try reader.nextMember(&object) {
      if try reader.member("programId", 0, &object) {
        id = try EntityID(from: &reader)
      } else {
        try reader.skipValue()
      }
    }
  }
}
