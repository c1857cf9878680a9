import CivilTime
import DaybookProtocol
import JSON
import Values

/// What of the library a bundle can meet.
package struct BundleShelf: Sendable {
  package let exercises: [LibraryExercise]
  package let equipment: [Equipment]

  package init(exercises: [LibraryExercise], equipment: [Equipment]) {
    (self.exercises, self.equipment) = (exercises, equipment)
  }
}

/// What taking a bundle in comes to.
package struct BundlePlan: Sendable {
  /// What is in it, in the order in which it is taken in.
  package private(set) var items: [BundleItem] = []
  /// What is added, with the identities that it has here.
  package private(set) var added: PlanBundle
  /// Of all that is in it, what its identities are here.
  package private(set) var ids: [EntityID: EntityID] = [:]

  private let copies: Bool

  /// - Parameters:
  ///   - shelf: What the library has.
  ///   - now: When it is stored.
  ///   - onConflict: What becomes of what has a name that is taken.
  ///   - isStored: Whether a collection has something with an identity.
  ///   - derived: The identity that follows from the bundle and one in it.
  /// - Throws: What it names that is not in it; pointers lead into it.
  package init(
    _ bundle: PlanBundle, into shelf: BundleShelf, onConflict: BundleConflict?,
    at now: Instant, isStored: (_ collection: String, EntityID) -> Bool, derived: (EntityID) -> EntityID
  ) throws(Refusal) {
    var bundle = bundle
    bundle.forgetPlace()
    try bundle.checkWholeness(shelf)
    copies = onConflict == .copy
    added = bundle
    for id in bundle.definedIDs { ids[id] = derived(id) }
    var pieces = Holders(shelf.equipment.map { ($0.id, $0.name) })
    (added.equipment, added.customExercises, added.modules, added.workouts) = ([], [], [], [])
    for var piece in bundle.equipment where take(piece.id, &piece.name, "equipment", &pieces) {
      added.equipment.append(piece)
    }
    var own = Holders(shelf.exercises.filter { !$0.builtIn }.map { ($0.id, $0.traits.name) })
    own.ids.formUnion(shelf.exercises.map(\.id))
    for var exercise in bundle.customExercises
    where take(exercise.id, &exercise.traits.name, "customExercises", &own) {
      added.customExercises.append(exercise)
    }
    for module in bundle.modules where take(module.id, module.name, "modules", isStored) {
      added.modules.append(module)
    }
    for workout in bundle.workouts where take(workout.id, workout.name, "workouts", isStored) {
      added.workouts.append(workout)
    }
    if let module = added.module, !take(module.id, module.name, "modules", isStored) { added.module = nil }
    if let workout = added.workout, !take(workout.id, workout.name, "workouts", isStored) { added.workout = nil }
    if let program = added.program, !take(program.id, program.name, "programs", isStored) { added.program = nil }
    if let session = added.session, !take(session.id, session.name, "workoutSessions", isStored) { added.session = nil }
    try added.rename(ids, at: now)
  }

  /// Who has which name, and which identities there are.
  private struct Holders {
    var ids: Set<EntityID>
    var names: [String: EntityID]

    init(_ present: [(id: EntityID, name: String)]) {
      ids = Set(present.map(\.id))
      names = Dictionary(present.map { ($0.name.lowercased(), $0.id) }) { first, _ in first }
    }
  }

  /// Notes what becomes of something whose name nothing else may have; whether it is added.
  private mutating func take(
    _ id: EntityID, _ name: inout String, _ collection: String, _ holders: inout Holders
  ) -> Bool {
    let made = ids[id] ?? id
    let called = name
    var outcome = BundleOutcome.new
    if holders.ids.contains(id) || holders.ids.contains(made) {
      outcome = .present
      ids[id] = holders.ids.contains(id) ? id : made
    } else if let holder = holders.names[name.lowercased()] {
      outcome = .nameTaken
      if copies {
        var number = 2
        while holders.names["\(called) (\(number))".lowercased()] != nil { number += 1 }
        name = "\(called) (\(number))"
      } else {
        ids[id] = holder
      }
    }
    items.append(BundleItem(collection: collection, id: id, newId: ids[id], name: called, outcome: outcome))
    let isAdded = outcome == .new || (outcome == .nameTaken && copies)
    if isAdded {
      holders.ids.insert(made)
      holders.names[name.lowercased()] = made
    }
    return isAdded
  }

  /// The same for what may have any name.
  private mutating func take(
    _ id: EntityID, _ name: String, _ collection: String, _ isStored: (String, EntityID) -> Bool
  ) -> Bool {
    let made = ids[id] ?? id
    let isPresent = isStored(collection, made)
    items.append(
      BundleItem(collection: collection, id: id, newId: made, name: name, outcome: isPresent ? .present : .new))
    return !isPresent
  }
}
