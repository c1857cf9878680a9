import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Training
import Values

extension TrainingService {
  /// Exercises of drafts, as a plan has them.
  ///
  /// - Throws: What is wrong with them, with pointers below `/exercises`; `notFound` where the library has not what one newly names.
  func exercises(
    _ drafts: [ExerciseDraft], keeping old: [PlannedExercise], _ context: Context
  ) throws(RPCError) -> [PlannedExercise] {
    let library = try library(context)
    let known = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for (place, draft) in drafts.enumerated() {
      let before = draft.id.flatMap { known[$0] }
      try checkEquipment(of: draft.traits, since: before?.traits, context, pointer: "/exercises/\(place)/traits")
      guard let id = draft.exerciseId, before?.exerciseId != id, library.exercise(id) == nil else { continue }
      throw RPCError(
        .notFound, "there is no exercise with this id", pointer: "/exercises/\(place)/exerciseId",
        hint: "“library/search” has the ids; “traits” say what an exercise is without the library")
    }
    let edit = PlanEdit(now: context.now, newID: context.newID) { library.exercise($0) }
    do throws(Refusal) { return try edit.exercises(drafts, keeping: old) } catch {
      throw RPCError(error.inside("/exercises"))
    }
  }

  /// Exercises of drafts that add a plan which may be there already: they are taken for the ones in their places then.
  func exercises(
    _ drafts: [ExerciseDraft], placedOn old: [PlannedExercise]?, _ context: Context
  ) throws(RPCError) -> [PlannedExercise] {
    try exercises(PlanEdit.placed(drafts, on: old ?? []), keeping: old ?? [], context)
  }

  /// References of params, as a workout has them.
  ///
  /// - Throws: What is wrong with them; `notFound` for a module that is not there and was not named before.
  func references(
    _ modules: [ModuleReference], keeping old: [ModuleReference], _ context: Context
  ) throws(RPCError) -> [ModuleReference] {
    let snapshot = try context.snapshot()
    let known = Set(old.map(\.moduleId))
    for (place, reference) in modules.enumerated()
    where !known.contains(reference.moduleId) && snapshot.record(reference.moduleId, in: Module.collection) == nil {
      throw RPCError(
        .notFound, "there is no module with this id", pointer: "/modules/\(place)/moduleId",
        hint: "“modules/list” has the ids")
    }
    do throws(Refusal) { return try modules.identified(keeping: old, context.newID) } catch {
      throw RPCError(error.inside("/modules"))
    }
  }
}

extension ScheduledWorkout {
  /// Whether it was done, with a session or without.
  var isCompleted: Bool { sessionId != nil || completed == true }

  /// What deletes it.
  var deletion: Operation { .delete(ScheduledWorkout.collection, id: id) }
}

extension DerivedID {
  /// What an identity of a plan becomes in a copy.
  static func planCopy(_ copy: EntityID, of id: EntityID) -> EntityID {
    self.id("plan copy\u{1F}", Array("\(copy) \(id)".utf8))
  }
}
