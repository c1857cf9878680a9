import CivilTime
import DaybookProtocol
import FileStore
import JSONRPC
import Nutrition
import Values

extension Session {
  func exercisesAdd(_ params: ExercisesAddParams, _ call: inout Call) throws(RPCError) -> ExercisesAddResult {
    let now = now()
    let source = params.source ?? ExerciseSource(kind: .manual)
    if let problem = ExerciseRules.problem(source) { throw RPCError(problem, pointer: "/source") }
    let identity = ExerciseRules.identity(source)
    let exercise = Exercise(
      id: identity ?? params.id ?? options.newID(), day: params.day ?? currentDay, zone: zoneName, at: params.at,
      name: params.name, calories: params.calories, minutes: params.minutes, source: source, note: params.note,
      createdAt: now, updatedAt: now)
    if let identity { try check(params.id, isOf: identity, exercise) }
    let (stored, isNew, revision) = try create(
      exercise, isNewID: params.id == nil && identity == nil, pointer: identity == nil ? "/id" : "/source", &call
    ) { $0.hasWhat(params) }
    return ExercisesAddResult(entry: stored, created: isNew, revision: revision)
  }

  /// Refuses another id for a training session's exercise than the session's: the second would count it twice.
  private func check(_ id: EntityID?, isOf identity: EntityID, _ yours: Exercise) throws(RPCError) {
    guard let id, id != identity else { return }
    guard let record = try snapshot().record(identity, in: SessionConstants.exercises) else {
      throw RPCError(
        .invalidParams, "the exercise of a training session has the session's id", pointer: "/id",
        allowed: "\(identity), or nothing", hint: "leave “id” out")
    }
    var yours = yours
    yours.id = id
    throw RPCError(
      .conflict, "this training session is counted already", pointer: "/source",
      hint: "leave “id” out, or use “exercises/update”",
      conflict: ConflictVersions(current: value(try decode(Exercise.self, record)), yours: value(yours)))
  }

  func exercisesUpdate(_ params: ExercisesUpdateParams, _ call: inout Call) throws(RPCError) -> ExercisesUpdateResult {
    let record = try record(of: Exercise.self, params.id)
    let old = try decode(Exercise.self, record)
    var new = old
    new.day = params.day ?? old.day
    new.at = params.at.applied(to: old.at)
    new.name = params.name ?? old.name
    new.calories = params.calories ?? old.calories
    new.minutes = params.minutes.applied(to: old.minutes)
    new.note = params.note.applied(to: old.note)
    let (entry, revision) = try update(record, from: old, to: new, basedOn: params.revision, &call)
    return ExercisesUpdateResult(entry: entry, revision: revision)
  }

  func exercisesDelete(_ params: ExercisesDeleteParams, _ call: inout Call) throws(RPCError) -> ExercisesDeleteResult {
    let (entry, revision) = try delete(Exercise.self, params.id, basedOn: params.revision, &call)
    return ExercisesDeleteResult(entry: entry, revision: revision)
  }

  func exercisesGet(_ params: ExercisesGetParams) throws(RPCError) -> ExercisesGetResult {
    let record = try record(of: Exercise.self, params.id)
    return ExercisesGetResult(entry: fragment(record), revision: try revision())
  }

  func exercisesList(_ params: ExercisesListParams) throws(RPCError) -> ExercisesListResult {
    let page = try page(
      of: Exercise.self,
      PageRequest(day: params.day, from: params.from, to: params.to, limit: params.limit, cursor: params.cursor))
    return ExercisesListResult(entries: page.items, nextCursor: page.nextCursor, revision: page.revision)
  }
}

extension Exercise {
  /// Whether it has everything that a request to add it says.
  func hasWhat(_ params: ExercisesAddParams) -> Bool {
    name == params.name && calories == params.calories && (params.day == nil || params.day == day)
      && (params.at == nil || params.at == at) && (params.minutes == nil || params.minutes == minutes)
      && (params.source == nil || params.source == source) && (params.note == nil || params.note == note)
  }
}
