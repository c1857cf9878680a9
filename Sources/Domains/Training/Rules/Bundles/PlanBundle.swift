import DaybookProtocol

/// A program, workout, module or finished session with everything it references, in the form it is shared in.
package struct PlanBundle: Sendable, Equatable {
  /// The kind of its subject, the item it was exported for.
  package enum Kind: String, CaseIterable, Sendable {
    case program, workout, module, session
  }

  package let kind: Kind
  package var program: Program?
  package var workout: Workout?
  package var module: Module?
  package var session: WorkoutSession?
  package var modules: [Module] = []
  package var workouts: [Workout] = []
  package var customExercises: [CustomExercise] = []
  package var equipment: [Equipment] = []

  package static let format = "daybook-bundle"
  package static let version = 1
  /// The most items of each collection.
  private static let most = 1000

  package init(_ program: Program) { (kind, self.program) = (.program, program) }
  package init(_ workout: Workout) { (kind, self.workout) = (.workout, workout) }
  package init(_ module: Module) { (kind, self.module) = (.module, module) }
  package init(_ session: WorkoutSession) { (kind, self.session) = (.session, session) }

  /// The name of the subject.
  package var name: String { program?.name ?? workout?.name ?? module?.name ?? session?.name ?? "" }

  /// The id of the subject in the bundle.
  package var id: EntityID? { program?.id ?? workout?.id ?? module?.id ?? session?.id }

  /// All modules with their pointers, including the subject.
  package var allModules: [(place: String, module: Module)] {
    (module.map { [("/module", $0)] } ?? []) + modules.enumerated().map { ("/modules/\($0)", $1) }
  }

  package var allWorkouts: [(place: String, workout: Workout)] {
    (workout.map { [("/workout", $0)] } ?? []) + workouts.enumerated().map { ("/workouts/\($0)", $1) }
  }
}

extension PlanBundle {
  /// The bundle as sent, with items sorted by id: equal bundles have equal texts.
  package var json: JSONValue {
    var object = JSONObject([
      ("format", .string(PlanBundle.format)), ("version", .number(JSONNumber(PlanBundle.version))),
      ("kind", .string(kind.rawValue)),
    ])
    object["program"] = program.map { JSONValue(encoding: $0) }
    object["workout"] = workout.map { JSONValue(encoding: $0) }
    object["module"] = module.map { JSONValue(encoding: $0) }
    object["session"] = session.map { JSONValue(encoding: $0) }
    object["modules"] = .array(modules.sorted { $0.id < $1.id }.map { JSONValue(encoding: $0) })
    object["workouts"] = .array(workouts.sorted { $0.id < $1.id }.map { JSONValue(encoding: $0) })
    object["customExercises"] = .array(customExercises.sorted { $0.id < $1.id }.map { JSONValue(encoding: $0) })
    object["equipment"] = .array(equipment.sorted { $0.id < $1.id }.map { JSONValue(encoding: $0) })
    return .object(object)
  }

  /// Reads a bundle of any origin.
  ///
  /// - Throws: An error in its form; pointers lead into it.
  package init(_ value: JSONValue) throws(Refusal) {
    guard case .object(let object) = value, object["format"] == .string(PlanBundle.format) else {
      throw Refusal("", .form, "it is not a bundle", allowed: "an object with “format”: “\(PlanBundle.format)”")
    }
    try Refusal.check(
      object["version"] == .number(JSONNumber(PlanBundle.version)), "/version", .form,
      "the version of the bundle is unknown", allowed: "\(PlanBundle.version)")
    let kinds = Kind.allCases.map(\.rawValue)
    guard case .string(let name)? = object["kind"], let kind = Kind(rawValue: name) else {
      throw Refusal("/kind", .form, "it has no known kind", allowed: kinds.joined(separator: ", "))
    }
    let known = ["format", "version", "kind", name, "modules", "workouts", "customExercises", "equipment"]
    if let other = object.members.first(where: { !known.contains($0.name) }) {
      throw Refusal("/\(other.name)", .form, "a bundle of a \(name) has no such member")
    }
    guard let item = object[name] else {
      throw Refusal("/\(name)", .missing, "the \(name) is missing", allowed: "a \(name)")
    }
    switch kind {
    case .program: self.init(try PlanBundle.read(item, at: "/program") as Program)
    case .workout: self.init(try PlanBundle.read(item, at: "/workout") as Workout)
    case .module: self.init(try PlanBundle.read(item, at: "/module") as Module)
    case .session: self.init(try PlanBundle.read(item, at: "/session") as WorkoutSession)
    }
    modules = try PlanBundle.list("modules", object) { $0.id }
    workouts = try PlanBundle.list("workouts", object) { $0.id }
    customExercises = try PlanBundle.list("customExercises", object) { $0.id }
    equipment = try PlanBundle.list("equipment", object) { $0.id }
  }

  private static func list<Item: JSONDecodable>(
    _ name: String, _ object: JSONObject, _ id: (Item) -> EntityID
  ) throws(Refusal) -> [Item] {
    guard let value = object[name] else { return [] }
    guard case .array(let values) = value, values.count <= most else {
      throw Refusal("/\(name)", .length, "it is not a list, or it is too long", allowed: "at most \(most)")
    }
    var (items, seen) = ([Item](), Set<EntityID>())
    for (index, value) in values.enumerated() {
      let item: Item = try read(value, at: "/\(name)/\(index)")
      guard seen.insert(id(item)).inserted else {
        throw Refusal("/\(name)/\(index)/id", .repeated, "it occurs twice", allowed: "each id once")
      }
      items.append(item)
    }
    return items
  }

  /// Decodes an entity strictly: members of later versions are refused.
  static func read<Item: JSONDecodable>(_ value: JSONValue, at place: String) throws(Refusal) -> Item {
    let text = value.json
    do throws(JSONError) { return try Item(json: text) } catch {
      throw Refusal(
        place + text.withUnsafeBytes { error.pointer(in: $0) }, .form, "\(error)", allowed: error.expected)
    }
  }
}
