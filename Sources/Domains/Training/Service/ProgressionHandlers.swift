import DomainKit
import Training

extension TrainingService {
  func progressionPropose(
    _ params: ProgressionProposeParams, _ context: inout Context
  ) throws(RPCError) -> ProgressionProposeResult {
    let (exercise, workoutId) = try planned(params.exerciseId, params.workoutId, context)
    let revision = try context.storeRevision()
    guard let program = try program(params.programId, context) else {
      return ProgressionProposeResult(why: "No program is active.", revision: revision)
    }
    let state = try progressionState(exercise.id, of: program.id, context)
    let (proposal, why) = try proposal(for: exercise, workoutId, program, context)
    return ProgressionProposeResult(proposal: proposal, why: why, state: state, revision: revision)
  }

  /// A planned exercise and its workout; nil for one in a module that no workout references.
  private func planned(
    _ id: EntityID, _ workoutId: EntityID?, _ context: Context
  ) throws(RPCError) -> (exercise: PlannedExercise, workoutId: EntityID?) {
    let workouts: [Workout]
    if let workoutId {
      workouts = [try context.entity(Workout.self, workoutId, pointer: "/workoutId")]
    } else {
      workouts = try context.all(Workout.self).sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }
    for workout in workouts {
      for part in try resolvedParts(of: workout, context).parts {
        if let exercise = part.exercises.first(where: { $0.id == id }) { return (exercise, workout.id) }
      }
    }
    let modules = workoutId == nil ? try context.all(Module.self) : []
    if let exercise = modules.lazy.flatMap(\.exercises).first(where: { $0.id == id }) { return (exercise, nil) }
    throw RPCError(
      .notFound, "there is no planned exercise with this id", pointer: "/exerciseId",
      hint: "“workouts/resolve” has those of a workout")
  }

  /// The program with an id; without one the active program, nil for none.
  private func program(_ id: EntityID?, _ context: Context) throws(RPCError) -> Program? {
    guard let id else { return try context.all(Program.self).first { $0.active == true } }
    return try context.entity(Program.self, id, pointer: "/programId")
  }

  func progressionHealth(
    _ params: ProgressionHealthParams, _ context: inout Context
  ) throws(RPCError) -> ProgressionHealthResult {
    let to = params.to ?? context.today
    let from = max(to.advanced(by: 1 - (params.days ?? 28)), CivilDay.allowed.lowerBound)
    return ProgressionHealthResult(
      health: ProgressionLearning.health(of: try entities(WorkoutSession.self, from...to, context)),
      revision: try context.storeRevision())
  }

  /// The proposal for a planned exercise, or in English why there is none.
  func proposal(
    for exercise: PlannedExercise, _ workoutId: EntityID?, _ program: Program, _ context: Context
  ) throws(RPCError) -> (proposal: ProgressionProposal?, why: String?) {
    guard exercise.traits.kind == .strength || exercise.traits.kind == .cardio else {
      return (nil, "Only exercises for strength and endurance progress.")
    }
    guard let progression = program.progression, progression.policy != .off else {
      return (nil, "Progression is off in the program.")
    }
    guard let (rule, profile) = TrainingService.rule(of: exercise.id, progression) else {
      return (nil, "The program has no rule for this exercise.")
    }
    let state = try progressionState(exercise.id, of: program.id, context)
    let lastDay = state.map { $0.lastDay ?? context.days.dayStart.day(at: $0.updatedAt, in: context.days.zone) }
    let age = lastDay.map { Int(context.today.daysSinceEpoch) - Int($0.daysSinceEpoch) } ?? 0
    let pieces = try equipment(of: exercise, context)
    func step(_ unit: WeightUnit) -> Double? {
      pieces.lazy.filter { ($0.unit ?? .kg) == unit }.compactMap(\.increment).first { $0 > .zero }?.double
    }
    for last in try lastSessions(of: exercise, workoutId, context) {
      let engine = ProgressionEngine(
        exercise, rule: rule, profile: profile, isAdaptive: progression.policy == .adaptive, last: last, state: state,
        age: age, step: step)
      if let proposal = engine.proposal() { return (proposal, nil) }
    }
    return (nil, "No session of the same workout has this exercise with a value that can grow.")
  }

  /// The rule and the profile of an exercise; nil when the policy proposes nothing for it.
  static func rule(
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

  /// The most sessions of a workout that are searched for an exercise, and the most that are used.
  private static let (mostSearched, mostUsed) = (30, 3)

  /// The exercise in the last sessions of a workout, newest first: the same planned exercise unless it was substituted,
  /// else one with the same library id or name.
  private func lastSessions(
    of exercise: PlannedExercise, _ workoutId: EntityID?, _ context: Context
  ) throws(RPCError) -> [SessionExercise] {
    let library = try library(context)
    let key = TrainingStatistics.key(exercise.exerciseId, exercise.traits.name, library)
    var found: [SessionExercise] = []
    var searched = 0
    for facts in try sessionIndex(context).sessions.reversed() where facts.workoutId == workoutId {
      searched += 1
      guard searched <= TrainingService.mostSearched, found.count < TrainingService.mostUsed else { break }
      guard let exercises = try session(facts.id, context)?.countedExercises else { continue }
      let same =
        exercises.first { $0.plannedId == exercise.id && $0.originalName == nil }
        ?? exercises.first { TrainingStatistics.key($0.exerciseId, $0.traits.name, library) == key }
      if let same, !same.countedSets.isEmpty { found.append(same) }
    }
    return found
  }

  /// A finished session; nil when it is missing. The latest are cached, as all exercises of a plan ask for the same
  /// ones.
  private func session(_ id: EntityID, _ context: Context) throws(RPCError) -> WorkoutSession? {
    guard let record = try context.snapshot().record(id, in: WorkoutSession.collection) else { return nil }
    let known = sessionMemory.latest(context.folder) ?? []
    if let read = known.first(where: { $0.session.id == id && $0.revision == record.revision }) { return read.session }
    let session = try context.decode(WorkoutSession.self, record)
    sessionMemory[context.folder] = (known.count > 8 ? [] : known) + [(record.revision, session)]
    return session
  }
}
