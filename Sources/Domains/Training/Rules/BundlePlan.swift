import CivilTime
import DaybookProtocol
import JSON
import Values

/// The contents of the folder that a bundle is compared with.
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

/// The result of importing a bundle.
package struct BundlePlan: Sendable {
  /// What is in it, in the order of the import.
  package private(set) var items: [BundleItem] = []
  /// All that is in it, in its places, with the identities and names that it has here.
  package private(set) var renamed: PlanBundle
  /// What of it is added.
  package private(set) var added: PlanBundle
  /// Of all that is in it, what its identities are here.
  package private(set) var ids: [EntityID: EntityID] = [:]
  /// The identities here of what is added.
  package private(set) var addedIDs: Set<EntityID> = []

  /// All identities that something in it has here.
  private var used: Set<EntityID> = []
  private let copies: Bool

  /// - Parameters:
  ///   - shelf: What the library has.
  ///   - now: When it is stored.
  ///   - onConflict: What becomes of what has a name that is taken.
  ///   - isStored: Whether a collection has something with an identity.
  ///   - derived: The identity that follows from the bundle and one in it.
  /// - Throws: What it names that is not in it, and what cannot have its name here; pointers lead into it.
  package init(
    _ bundle: PlanBundle, into shelf: BundleShelf, onConflict: BundleConflict?,
    at now: Instant, isStored: (_ collection: String, EntityID) -> Bool, derived: (EntityID) -> EntityID
  ) throws(Refusal) {
    let bundle = bundle.withoutLocalState
    try bundle.checkWholeness(shelf)
    copies = onConflict == .copy
    (renamed, added) = (bundle, bundle)
    for id in bundle.definedIDs { use(derived(id), for: id) }
    var pieces = Names(shelf.equipment.map { ($0.id, $0.name, $0) })
    for (index, piece) in bundle.equipment.enumerated() {
      renamed.equipment[index].name = resolve(piece, piece.id, piece.name, "equipment", &pieces)
    }
    var own = Names(shelf.customExercises.map { ($0.id, $0.traits.name, $0) })
    own.ids.formUnion(shelf.exercises.map(\.id))
    for (index, exercise) in bundle.customExercises.enumerated() {
      renamed.customExercises[index].traits.name = resolve(
        exercise, exercise.id, exercise.traits.name, "customExercises", &own)
    }
    func resolveAll<Item: JSONEncodable>(
      _ items: [Item], _ collection: String, _ present: [Item], _ id: (Item) -> EntityID, _ name: (Item) -> String
    ) {
      let twins = items.isEmpty ? [:] : Dictionary(grouping: present) { BundlePlan.content($0) }
      for item in items {
        let isStored = isStored(collection, ids[id(item)] ?? id(item))
        resolve(item, id(item), name(item), collection, isStored, twins, id)
      }
    }
    resolveAll(bundle.modules + [bundle.module].compactMap { $0 }, "modules", shelf.modules, \.id, \.name)
    resolveAll(bundle.workouts + [bundle.workout].compactMap { $0 }, "workouts", shelf.workouts, \.id, \.name)
    let programs = shelf.programs.compactMap { PlanBundle($0).withoutLocalState.program }
    resolveAll([bundle.program].compactMap { $0 }, "programs", programs, \.id, \.name)
    let sessions = shelf.sessions.compactMap { PlanBundle($0).withoutLocalState.session }
    resolveAll([bundle.session].compactMap { $0 }, "workoutSessions", sessions, \.id, \.name)
    try renamed.rename(ids, at: now)
    leaveOutUnnamed(bundle, shelf)
  }

  private mutating func use(_ id: EntityID, for old: EntityID) {
    ids[old] = id
    used.insert(id)
  }

  /// Who has which name, and which identities there are.
  private struct Names<Item: JSONEncodable> {
    var ids: Set<EntityID>
    /// By the name in small letters; without an item of what the bundle brings.
    var holders: [String: (id: EntityID, item: Item?)]

    init(_ present: [(id: EntityID, name: String, item: Item)]) {
      ids = Set(present.map(\.id))
      holders = Dictionary(present.map { ($0.name.lowercased(), ($0.id, $0.item)) }) { first, _ in first }
    }
  }

  /// What an item says, with the identities of some others, as equal text for equal content.
  private static func content(_ item: some JSONEncodable, _ ids: [EntityID: EntityID] = [:]) -> [UInt8] {
    PlanContent.text(of: PlanBundle.renamed(item, ids))
  }

  /// Notes the outcome of an item whose name has to be unique; returns its name here.
  private mutating func resolve<Item: JSONEncodable>(
    _ item: Item, _ id: EntityID, _ called: String, _ collection: String, _ names: inout Names<Item>
  ) -> String {
    let made = ids[id] ?? id
    var name = called
    var outcome = BundleOutcome.new
    if names.ids.contains(id) || names.ids.contains(made) {
      outcome = .present
      use(names.ids.contains(id) ? id : made, for: id)
    } else if let holder = names.holders[name.lowercased()] {
      let isSame = holder.item.map { BundlePlan.content($0) == BundlePlan.content(item, ids) } ?? false
      outcome = isSame ? .present : .nameTaken
      if copies, !isSame {
        var number = 2
        while names.holders["\(called) (\(number))".lowercased()] != nil { number += 1 }
        name = "\(called) (\(number))"
      } else {
        use(holder.id, for: id)
      }
    }
    items.append(BundleItem(collection: collection, id: id, newId: ids[id], name: called, outcome: outcome))
    if outcome == .new || (outcome == .nameTaken && copies) {
      addedIDs.insert(made)
      names.ids.insert(made)
      names.holders[name.lowercased()] = (made, nil)
    }
    return name
  }

  /// The same for what may have any name.
  private mutating func resolve<Item: JSONEncodable>(
    _ item: Item, _ id: EntityID, _ name: String, _ collection: String, _ isStored: Bool, _ present: [[UInt8]: [Item]],
    _ identity: (Item) -> EntityID
  ) {
    // Rather itself than another, and never one that stands for something else in the bundle.
    let twins = isStored ? [] : present[BundlePlan.content(item, ids)] ?? []
    let twin = twins.first { identity($0) == id } ?? twins.first { !used.contains(identity($0)) }
    if let twin {
      PlanBundle.forEachMatchingID(PlanBundle.renamed(item, [:]), PlanBundle.renamed(twin, [:])) { use($1, for: $0) }
    }
    let isPresent = isStored || twin != nil
    items.append(
      BundleItem(collection: collection, id: id, newId: ids[id], name: name, outcome: isPresent ? .present : .new))
    if !isPresent, let made = ids[id] { addedIDs.insert(made) }
  }

  /// Leaves out each item, but the one the bundle is of, that nothing stored or added names: an earlier import uses another in its place.
  private mutating func leaveOutUnnamed(_ bundle: PlanBundle, _ shelf: BundleShelf) {
    var named = Set([bundle.id.flatMap { ids[$0] }].compactMap { $0 })
    func keep<Item: JSONEncodable>(_ items: [Item], _ present: [Item], _ id: (Item) -> EntityID) -> [Item] {
      let stored = Dictionary(present.map { (id($0), $0) }) { first, _ in first }
      var kept: [Item] = []
      for item in items {
        let isAdded = addedIDs.contains(id(item))
        if isAdded, !named.contains(id(item)) { continue }
        named.formUnion(PlanBundle.identities(in: isAdded ? item : stored[id(item)] ?? item))
        if isAdded { kept.append(item) }
      }
      return kept
    }
    func keep<Item: JSONEncodable>(_ item: Item?, _ present: [Item], _ id: (Item) -> EntityID) -> Item? {
      keep([item].compactMap { $0 }, present, id).first
    }
    added.session = keep(renamed.session, shelf.sessions, \.id)
    added.program = keep(renamed.program, shelf.programs, \.id)
    added.workout = keep(renamed.workout, shelf.workouts, \.id)
    added.workouts = keep(renamed.workouts, shelf.workouts, \.id)
    added.module = keep(renamed.module, shelf.modules, \.id)
    added.modules = keep(renamed.modules, shelf.modules, \.id)
    added.customExercises = keep(renamed.customExercises, shelf.customExercises, \.id)
    added.equipment = keep(renamed.equipment, shelf.equipment, \.id)
    let entities = added.entityIDs
    let unnamed = addedIDs.subtracting(entities)
    for index in items.indices where items[index].newId.map(unnamed.contains) == true {
      (items[index].newId, items[index].outcome) = (nil, .present)
    }
    addedIDs = entities
  }
}
