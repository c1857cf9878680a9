import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Training
import Values

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
    guard params.exerciseId != nil || params.name != nil else {
      throw RPCError(
        .invalidParams, "it has neither an id nor a name", pointer: "/exerciseId", allowed: "an id, a name, or both")
    }
    let library = try library(context)
    let exercise =
      params.exerciseId.flatMap { library.exercise($0) } ?? params.name.flatMap { library.exercise(named: $0) }
      ?? TrainingLibrary.placeholder(
        params.exerciseId ?? DerivedID.missingExercise(SearchText.folded(params.name ?? "")), name: params.name)
    return LibraryResolveResult(exercise: exercise, revision: try context.storeRevision())
  }

  func libraryMark(_ params: LibraryMarkParams, _ context: inout Context) throws(RPCError) -> LibraryMarkResult {
    guard var exercise = try libraryExercise(params.exerciseId, context) else {
      throw RPCError(
        .notFound, "there is no exercise with this id", pointer: "/exerciseId", hint: "“library/search” has the ids")
    }
    exercise.favourite = params.favourite ?? exercise.favourite
    exercise.archived = params.archived ?? exercise.archived
    let record = try context.snapshot().record(exercise.id, in: LibraryMark.collection)
    let old = try record.map { record throws(RPCError) in try context.decode(LibraryMark.self, record) }
    var new = old ?? LibraryMark(id: exercise.id, createdAt: context.now, updatedAt: context.now)
    new.favourite = exercise.favourite ? true : nil
    new.archived = exercise.archived ? true : nil
    let revision: Int
    if let record, let old {
      revision =
        new.favourite == nil && new.archived == nil
        ? try context.commit([.delete(LibraryMark.collection, id: exercise.id)])
        : try context.update(record, from: old, to: new, basedOn: nil).revision
    } else {
      let isMarked = new.favourite != nil || new.archived != nil
      revision = try context.commit(isMarked ? [try context.put(new, keeping: nil)] : [])
    }
    return LibraryMarkResult(exercise: exercise, revision: revision)
  }

  // MARK: exercises of the user's own

  func customExercisesAdd(
    _ params: CustomExercisesAddParams, _ context: inout Context
  ) throws(RPCError) -> CustomExercisesAddResult {
    let id = params.id ?? context.newID()
    let asked = CustomExercise(params, id: id, today: context.today, zone: context.zoneName, now: context.now)
    let exercise = try checked(asked, since: try context.find(CustomExercise.self, id), context)
    // What the request leaves open is as it is.
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

  /// A custom exercise as it is stored.
  ///
  /// - Throws: What is wrong with it, as far as an edit changes it.
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
      .exerciseNameTaken, "there is an exercise “\(exercise.traits.name)” of yours already", pointer: "/traits/name",
      hint: "give it another name")
  }
}

extension DerivedID {
  /// What stands for an exercise of which only a name is known.
  static func missingExercise(_ name: String) -> EntityID { id("missing exercise\u{1F}", Array(name.utf8)) }
}
