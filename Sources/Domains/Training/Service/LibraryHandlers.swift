import DomainKit
import Training

extension TrainingService {
  func librarySearch(_ params: LibrarySearchParams, _ context: inout Context) throws(RPCError) -> LibrarySearchResult {
    let library = try library(context)
    let collections = [CustomExercise.collection, LibraryMark.collection]
    let search = try searchMemory.current(context, collections) { LibrarySearch(library) }
    let found = search.find(params.query) { exercise in
      let traits = exercise.traits
      return exercise.archived == (params.archived ?? false)
        && (params.favourite == nil || exercise.favourite == params.favourite)
        && (params.kind == nil || traits.kind == params.kind)
        && (params.category == nil || (traits.category ?? .fullBody) == params.category)
        && params.muscle.map { muscle in
          traits.muscles?.contains(muscle) == true || traits.secondaryMuscles?.contains(muscle) == true
        } ?? true
        && params.equipmentId.map { traits.equipmentIds?.contains($0) == true } ?? true
    }
    return LibrarySearchResult(
      exercises: Array(found.prefix(params.limit ?? 50)), total: found.count, revision: try context.storeRevision())
  }

  func libraryResolve(
    _ params: LibraryResolveParams, _ context: inout Context
  ) throws(RPCError) -> LibraryResolveResult {
    try RPCError.check(
      params.exerciseId != nil || params.name != nil, "it has neither an id nor a name", pointer: "/exerciseId",
      allowed: "an id, a name, or both")
    let library = try library(context)
    let exercise =
      params.exerciseId.flatMap { library.exercise($0) } ?? params.name.flatMap { library.exercise(named: $0) }
      ?? TrainingLibrary.placeholder(
        params.exerciseId ?? DerivedID.missingExercise(SearchText.folded(params.name ?? "")), name: params.name)
    return LibraryResolveResult(exercise: exercise, revision: try context.storeRevision())
  }

  func libraryMark(_ params: LibraryMarkParams, _ context: inout Context) throws(RPCError) -> LibraryMarkResult {
    var exercise = try libraryExercise(params.exerciseId, context)
    exercise.favourite = params.favourite ?? exercise.favourite
    exercise.archived = params.archived ?? exercise.archived
    let record = try context.snapshot().record(exercise.id, in: LibraryMark.collection)
    let old = try record.map { record throws(RPCError) in try context.decode(LibraryMark.self, record) }
    var new = old ?? LibraryMark(id: exercise.id, createdAt: context.now, updatedAt: context.now)
    new.favourite = exercise.favourite ? true : nil
    new.archived = exercise.archived ? true : nil
    let isMarked = exercise.favourite || exercise.archived
    let operations: [Operation] =
      if let record, let old {
        isMarked
          ? try context.edit(record, from: old, to: new, basedOn: nil).map { [$0.operation] } ?? []
          : [.delete(LibraryMark.collection, id: exercise.id)]
      } else {
        isMarked ? [try context.put(new: new)] : []
      }
    return LibraryMarkResult(exercise: exercise, revision: try context.commit(operations))
  }

  // MARK: exercises of the user's own

  func customExercisesAdd(
    _ params: CustomExercisesAddParams, _ context: inout Context
  ) throws(RPCError) -> CustomExercisesAddResult {
    let id = params.id ?? context.newID()
    let asked = CustomExercise(params, id: id, today: context.today, zone: context.zoneName, now: context.now)
    let exercise = try checked(asked, since: try context.find(CustomExercise.self, id), context)
    // Members that the request omits match any value.
    let (stored, isNew, revision) = try context.create(exercise, isNewID: params.id == nil) { present in
      present.traits == exercise.traits && [nil, present.aliases].contains(exercise.aliases)
        && [nil, present.groups].contains(exercise.groups) && [nil, present.note].contains(exercise.note)
    }
    return CustomExercisesAddResult(exercise: stored, created: isNew, revision: revision)
  }

  func customExercisesUpdate(
    _ params: CustomExercisesUpdateParams, _ context: inout Context
  ) throws(RPCError) -> CustomExercisesUpdateResult {
    let record = try context.record(of: CustomExercise.self, params.id)
    let old = try context.decode(CustomExercise.self, record)
    var new = old
    new.patch(params)
    let (exercise, revision) = try context.update(
      record, from: old, to: try checked(new, since: old, context), basedOn: params.revision)
    return CustomExercisesUpdateResult(exercise: exercise, revision: revision)
  }

  func customExercisesDelete(
    _ params: CustomExercisesDeleteParams, _ context: inout Context
  ) throws(RPCError) -> CustomExercisesDeleteResult {
    let isMarked = try context.snapshot().record(params.id, in: LibraryMark.collection) != nil
    let (exercise, revision) = try context.delete(
      CustomExercise.self, params.id, basedOn: params.revision,
      with: isMarked ? [.delete(LibraryMark.collection, id: params.id)] : [])
    return CustomExercisesDeleteResult(exercise: exercise, revision: revision)
  }

