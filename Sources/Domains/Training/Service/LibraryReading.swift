import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Training
import Values

extension TrainingService {
  /// All exercises that there are.
  func library(_ context: Context) throws(RPCError) -> TrainingLibrary {
    try libraryMemory.current(context, [CustomExercise.collection, LibraryMark.collection]) { () throws(RPCError) in
      TrainingLibrary(customs: try context.all(CustomExercise.self), marks: try context.all(LibraryMark.self))
    }
  }

  /// The exercise of an id; nil when it is not there, or not any more.
  func libraryExercise(_ id: EntityID, _ context: Context) throws(RPCError) -> LibraryExercise? {
    try library(context).exercise(id)
  }

  /// How the user trains: as set, else as is usual in the units of the settings.
  func trainingSettings(_ context: Context) throws(RPCError) -> TrainingSettings {
    try settingsMemory.current(context, [TrainingSettings.collection, Settings.collection]) { () throws(RPCError) in
      if let record = try context.snapshot().record(TrainingSettings.singleID, in: TrainingSettings.collection) {
        return [try context.decode(TrainingSettings.self, record)]
      }
      return [.usual(try context.settings().unitSystem)]
    }[0]
  }

  /// All equipment by name: what is stored, and what comes with the program and is not.
  func equipment(_ context: Context) throws(RPCError) -> [Equipment] {
    let stored = try context.all(Equipment.self)
    let ids = Set(stored.map(\.id))
    let others = EquipmentCatalogue.all(try trainingSettings(context), at: context.now).filter { !ids.contains($0.id) }
    return (stored + others).sorted { $0.name != $1.name ? $0.name < $1.name : $0.id < $1.id }
  }

  /// A piece of equipment that has to be there; `pointer` leads to its id in the params.
  func piece(_ id: EntityID, _ context: Context, pointer: String) throws(RPCError) -> Equipment {
    if let piece = try equipment(context).first(where: { $0.id == id }) { return piece }
    throw RPCError(
      .notFound, "there is no piece of equipment with this id", pointer: pointer, hint: "“equipment/list” has the ids")
  }

  /// Refuses equipment that the old traits did not name and that is not there; `pointer` leads to the traits in the params.
  func checkEquipment(
    of traits: TrainingTraits?, since old: TrainingTraits?, _ context: Context, pointer: String
  ) throws(RPCError) {
    for (place, id) in (traits?.equipmentIds ?? []).enumerated() where old?.equipmentIds?.contains(id) != true {
      if EquipmentCatalogue.has(id) { continue }
      _ = try context.record(of: Equipment.self, id, pointer: "\(pointer)/equipmentIds/\(place)")
    }
  }

  /// What is trained in a workout, in order: its modules as they are now, then exercises of its own, if any; and what is gone.
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
