import DaybookProtocol

/// The contents of the folder that a bundle is imported into.
package struct BundleDestination: Sendable {
  package var exercises: [LibraryExercise]
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

/// What an import of a bundle does.
package struct BundlePlan: Sendable {
  /// The items of the bundle and their outcomes, in import order.
  package private(set) var items: [BundleItem] = []
  /// The whole bundle with the ids and names that its items get here.
  package private(set) var renamed: PlanBundle
  /// The items that the import adds.
  package private(set) var added: PlanBundle
  /// The id here of each id in the bundle.
  package private(set) var ids: [EntityID: EntityID] = [:]
  /// The ids here of the added items.
  package private(set) var addedIDs: Set<EntityID> = []

  /// The values of `ids`.
  private var used: Set<EntityID> = []
  private let copies: Bool

  /// - Parameters:
  ///   - onConflict: What happens to items whose name is taken.
  ///   - now: When the items are stored.
  ///   - isStored: Whether a collection has a record with an id.
  ///   - derived: The id that an item gets here, derived from the bundle and its id there.
  /// - Throws: A reference to something that is missing, or a name that is not allowed here; pointers lead into the
  ///   bundle.
  package init(
    _ bundle: PlanBundle, into destination: BundleDestination, onConflict: BundleConflict?,
    at now: Instant, isStored: (_ collection: String, EntityID) -> Bool, derived: (EntityID) -> EntityID
  ) throws(Refusal) {
    let bundle = bundle.withoutLocalState
    try bundle.checkReferences(destination)
    copies = onConflict == .copy
    (renamed, added) = (bundle, bundle)
    for id in bundle.definedIDs { use(derived(id), for: id) }
    var pieces = Names(destination.equipment.map { ($0.id, $0.name, $0) })
    for (index, piece) in bundle.equipment.enumerated() {
      renamed.equipment[index].name = resolve(piece, piece.id, piece.name, "equipment", &pieces)
    }
    var own = Names(destination.customExercises.map { ($0.id, $0.traits.name, $0) })
    own.ids.formUnion(destination.exercises.map(\.id))
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
    resolveAll(bundle.modules + [bundle.module].compactMap { $0 }, "modules", destination.modules, \.id, \.name)
    resolveAll(bundle.workouts + [bundle.workout].compactMap { $0 }, "workouts", destination.workouts, \.id, \.name)
    let programs = destination.programs.compactMap { PlanBundle($0).withoutLocalState.program }
    resolveAll([bundle.program].compactMap { $0 }, "programs", programs, \.id, \.name)
    let sessions = destination.sessions.compactMap { PlanBundle($0).withoutLocalState.session }
    resolveAll([bundle.session].compactMap { $0 }, "workoutSessions", sessions, \.id, \.name)
    try renamed.rename(ids, at: now)
    leaveOutUnreferenced(bundle, destination)
  }

  private mutating func use(_ id: EntityID, for old: EntityID) {
    ids[old] = id
    used.insert(id)
  }

  /// The ids and names in use, of items with unique names.
  private struct Names<Item: JSONEncodable> {
    var ids: Set<EntityID>
    /// The owner of each lowercased name; items added by the bundle have no `item`.
    var owners: [String: (id: EntityID, item: Item?)]

    init(_ present: [(id: EntityID, name: String, item: Item)]) {
      ids = Set(present.map(\.id))
      owners = Dictionary(present.map { ($0.name.lowercased(), ($0.id, $0.item)) }) { first, _ in first }
    }
  }

  /// The canonical content of an item after replacing ids.
  private static func content(_ item: some JSONEncodable, _ ids: [EntityID: EntityID] = [:]) -> [UInt8] {
    PlanContent.text(of: PlanBundle.renamed(item, ids))
  }

  /// Decides the outcome of an item whose name has to be unique; returns its name here.
  private mutating func resolve<Item: JSONEncodable>(
    _ item: Item, _ id: EntityID, _ original: String, _ collection: String, _ names: inout Names<Item>
  ) -> String {
    let made = ids[id] ?? id
    var name = original
    var outcome = BundleOutcome.new
    if names.ids.contains(id) || names.ids.contains(made) {
      outcome = .present
      use(names.ids.contains(id) ? id : made, for: id)
    } else if let owner = names.owners[name.lowercased()] {
      let isSame = owner.item.map { BundlePlan.content($0) == BundlePlan.content(item, ids) } ?? false
      outcome = isSame ? .present : .nameTaken
      if copies, !isSame {
        var number = 2
        while names.owners["\(original) (\(number))".lowercased()] != nil { number += 1 }
        name = "\(original) (\(number))"
      } else {
        use(owner.id, for: id)
      }
    }
    items.append(BundleItem(collection: collection, id: id, newId: ids[id], name: original, outcome: outcome))
    if outcome == .new || (outcome == .nameTaken && copies) {
      addedIDs.insert(made)
      names.ids.insert(made)
      names.owners[name.lowercased()] = (made, nil)
    }
    return name
  }

  /// Decides the outcome of an item that may have any name: a stored item with the same content is used instead.
  private mutating func resolve<Item: JSONEncodable>(
    _ item: Item, _ id: EntityID, _ name: String, _ collection: String, _ isStored: Bool, _ present: [[UInt8]: [Item]],
    _ identity: (Item) -> EntityID
  ) {
    // Prefers the item with the same id, and skips items that already stand for something else in the bundle.
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

  /// Leaves out added items, except the bundle's subject, that nothing stored or added references: an earlier import of
  /// the bundle uses other items instead.
  private mutating func leaveOutUnreferenced(_ bundle: PlanBundle, _ destination: BundleDestination) {
    var referenced = Set([bundle.id.flatMap { ids[$0] }].compactMap { $0 })
    func keep<Item: JSONEncodable>(_ items: [Item], _ present: [Item], _ id: (Item) -> EntityID) -> [Item] {
      let stored = Dictionary(present.map { (id($0), $0) }) { first, _ in first }
      var kept: [Item] = []
      for item in items {
        let isAdded = addedIDs.contains(id(item))
        if isAdded, !referenced.contains(id(item)) { continue }
        referenced.formUnion(PlanBundle.identities(in: isAdded ? item : stored[id(item)] ?? item))
        if isAdded { kept.append(item) }
      }
      return kept
    }
    func keep<Item: JSONEncodable>(_ item: Item?, _ present: [Item], _ id: (Item) -> EntityID) -> Item? {
      keep([item].compactMap { $0 }, present, id).first
    }
    // What references others goes first.
    added.session = keep(renamed.session, destination.sessions, \.id)
    added.program = keep(renamed.program, destination.programs, \.id)
    added.workout = keep(renamed.workout, destination.workouts, \.id)
    added.workouts = keep(renamed.workouts, destination.workouts, \.id)
    added.module = keep(renamed.module, destination.modules, \.id)
    added.modules = keep(renamed.modules, destination.modules, \.id)
    added.customExercises = keep(renamed.customExercises, destination.customExercises, \.id)
    added.equipment = keep(renamed.equipment, destination.equipment, \.id)
    let entities = added.entityIDs
    let omitted = addedIDs.subtracting(entities)
    for index in items.indices where items[index].newId.map(omitted.contains) == true {
      (items[index].newId, items[index].outcome) = (nil, .present)
    }
    addedIDs = entities
  }
}
