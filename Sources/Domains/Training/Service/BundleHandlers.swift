import DaybookProtocol
import DomainKit
import FileStore
import JSON
import JSONRPC
import Training
import Values

extension TrainingService {
  func bundlesExport(
    _ params: BundlesExportParams, _ context: inout Context
  ) throws(RPCError) -> BundlesExportResult {
    let asked = [params.programId, params.workoutId, params.moduleId, params.sessionId].compactMap { $0 }
    guard asked.count == 1 else {
      throw RPCError(
        .invalidParams, "it does not say of what one thing", pointer: "/programId",
        allowed: "one of “programId”, “workoutId”, “moduleId” and “sessionId”")
    }
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
    try bundle.complete(from: try source(context))
    return BundlesExportResult(bundle: bundle.json, revision: try context.storeRevision())
  }

  /// What is stored, as a bundle takes it in.
  private func source(_ context: Context) throws(RPCError) -> BundleSource<RPCError> {
    let library = try library(context)
    return BundleSource(
      module: { id throws(RPCError) in try context.find(Module.self, id) },
      workout: { id throws(RPCError) in try context.find(Workout.self, id) },
      exercise: { id throws(RPCError) in try context.find(CustomExercise.self, id) },
      equipment: { id throws(RPCError) in try context.find(Equipment.self, id) },
      comesWithProgram: { EquipmentCatalogue.has($0) || library.exercise($0)?.builtIn == true })
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
      for entity in entities { operations.append(try context.put(entity, keeping: nil)) }
    }
    let added = plan.added
    try add(added.equipment)
    try add(added.customExercises)
    try add(added.modules)
    try add(added.workouts)
    try add([added.module].compactMap { $0 })
    try add([added.workout].compactMap { $0 })
    try add([added.program].compactMap { $0 })
    try add([added.session].compactMap { $0 })
    let id = bundle.id.flatMap { plan.ids[$0] } ?? context.newID()
    return BundlesImportResult(
      items: plan.items, id: id, changed: !operations.isEmpty, revision: try context.commit(operations))
  }

  /// A bundle, and the plan of its import.
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
    var shelf = BundleShelf(
      exercises: try library(context).exercises, customExercises: try context.all(CustomExercise.self),
      equipment: try equipment(context))
    (shelf.modules, shelf.workouts) = (try context.all(Module.self), try context.all(Workout.self))
    shelf.programs = try context.all(Program.self)
    let seed = DerivedID.id("bundle\u{1F}", bundle.json.json)
    for id in [bundle.session?.id, bundle.session.map { DerivedID.bundled($0.id, in: seed) }] {
      if let session = try context.find(WorkoutSession.self, id) { shelf.sessions.append(session) }
    }
    do throws(Refusal) {
      let plan = try BundlePlan(
        bundle, into: shelf, onConflict: onConflict, at: context.now,
        isStored: { collection, id in snapshot.record(id, in: CollectionName(collection)) != nil },
        derived: { DerivedID.bundled($0, in: seed) })
      try check(plan.renamed, only: plan.addedIDs)
      return (bundle, plan)
    } catch { throw refused(error) }
  }

  /// Refuses what the rules of its collections refuse, of some entities or of all.
  private func check(_ bundle: PlanBundle, only ids: Set<EntityID>? = nil) throws(Refusal) {
    func check(_ entity: some CollectionEntity & CheckedEntity, _ place: String) throws(Refusal) {
      guard ids?.contains(entity.id) ?? true, let problem = entity.problem else { return }
      // As the rules have it of a record.
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

extension DerivedID {
  /// The identity that an item of a bundle gets by an import; `bundle` follows from the content of the bundle.
  static func bundled(_ id: EntityID, in bundle: EntityID) -> EntityID {
    self.id("bundle item\u{1F}", Array("\(bundle) \(id)".utf8))
  }
}
