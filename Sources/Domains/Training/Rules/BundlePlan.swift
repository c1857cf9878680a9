import CivilTime
import DaybookProtocol
import JSON
import Values

/// What there is that a bundle can meet.
package struct BundleShelf: Sendable {
  package var exercises: [LibraryExercise]
  /// Those of the library that are the user's own.
  package var customExercises: [CustomExercise]
  package var equipment: [Equipment]
  package var modules: [Module] = []
  package var workouts: [Workout] = []
  package var programs: [Program] = []
  package var sessions: [WorkoutSession] = []

  package init(exercises: [LibraryExercise], customExercises: [CustomExercise], equipment: [Equipment]) {
    (self.exercises, self.customExercises, self.equipment) = (exercises, customExercises, equipment)
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
    let bundle = bundle.withoutLocalState
    try bundle.checkWholeness(shelf)
    copies = onConflict == .copy
    added = bundle
    for id in bundle.definedIDs { ids[id] = derived(id) }
    var pieces = Holders(shelf.equipment.map { ($0.id, $0.name, $0) })
    (added.equipment, added.customExercises, added.modules, added.workouts) = ([], [], [], [])
    for piece in bundle.equipment {
      var taken = piece
      if resolve(piece, piece.id, &taken.name, "equipment", &pieces) { added.equipment.append(taken) }
    }
    var own = Holders(shelf.customExercises.map { ($0.id, $0.traits.name, $0) })
    own.ids.formUnion(shelf.exercises.map(\.id))
    for exercise in bundle.customExercises {
      var taken = exercise
      if resolve(exercise, exercise.id, &taken.traits.name, "customExercises", &own) {
        added.customExercises.append(taken)
      }
    }
    func isNew<Item: JSONEncodable>(
      _ item: Item, _ id: EntityID, _ name: String, _ collection: String, _ present: [(id: EntityID, item: Item)]
    ) -> Bool {
      resolve(item, id, name, collection, isStored(collection, ids[id] ?? id), present)
    }
    let modules = shelf.modules.map { ($0.id, $0) }
    let workouts = shelf.workouts.map { ($0.id, $0) }
    added.modules = bundle.modules.filter { isNew($0, $0.id, $0.name, "modules", modules) }
    added.module = bundle.module.flatMap { isNew($0, $0.id, $0.name, "modules", modules) ? $0 : nil }
    added.workouts = bundle.workouts.filter { isNew($0, $0.id, $0.name, "workouts", workouts) }
    added.workout = bundle.workout.flatMap { isNew($0, $0.id, $0.name, "workouts", workouts) ? $0 : nil }
    let programs = shelf.programs.compactMap { PlanBundle($0).withoutLocalState.program }.map { ($0.id, $0) }
    added.program = bundle.program.flatMap { isNew($0, $0.id, $0.name, "programs", programs) ? $0 : nil }
    let sessions = shelf.sessions.compactMap { PlanBundle($0).withoutLocalState.session }.map { ($0.id, $0) }
    added.session = bundle.session.flatMap { isNew($0, $0.id, $0.name, "workoutSessions", sessions) ? $0 : nil }
    try added.rename(ids, at: now)
  }

  /// Who has which name, which identities there are, and what is said under them.
  private struct Holders {
    var ids: Set<EntityID>
    var names: [String: EntityID]
    var contents: [EntityID: [UInt8]]

    init(_ present: [(id: EntityID, name: String, item: some JSONEncodable)]) {
      ids = Set(present.map(\.id))
      names = Dictionary(present.map { ($0.name.lowercased(), $0.id) }) { first, _ in first }
      contents = Dictionary(present.map { ($0.id, BundlePlan.content($0.item)) }) { first, _ in first }
    }
  }

  /// What an item says, with the identities of some others, as equal text for equal content.
  private static func content(_ item: some JSONEncodable, _ ids: [EntityID: EntityID] = [:]) -> [UInt8] {
    PlanContent.text(of: PlanBundle.renamed(item, ids))
  }

  /// Notes what becomes of something whose name nothing else may have; whether it is added.
  private mutating func resolve(
    _ item: some JSONEncodable, _ id: EntityID, _ name: inout String, _ collection: String, _ holders: inout Holders
  ) -> Bool {
    let made = ids[id] ?? id
    let called = name
    var outcome = BundleOutcome.new
    if holders.ids.contains(id) || holders.ids.contains(made) {
      outcome = .present
      ids[id] = holders.ids.contains(id) ? id : made
    } else if let holder = holders.names[name.lowercased()] {
      let isSame = holders.contents[holder] == BundlePlan.content(item, ids)
      outcome = isSame ? .present : .nameTaken
      if copies, !isSame {
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
  private mutating func resolve<Item: JSONEncodable>(
    _ item: Item, _ id: EntityID, _ name: String, _ collection: String, _ isStored: Bool,
    _ present: [(id: EntityID, item: Item)]
  ) -> Bool {
    let content = BundlePlan.content(item, ids)
    // Rather itself than another, and never one that stands for something else in the bundle.
    let twins = isStored ? [] : present.filter { BundlePlan.content($0.item) == content }
    let twin = twins.first { $0.id == id } ?? twins.first { twin in !ids.values.contains(twin.id) }
    if let twin {
      PlanBundle.forEachMatchingID(PlanBundle.renamed(item, [:]), PlanBundle.renamed(twin.item, [:])) { ids[$0] = $1 }
    }
    let isPresent = isStored || twin != nil
    items.append(
      BundleItem(collection: collection, id: id, newId: ids[id], name: name, outcome: isPresent ? .present : .new))
    return !isPresent
  }
}
