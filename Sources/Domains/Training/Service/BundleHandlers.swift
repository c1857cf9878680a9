import DomainKit
import Training

/// The stored plans, as a source for bundles.
private struct StoredPlans: BundleSource {
  typealias Failure = RPCError

  let context: Context
  let library: TrainingLibrary

  func module(_ id: EntityID) throws(RPCError) -> Module? { try context.find(Module.self, id) }
  func workout(_ id: EntityID) throws(RPCError) -> Workout? { try context.find(Workout.self, id) }
  func customExercise(_ id: EntityID) throws(RPCError) -> CustomExercise? {
    try context.find(CustomExercise.self, id)
  }
  func equipment(_ id: EntityID) throws(RPCError) -> Equipment? { try context.find(Equipment.self, id) }
  func isBuiltIn(_ id: EntityID) -> Bool { EquipmentCatalogue.has(id) || library.exercise(id)?.builtIn == true }
}

extension TrainingService {
  func bundlesExport(
    _ params: BundlesExportParams, _ context: inout Context
  ) throws(RPCError) -> BundlesExportResult {
    let asked = [params.programId, params.workoutId, params.moduleId, params.sessionId].compactMap { $0 }
    try RPCError.check(
      asked.count == 1, "it has to name exactly one thing", pointer: "/programId",
      allowed: "one of “programId”, “workoutId”, “moduleId” and “sessionId”")
    var bundle =
      if let id = params.programId {
        PlanBundle(try context.entity(Program.self, id, pointer: "/programId"))
      } else if let id = params.workoutId {
        PlanBundle(try context.entity(Workout.self, id, pointer: "/workoutId"))
      } else if let id = params.moduleId {
        PlanBundle(try context.entity(Module.self, id, pointer: "/moduleId"))
      } else {
        PlanBundle(try context.entity(WorkoutSession.self, asked[0], pointer: "/sessionId"))
      }
    try bundle.complete(from: StoredPlans(context: context, library: try library(context)))
    return BundlesExportResult(bundle: bundle.json, revision: try context.storeRevision())
  }

  func bundlesPreview(
    _ params: BundlesPreviewParams, _ context: inout Context
  ) throws(RPCError) -> BundlesPreviewResult {
    let (bundle, plan) = try plan(params.bundle, nil, context)
    return BundlesPreviewResult(
      kind: bundle.kind.rawValue, name: bundle.name, items: plan.items, revision: try context.storeRevision())
  }

  func bundlesImport(
    _ params: BundlesImportParams, _ context: inout Context
  ) throws(RPCError) -> BundlesImportResult {
    let (bundle, plan) = try plan(params.bundle, params.onConflict, context)
    var operations: [Operation] = []
    func add(_ entities: [some CollectionEntity]) throws(RPCError) {
      for entity in entities { operations.append(try context.put(new: entity)) }
    }
    let added = plan.added
    try add(added.equipment)
    try add(added.customExercises)
    try add(added.modules + [added.module].compactMap { $0 })
    try add(added.workouts + [added.workout].compactMap { $0 })
    try add([added.program].compactMap { $0 })
    try add([added.session].compactMap { $0 })
    let id = bundle.id.flatMap { plan.ids[$0] } ?? context.newID()
    return BundlesImportResult(
      items: plan.items, id: id, changed: !operations.isEmpty, revision: try context.commit(operations))
  }

  /// Reads a bundle and plans its import.
  private func plan(
    _ value: JSONValue, _ onConflict: BundleConflict?, _ context: Context
  ) throws(RPCError) -> (bundle: PlanBundle, plan: BundlePlan) {
    let snapshot = try context.snapshot()
    func refused(_ refusal: Refusal) -> RPCError {
      RPCError(
        .bundleInvalid, refusal.message, pointer: "/bundle" + refusal.pointer,
        allowed: refusal.allowed.isEmpty ? nil : refusal.allowed)
    }
    let bundle: PlanBundle
    do throws(Refusal) {
      bundle = try PlanBundle(value)
      try check(bundle)
    } catch { throw refused(error) }
    var destination = BundleDestination(
      exercises: try library(context).exercises, customExercises: try context.all(CustomExercise.self),
      equipment: try equipment(context))
    (destination.modules, destination.workouts) = (try context.all(Module.self), try context.all(Workout.self))
    destination.programs = try context.all(Program.self)
    let seed = DerivedID.id("bundle\u{1F}", bundle.json.json)
    for id in [bundle.session?.id, bundle.session.map { DerivedID.bundled($0.id, in: seed) }] {
      if let session = try context.find(WorkoutSession.self, id) { destination.sessions.append(session) }
    }
    do throws(Refusal) {
      let plan = try BundlePlan(
        bundle, into: destination, onConflict: onConflict, at: context.now,
        isStored: { collection, id in snapshot.record(id, in: CollectionName(collection)) != nil },
        derived: { DerivedID.bundled($0, in: seed) })
      try check(plan.renamed, only: plan.addedIDs)
      return (bundle, plan)
    } catch { throw refused(error) }
  }

  /// Applies the rules of the collections to the entities of a bundle, or to some of them.
  private func check(_ bundle: PlanBundle, only ids: Set<EntityID>? = nil) throws(Refusal) {
    func check(_ entity: some CollectionEntity & CheckedEntity, _ place: String) throws(Refusal) {
      guard ids?.contains(entity.id) ?? true, let problem = entity.problem else { return }
      // The rules give the pointer of a record.
      let pointer = problem.pointer.hasPrefix("/body") ? String(problem.pointer.dropFirst(5)) : problem.pointer
      throw Refusal(place + pointer, problem.rule, problem.message, allowed: problem.allowed)
    }
    for (index, piece) in bundle.equipment.enumerated() { try check(piece, "/equipment/\(index)") }
    for (index, exercise) in bundle.customExercises.enumerated() { try check(exercise, "/customExercises/\(index)") }
    for (place, module) in bundle.allModules { try check(module, place) }
    for (place, workout) in bundle.allWorkouts { try check(workout, place) }
    if let program = bundle.program { try check(program, "/program") }
    if let session = bundle.session { try check(session, "/session") }
  }
}