  /// A custom exercise as it will be stored.
  ///
  /// - Throws: A violated rule; a name or equipment that the edit leaves unchanged is not checked.
  private func checked(
    _ exercise: CustomExercise, since old: CustomExercise?, _ context: Context
  ) throws(RPCError) -> CustomExercise {
    let normalized: CustomExercise
    do throws(Refusal) { normalized = try exercise.normalized(keeping: old, context.newID) } catch {
      throw RPCError(error)
    }
    try checkEquipment(of: exercise.traits, since: old?.traits, context, pointer: "/traits")
    let library = try library(context)
    if let builtIn = library.exercise(exercise.id), builtIn.builtIn {
      throw RPCError(
        .conflict, "this is the id of “\(builtIn.traits.name)”", pointer: "/id", hint: "leave the id out",
        conflict: ConflictVersions(current: jsonValue(builtIn), yours: jsonValue(exercise)))
    }
    let name = exercise.traits.name.lowercased()
    guard name != old?.traits.name.lowercased(),
      library.exercises.contains(where: {
        !$0.builtIn && $0.id != exercise.id && $0.traits.name.lowercased() == name
      })
    else { return normalized }
    throw RPCError(
      .exerciseNameTaken, "you already have an exercise “\(exercise.traits.name)”", pointer: "/traits/name",
      hint: "give it another name")
  }
}

extension TrainingService {
  /// The library: built-in and custom exercises.
  func library(_ context: Context) throws(RPCError) -> TrainingLibrary {
    try libraryMemory.current(context, [CustomExercise.collection, LibraryMark.collection]) { () throws(RPCError) in
      TrainingLibrary(customs: try context.all(CustomExercise.self), marks: try context.all(LibraryMark.self))
    }
  }

  /// The exercise of the library with an id; `pointer` leads to the id in the params.
  func libraryExercise(
    _ id: EntityID, _ context: Context, pointer: String = "/exerciseId"
  ) throws(RPCError) -> LibraryExercise {
    if let exercise = try library(context).exercise(id) { return exercise }
    throw RPCError(
      .notFound, "there is no exercise with this id", pointer: pointer, hint: "“library/search” has the ids")
  }

  /// The training settings: as stored, else the defaults for the units of the general settings.
  func trainingSettings(_ context: Context) throws(RPCError) -> TrainingSettings {
    try settingsMemory.current(context, [TrainingSettings.collection, Settings.collection]) { () throws(RPCError) in
      if let record = try context.snapshot().record(TrainingSettings.singleID, in: TrainingSettings.collection) {
        return [try context.decode(TrainingSettings.self, record)]
      }
      return [.defaults(try context.settings().unitSystem)]
    }[0]
  }

  /// All equipment by name: stored pieces, and built-in ones that are not stored.
  func equipment(_ context: Context) throws(RPCError) -> [Equipment] {
    let stored = try context.all(Equipment.self)
    let ids = Set(stored.map(\.id))
    let others = EquipmentCatalogue.all(try trainingSettings(context), at: context.now).filter { !ids.contains($0.id) }
    return (stored + others).sorted { $0.name != $1.name ? $0.name < $1.name : $0.id < $1.id }
  }

  /// The piece of equipment with an id; `pointer` leads to the id in the params.
  func piece(_ id: EntityID, _ context: Context, pointer: String) throws(RPCError) -> Equipment {
    if let piece = try equipment(context).first(where: { $0.id == id }) { return piece }
    throw RPCError(
      .notFound, "there is no piece of equipment with this id", pointer: pointer, hint: "“equipment/list” has the ids")
  }

  /// Refuses unknown equipment that the old traits did not name; `pointer` leads to the traits in the params.
  func checkEquipment(
    of traits: TrainingTraits?, since old: TrainingTraits?, _ context: Context, pointer: String
  ) throws(RPCError) {
    for (place, id) in (traits?.equipmentIds ?? []).enumerated() where old?.equipmentIds?.contains(id) != true {
      if EquipmentCatalogue.has(id) { continue }
      _ = try context.record(of: Equipment.self, id, pointer: "\(pointer)/equipmentIds/\(place)")
    }
  }

  /// The parts of a workout in order: its modules, then its own exercises, if any; and the ids of its missing modules.
  func resolvedParts(
    of workout: Workout, _ context: Context
  ) throws(RPCError) -> (parts: [(module: Module?, exercises: [PlannedExercise])], missing: [EntityID]) {
    var (parts, missing) = ([(module: Module?, exercises: [PlannedExercise])](), [EntityID]())
    for reference in workout.modules {
      guard let module = try context.find(Module.self, reference.moduleId) else {
        missing.append(reference.moduleId)
        continue
      }
      parts.append((module, module.exercises))
    }
    if !workout.exercises.isEmpty { parts.append((nil, workout.exercises)) }
    return (parts, missing)
  }
}
