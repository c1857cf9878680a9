import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSON
import JSONRPC
import Training
import Values

extension TrainingService {
  /// What is proposed, or why nothing is.
  enum ProposalAnswer {
    case proposal(ProgressionProposal)
    case none(String)
  }

  /// What is proposed for an exercise of a plan; nil for nothing.
  func proposal(
    for exercise: PlannedExercise, workoutId: EntityID?, program: Program, _ context: Context
  ) throws(RPCError) -> ProgressionProposal? {
    guard case .proposal(let proposal) = try answer(exercise, workoutId, program, context) else { return nil }
    return proposal
  }

  /// What is proposed for an exercise of a plan, or in English why nothing is.
  func answer(
    _ exercise: PlannedExercise, _ workoutId: EntityID?, _ program: Program, _ context: Context
  ) throws(RPCError) -> ProposalAnswer {
    guard exercise.traits.kind == .strength || exercise.traits.kind == .cardio else {
      return .none("Only exercises for strength and endurance progress.")
    }
    guard let progression = program.progression, progression.policy != .off else {
      return .none("Progression is off in the program.")
    }
    guard let (rule, profile) = TrainingService.rule(of: exercise.id, progression) else {
      return .none("The program has no rule for this exercise.")
    }
    let isAdaptive = progression.policy == .adaptive
    let state = try progressionState(exercise.id, of: program.id, context)
    let lastDay = state.map { $0.lastDay ?? context.days.dayStart.day(at: $0.updatedAt, in: context.days.zone) }
    let age = lastDay.map { Int(context.today.daysSinceEpoch) - Int($0.daysSinceEpoch) } ?? 0
    let pieces = try equipment(of: exercise, context)
    for last in try earlier(exercise, workoutId, context) {
      let given = ProgressionCase(
        exercise, rule: rule, profile: profile, isAdaptive: isAdaptive, last: last, state: state,
        age: age
      ) { unit in
        pieces.first { ($0.unit ?? .kg) == unit && $0.increment.map { $0 > .zero } ?? false }?.increment?.double
      }
      if let proposal = ProgressionEngine(given).proposal() { return .proposal(proposal) }
    }
    return .none("No session of the same workout has this exercise with what is to grow.")
  }

  /// The rule and the profile of an exercise; nil when nothing is proposed of it.
  private static func rule(
    of id: EntityID, _ progression: ProgramProgression
  ) -> (rule: ProgressionRule, profile: ProgressionProfile?)? {
    let own = progression.exercises?.first { $0.exerciseId == id }
    let profile = own?.profile ?? progression.profile
    let rule = own?.rule ?? progression.rule
    switch progression.policy {
    case .linear: return rule.map { ($0, profile) }
    case .adaptive: return own == nil ? nil : (rule ?? ProgressionRule(), profile)
    case .off, .unknown: return nil
    }
  }

  /// The equipment of an exercise, in its order.
  private func equipment(of exercise: PlannedExercise, _ context: Context) throws(RPCError) -> [Equipment] {
    guard let ids = exercise.traits.equipmentIds, !ids.isEmpty else { return [] }
    let sources = [Equipment.collection, TrainingSettings.collection, Settings.collection]
    let known = try equipmentMemory.current(context, sources) { () throws(RPCError) in try equipment(context) }
    return ids.compactMap { id in known.first { $0.id == id } }
  }

  /// How many sessions back one with the exercise is looked for.
  private static let longestLook = 30

  /// The exercise in sessions of the same workout, newest first: that of the plan, unless it was exchanged, else one that is the same by
  /// its id or name.
  private func earlier(
    _ exercise: PlannedExercise, _ workoutId: EntityID?, _ context: Context
  ) throws(RPCError) -> [SessionExercise] {
    let library = try library(context)
    let key = TrainingNumbers.key(exercise.exerciseId, exercise.traits.name, library)
    var found: [SessionExercise] = []
    var looked = 0
    for facts in try book(context).sessions.reversed() where facts.workoutId == workoutId {
      looked += 1
      guard looked <= TrainingService.longestLook, found.count < 3 else { break }
      guard let session = try session(facts.id, context) else { continue }
      let exercises = session.countedExercises
      let same =
        exercises.first { $0.plannedId == exercise.id && $0.originalName == nil }
        ?? exercises.first { TrainingNumbers.key($0.exerciseId, $0.traits.name, library) == key }
      if let same, !same.countedSets.isEmpty { found.append(same) }
    }
    return found
  }

  /// A finished session; nil when it is not there. The latest are kept, as all exercises of a plan ask for the same.
  private func session(_ id: EntityID, _ context: Context) throws(RPCError) -> WorkoutSession? {
    guard let record = try context.snapshot().record(id, in: WorkoutSession.collection) else { return nil }
    let known = sessionMemory.latest(context.folder) ?? []
    if let read = known.first(where: { $0.session.id == id && $0.revision == record.revision }) { return read.session }
    let session = try context.decode(WorkoutSession.self, record)
    sessionMemory[context.folder] = (known.count > 8 ? [] : known) + [(record.revision, session)]
    return session
  }

  /// What is remembered of an exercise of a program; nil for nothing.
  func progressionState(
    _ exercise: EntityID, of program: EntityID, _ context: Context
  ) throws(RPCError) -> ProgressionState? {
    try context.find(ProgressionState.self, DerivedID.progressionState(program, exercise))
  }

  /// What is remembered of progression after a session that is about to be stored.
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

  /// What is remembered of progression once a session is gone: what the others of its program have taught, in their order; of an exercise
  /// that no other taught anything of, nothing. A session taught nothing of an exercise that had no rule: before the first lesson, and
  /// where it was neither proposed anything nor has a rule now.
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
        let part = try? context.folder.migrations.read(SessionProgram.self, record, in: WorkoutSession.collection),
        part.programId == programId, let session = context.readable(WorkoutSession.self, record)
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

/// The program of a finished session, which is all that is read of its record.
private struct SessionProgram: JSONDecodable {
  let programId: EntityID?

  init(from reader: inout JSONReader) throws(JSONError) {
    var object = try reader.beginObject()
    var programId: EntityID?
    while try reader.nextMember(&object) {
      if try reader.member("programId", 0, &object) {
        programId = try EntityID(from: &reader)
      } else {
        try reader.skipValue()
      }
    }
    self.programId = programId
  }
}

extension ProgressionState {
  /// What is remembered before the first session.
  fileprivate init(_ id: EntityID, of exercise: EntityID, _ program: EntityID, at instant: Instant) {
    self.init(
      id: id, programId: program, exerciseId: exercise, outcomes: [], successes: 0, failures: 0,
      confidence: Decimal(significand: 5, scale: 1) ?? .zero, presented: 0, accepted: 0, dismissed: 0,
      createdAt: instant, updatedAt: instant)
  }
}
