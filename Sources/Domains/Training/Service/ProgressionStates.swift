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

  /// The operations that update the progression states after a session that is about to be stored.
  func progressionOperations(
    after session: WorkoutSession, _ context: Context
  ) throws(RPCError) -> [Operation] {
    let snapshot = try context.snapshot()
    guard let programId = session.programId,
      let progression = try context.find(Program.self, programId)?.progression
    else { return [] }
    var operations: [Operation] = []
    for lesson in ProgressionLearning.lessons(of: session)
    where TrainingService.rule(of: lesson.plannedId, progression) != nil {
      let id = DerivedID.progressionState(programId, lesson.plannedId)
      let known = try context.find(ProgressionState.self, id)
      let old = known ?? ProgressionState(id, of: lesson.plannedId, programId, at: context.now)
      let state = ProgressionLearning.state(old, after: lesson, at: context.now.following(known?.updatedAt))
      operations.append(try context.put(state, keeping: snapshot.record(id, in: ProgressionState.collection)))
    }
    return operations
  }

  /// The operations that restore the progression states without a deleted session: they are derived again from the
  /// other sessions of its program, in order, and deleted where no other session taught anything. A session did not
  /// teach anything of an exercise before the state was created, nor without a rule, unless the exercise had a
  /// proposal.
  func progressionOperations(without gone: WorkoutSession, _ context: Context) throws(RPCError) -> [Operation] {
    let snapshot = try context.snapshot()
    guard let programId = gone.programId else { return [] }
    let progression = try context.find(Program.self, programId)?.progression
    var states: [EntityID: (old: ProgressionState, new: ProgressionState?)] = [:]
    for lesson in ProgressionLearning.lessons(of: gone) {
      guard let state = try progressionState(lesson.plannedId, of: programId, context) else { continue }
      states[lesson.plannedId] = (state, nil)
    }
    guard let first = states.values.map(\.old.createdAt).min() else { return [] }
    var sessions: [WorkoutSession] = []
    snapshot.forEachRecord(in: WorkoutSession.collection) { record in
      guard record.id != gone.id, record.createdAt >= first,
        let program = try? context.folder.migrations.read(SessionProgram.self, record, in: WorkoutSession.collection),
        program.id == programId, let session = context.readable(WorkoutSession.self, record)
      else { return true }
      sessions.append(session)
      return true
    }
    for session in sessions.sorted(by: { ($0.day, $0.startedAt, $0.id) < ($1.day, $1.startedAt, $1.id) }) {
      for lesson in ProgressionLearning.lessons(of: session) {
        guard let (old, new) = states[lesson.plannedId], session.createdAt >= old.createdAt,
          lesson.exercise.proposal != nil
            || progression.flatMap({ TrainingService.rule(of: lesson.plannedId, $0) }) != nil
        else { continue }
        let before = new ?? ProgressionState(old.id, of: old.exerciseId, programId, at: old.createdAt)
        states[lesson.plannedId] = (old, ProgressionLearning.state(before, after: lesson, at: context.now))
      }
    }
    var operations: [Operation] = []
    for (old, new) in states.values.sorted(by: { $0.old.id < $1.old.id }) {
      guard var new else {
        operations.append(.delete(ProgressionState.collection, id: old.id))
        continue
      }
      new.updatedAt = old.updatedAt
      guard new != old else { continue }
      new.updatedAt = context.now.following(old.updatedAt)
      operations.append(try context.put(new, keeping: snapshot.record(new.id, in: ProgressionState.collection)))
    }
    return operations
  }
}

extension ProgressionState {
  /// The state before the first session.
  fileprivate init(_ id: EntityID, of exercise: EntityID, _ program: EntityID, at instant: Instant) {
    self.init(
      id: id, programId: program, exerciseId: exercise, outcomes: [], successes: 0, failures: 0,
      confidence: Decimal(significand: 5, scale: 1) ?? .zero, presented: 0, accepted: 0, dismissed: 0,
      createdAt: instant, updatedAt: instant)
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
