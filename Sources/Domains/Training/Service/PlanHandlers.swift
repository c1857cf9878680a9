import DomainKit
import Training

extension TrainingService {
  func modulesAdd(_ params: ModulesAddParams, _ context: inout Context) throws(RPCError) -> ModulesAddResult {
    let present = try context.find(Module.self, params.id)
    let module = Module(
      id: params.id ?? context.newID(), name: params.name, kind: params.kind ?? .strength,
      exercises: try exercises(params.exercises ?? [], placedOn: present?.exercises, context), minutes: params.minutes,
      note: params.note, createdAt: context.now, updatedAt: context.now)
    if let refusal = module.refusal { throw RPCError(refusal) }
    let (stored, isNew, revision) = try context.create(module, isNewID: params.id == nil) { present in
      present.hasMembers(of: params) && (params.exercises == nil || present.exercises == module.exercises)
    }
    return ModulesAddResult(module: stored, created: isNew, revision: revision)
  }

  func modulesUpdate(_ params: ModulesUpdateParams, _ context: inout Context) throws(RPCError) -> ModulesUpdateResult {
    let record = try context.record(of: Module.self, params.id)
    let old = try context.decode(Module.self, record)
    var new = old
    new.patch(params)
    new.archived = new.archived == true ? true : nil
    if let drafts = params.exercises { new.exercises = try exercises(drafts, keeping: old.exercises, context) }
    if let refusal = new.refusal { throw RPCError(refusal) }
    let (module, revision) = try context.update(record, from: old, to: new, basedOn: params.revision)
    return ModulesUpdateResult(module: module, revision: revision)
  }

  func modulesCopy(_ params: ModulesCopyParams, _ context: inout Context) throws(RPCError) -> ModulesCopyResult {
    let module = try context.entity(Module.self, params.id)
    let id = params.copyId ?? context.newID()
    var copy = module.copy(named: params.name, at: context.now) { DerivedID.planCopy(id, of: $0) }
    copy.id = id
    let (stored, isNew, revision) = try context.create(copy, isNewID: params.copyId == nil, pointer: "/copyId") {
      PlanContent.text(of: $0) == PlanContent.text(of: copy)
    }
    return ModulesCopyResult(module: stored, created: isNew, revision: revision)
  }

  func workoutsAdd(_ params: WorkoutsAddParams, _ context: inout Context) throws(RPCError) -> WorkoutsAddResult {
    let present = try context.find(Workout.self, params.id)
    let workout = Workout(
      id: params.id ?? context.newID(), name: params.name,
      modules: try references(params.modules ?? [], keeping: present?.modules ?? [], context),
      exercises: try exercises(params.exercises ?? [], placedOn: present?.exercises, context), minutes: params.minutes,
      note: params.note, createdAt: context.now, updatedAt: context.now)
    if let refusal = workout.refusal { throw RPCError(refusal) }
    var others = params
    others.modules = params.modules.map { _ in workout.modules }
    let (stored, isNew, revision) = try context.create(workout, isNewID: params.id == nil) { present in
      present.hasMembers(of: others) && (params.exercises == nil || present.exercises == workout.exercises)
    }
    return WorkoutsAddResult(workout: stored, created: isNew, revision: revision)
  }

  func workoutsUpdate(
    _ params: WorkoutsUpdateParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutsUpdateResult {
    let record = try context.record(of: Workout.self, params.id)
    let old = try context.decode(Workout.self, record)
    var new = old
    new.patch(params)
    new.archived = new.archived == true ? true : nil
    if let modules = params.modules { new.modules = try references(modules, keeping: old.modules, context) }
    if let drafts = params.exercises { new.exercises = try exercises(drafts, keeping: old.exercises, context) }
    if let refusal = new.refusal { throw RPCError(refusal) }
    let (workout, revision) = try context.update(record, from: old, to: new, basedOn: params.revision)
    return WorkoutsUpdateResult(workout: workout, revision: revision)
  }

  func workoutsDelete(
    _ params: WorkoutsDeleteParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutsDeleteResult {
    let removed = try context.all(ScheduledWorkout.self).filter { $0.workoutId == params.id && !$0.isCompleted }
    let (workout, revision) = try context.delete(
      Workout.self, params.id, basedOn: params.revision, with: removed.map(\.deletion))
    return WorkoutsDeleteResult(workout: workout, revision: revision)
  }

  func workoutsCopy(_ params: WorkoutsCopyParams, _ context: inout Context) throws(RPCError) -> WorkoutsCopyResult {
    let workout = try context.entity(Workout.self, params.id)
    let id = params.copyId ?? context.newID()
    let modules = params.deep == true ? try resolvedParts(of: workout, context).parts.compactMap(\.module) : []
    let copied = Set(modules.map(\.id))
    let newID = { DerivedID.planCopy(id, of: $0) }
    var copy = workout.copy(
      named: params.name, at: context.now, modules: { copied.contains($0) ? newID($0) : $0 }, newID)
    copy.id = id
    if try context.snapshot().record(id, in: Workout.collection) != nil {
      let (stored, _, revision) = try context.create(copy, isNewID: false, pointer: "/copyId") {
        PlanContent.text(of: $0) == PlanContent.text(of: copy)
      }
      return WorkoutsCopyResult(workout: stored, created: false, revision: revision)
    }
    var operations = [try context.put(new: copy)]
    for (place, module) in modules.enumerated() where !modules[..<place].contains(module) {
      let twin = module.copy(named: nil, at: context.now, newID)
      // It may be left over from a deleted copy of the workout.
      if try context.snapshot().record(twin.id, in: Module.collection) == nil {
        operations.append(try context.put(new: twin))
      }
    }
    return WorkoutsCopyResult(workout: copy, created: true, revision: try context.commit(operations))
  }

  func workoutsResolve(
    _ params: WorkoutsResolveParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutsResolveResult {
    let workout = try context.entity(Workout.self, params.id)
    let (parts, missing) = try resolvedParts(of: workout, context)
    let rest = try trainingSettings(context).restSeconds
    let minutes = parts.reduce(0) { sum, part in
      sum + (part.module?.minutes ?? (part.exercises.seconds(rest: rest) + 59) / 60)
    }
    let there = workout.modules.filter { !missing.contains($0.moduleId) }
    return WorkoutsResolveResult(
      workout: workout,
      parts: parts.enumerated().map { place, part in
        WorkoutPart(
          moduleId: part.module?.id, name: part.module?.name ?? "Exercises", kind: part.module?.kind ?? .strength,
          voluntary: place < there.count ? there[place].voluntary : nil, rounds: part.exercises.rounds)
      }, missingIds: missing, sets: parts.reduce(0) { $0 + $1.exercises.sets }, minutes: workout.minutes ?? minutes,
      revision: try context.storeRevision())
  }

  func plansHash(_ params: PlansHashParams, _ context: inout Context) throws(RPCError) -> PlansHashResult {
    try RPCError.check(
      (params.moduleId == nil) != (params.workoutId == nil), "it has to name either a module or a workout",
      pointer: "/moduleId", allowed: "“moduleId” or “workoutId”")
    var text: [UInt8] = []
    if let id = params.moduleId {
      text = PlanContent.text(of: try context.entity(Module.self, id, pointer: "/moduleId"))
    } else if let id = params.workoutId {
      text = PlanContent.text(of: try context.entity(Workout.self, id, pointer: "/workoutId"))
    }
    return PlansHashResult(hash: "\(SHA256.hash(text))", revision: try context.storeRevision())
  }
}
