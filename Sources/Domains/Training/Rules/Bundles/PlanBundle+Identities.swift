import DaybookProtocol

extension PlanBundle {
  /// Refuses references to what neither the bundle nor the library has.
  func checkReferences(_ destination: BundleDestination) throws(Refusal) {
    let exercises = Set(customExercises.map(\.id)).union(destination.exercises.map(\.id))
    let pieces = Set(equipment.map(\.id)).union(destination.equipment.map(\.id))
    let planned = Set((allModules.flatMap(\.module.exercises) + allWorkouts.flatMap(\.workout.exercises)).map(\.id))
    func require(_ id: EntityID?, in present: Set<EntityID>, _ place: String, _ noun: String) throws(Refusal) {
      guard let id, !present.contains(id) else { return }
      throw Refusal(place, .missing, "the \(noun) is not in the bundle", allowed: "the id of an item in the bundle")
    }
    func check(_ id: EntityID?, _ traits: TrainingTraits, _ place: String) throws(Refusal) {
      try require(id, in: exercises, place + "/exerciseId", "exercise")
      for (index, id) in (traits.equipmentIds ?? []).enumerated() {
        try require(id, in: pieces, "\(place)/traits/equipmentIds/\(index)", "piece of equipment")
      }
    }
    func check(_ planned: [PlannedExercise], _ place: String) throws(Refusal) {
      for (index, exercise) in planned.enumerated() {
        try check(exercise.exerciseId, exercise.traits, "\(place)/exercises/\(index)")
      }
    }
    let modules = Set(allModules.map(\.module.id))
    for (place, module) in allModules { try check(module.exercises, place) }
    for (place, workout) in allWorkouts {
      for (index, reference) in workout.modules.enumerated() {
        try require(reference.moduleId, in: modules, "\(place)/modules/\(index)/moduleId", "module")
      }
      try check(workout.exercises, place)
    }
    for (index, exercise) in customExercises.enumerated() {
      try check(nil, exercise.traits, "/customExercises/\(index)")
    }
    for (index, slot) in (program?.slots ?? []).enumerated() {
      try require(
        slot.workoutId, in: Set(workouts.map(\.id)), "/program/slots/\(index)/workoutId", "workout")
      try require(slot.moduleId, in: modules, "/program/slots/\(index)/moduleId", "module")
    }
    for (index, exercise) in (program?.progression?.exercises ?? []).enumerated() {
      try require(exercise.exerciseId, in: planned, "/program/progression/exercises/\(index)/exerciseId", "exercise")
    }
    for (m, module) in (session?.modules ?? []).enumerated() {
      for (e, exercise) in module.exercises.enumerated() {
        try check(exercise.exerciseId, exercise.traits, "/session/modules/\(m)/exercises/\(e)")
      }
    }
  }

  /// The ids of its entities.
  var entityIDs: Set<EntityID> {
    Set([program?.id, session?.id].compactMap { $0 }).union(allModules.map(\.module.id))
      .union(allWorkouts.map(\.workout.id)).union(customExercises.map(\.id)).union(equipment.map(\.id))
  }

  /// All ids in an item, its own and those it references.
  static func identities(in item: some JSONEncodable) -> Set<EntityID> {
    var ids: Set<EntityID> = []
    visit(JSONValue(encoding: item)) { _, text in
      if let id = EntityID(text) { ids.insert(id) }
      return text
    }
    return ids
  }

  /// The ids that the bundle defines: those of entities, their parts and supersets.
  var definedIDs: Set<EntityID> {
    var ids: Set<EntityID> = []
    PlanBundle.visit(json) { name, text in
      if name == "id" || name == "supersetId", let id = EntityID(text) { ids.insert(id) }
      return text
    }
    return ids
  }

  /// Replaces ids wherever they occur, and sets all instants of storing to `now`.
  mutating func rename(_ ids: [EntityID: EntityID], at now: Instant) throws(Refusal) {
    func renamed<Item: JSONDecodable & JSONEncodable>(_ item: Item, _ place: String) throws(Refusal) -> Item {
      try PlanBundle.read(PlanBundle.renamed(item, ids, at: now), at: place)
    }
    func renamed<Item: JSONDecodable & JSONEncodable>(_ item: Item?, _ place: String) throws(Refusal) -> Item? {
      guard let item else { return nil }
      return try renamed(item, place) as Item
    }
    func renamed<Item: JSONDecodable & JSONEncodable>(_ items: [Item], _ place: String) throws(Refusal) -> [Item] {
      try items.mapped(inside: place) { item throws(Refusal) in try renamed(item, "") }
    }
    program = try renamed(program, "/program")
    workout = try renamed(workout, "/workout")
    module = try renamed(module, "/module")
    session = try renamed(session, "/session")
    modules = try renamed(modules, "/modules")
    workouts = try renamed(workouts, "/workouts")
    customExercises = try renamed(customExercises, "/customExercises")
    equipment = try renamed(equipment, "/equipment")
  }

  /// The item with ids replaced, and with its instants of storing set to `now`, if given.
  static func renamed(_ item: some JSONEncodable, _ ids: [EntityID: EntityID], at now: Instant? = nil) -> JSONValue {
    visit(JSONValue(encoding: item)) { name, text in
      name.hasSuffix("At") ? now.map { "\($0)" } ?? text : EntityID(text).flatMap { ids[$0] }.map { "\($0)" } ?? text
    }
  }

  /// Calls `body` with each id that a value defines, and the id at the same place in another value of the same shape.
  static func forEachMatchingID(_ left: JSONValue, _ right: JSONValue, _ body: (EntityID, EntityID) -> Void) {
    switch (left, right) {
    case (.array(let left), .array(let right)):
      for (left, right) in zip(left, right) { forEachMatchingID(left, right, body) }
    case (.object(let left), .object(let right)):
      for member in left.members {
        guard let other = right[member.name] else { continue }
        if member.name == "id" || member.name == "supersetId", case .string(let old) = member.value,
          case .string(let new) = other, let old = EntityID(old), let new = EntityID(new)
        {
          body(old, new)
        } else {
          forEachMatchingID(member.value, other, body)
        }
      }
    default: break
    }
  }

  /// The value with ids and instants of storing replaced by `change`, which gets the name of the member. Ids are the
  /// values of members named `id` or `…Id`, the elements of `…Ids`, and the part before `|` of names in `extra`.
  @discardableResult
  private static func visit(_ value: JSONValue, _ change: (_ name: String, _ text: String) -> String) -> JSONValue {
    func part(_ name: String, _ value: JSONValue) -> (String, JSONValue) {
      switch value {
      case .string(let text)
      where name == "id" || name.hasSuffix("Id") || name == "createdAt" || name == "updatedAt":
        return (name, .string(change(name, text)))
      case .array(let values) where name.hasSuffix("Ids"):
        // Two ids may have been replaced by the same one.
        var changed: [JSONValue] = []
        for value in values {
          var value = value
          if case .string(let text) = value { value = .string(change(name, text)) }
          if !changed.contains(value) { changed.append(value) }
        }
        return (name, .array(changed))
      case .object(let extra) where name == "extra":
        let members = extra.members.map { key, value in
          let id = key.prefix { $0 != "|" }
          return (name: change(name, String(id)) + key.dropFirst(id.count), value: value)
        }
        return (name, .object(JSONObject(members)))
      default: return (name, visit(value, change))
      }
    }
    switch value {
    case .array(let values): return .array(values.map { visit($0, change) })
    case .object(let object): return .object(JSONObject(object.members.map { part($0.name, $0.value) }))
    case .null, .bool, .number, .string: return value
    }
  }
}
