import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Nutrition
import Values

extension Exercise: UpdatableEntity {
  package static func made(
    from params: ExercisesAddParams, _ id: EntityID, _ context: inout Context
  ) throws(RPCError) -> Exercise {
    Exercise(
      id: id, day: params.day ?? context.currentDay, zone: context.zoneName, at: params.at, name: params.name,
      calories: params.calories, minutes: params.minutes, source: params.source ?? ExerciseSource(kind: .manual),
      note: params.note, createdAt: context.now, updatedAt: context.now)
  }

  /// A source that makes no sense, or one by which a training session would count a second time.
  package var problem: Refusal? {
    if let problem = ExerciseRules.problem(source) { return problem.inside("/body/source") }
    guard let session = ExerciseRules.identity(source), session != id else { return nil }
    return Refusal(
      "/body/source/id", "the exercise of a training session has the session's id, \(session)")
  }
}

extension NutritionService {
  func exercisesAdd(_ params: ExercisesAddParams, _ context: inout Context) throws(RPCError) -> ExercisesAddResult {
    let source = params.source ?? ExerciseSource(kind: .manual)
    if let problem = ExerciseRules.problem(source) { throw RPCError(problem.inside("/source")) }
    let session = ExerciseRules.identity(source)
    let exercise = try Exercise.made(from: params, session ?? params.id ?? context.newID(), &context)
    if let session { try check(params.id, isOf: session, exercise, context) }
    let added = try context.create(
      exercise, isNewID: params.id == nil && session == nil, pointer: session == nil ? "/id" : "/source"
    ) { $0.matches(params) }
    return ExercisesAddResult(exercise: added.entity, created: added.isNew, revision: added.revision)
  }

  /// Refuses another id for a training session's exercise than the session's: the second would count it twice.
  private func check(
    _ id: EntityID?, isOf session: EntityID, _ yours: Exercise, _ context: Context
  ) throws(RPCError) {
    guard let id, id != session else { return }
    guard let record = try context.snapshot().record(session, in: Exercise.collection) else {
      throw RPCError(
        .invalidParams, "the exercise of a training session has the session's id", pointer: "/id",
        allowed: "\(session), or nothing", hint: "leave “id” out")
    }
    var yours = yours
    yours.id = id
    throw RPCError(
      .conflict, "this training session is counted already", pointer: "/source",
      hint: "leave “id” out, or use “exercises/update”",
      conflict: ConflictVersions(
        current: jsonValue(try context.decode(Exercise.self, record)), yours: jsonValue(yours)))
  }
}
