import DaybookProtocol

/// The exercise library: built-in and custom exercises.
package struct TrainingLibrary: Sendable {
  /// By name, then by id.
  package let exercises: [LibraryExercise]
  private let places: [EntityID: Int]
  /// Indices by folded name and by folded alias.
  private let named: [String: Int]
  private let nicknamed: [String: Int]

  /// The name of an exercise without a known one.
  package static let unknownName = "Unknown Exercise"

  package init(customs: [CustomExercise] = [], marks: [LibraryMark] = []) {
    let marks = Dictionary(marks.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let taken = Set(customs.map(\.id))
    var sorted: [(key: String, exercise: LibraryExercise)] = []
    for exercise in customs.map({ LibraryExercise($0) }) + BuiltInExercises.all.filter({ !taken.contains($0.id) }) {
      var marked = exercise
      marked.favourite = marks[exercise.id]?.favourite ?? false
      marked.archived = marks[exercise.id]?.archived ?? false
      sorted.append((SearchText.folded(exercise.traits.name), marked))
    }
    sorted.sort { $0.key != $1.key ? $0.key < $1.key : $0.exercise.id < $1.exercise.id }
    exercises = sorted.map { $0.exercise }
    var (places, named, nicknamed) = ([EntityID: Int](), [String: Int](), [String: Int]())
    for (place, entry) in sorted.enumerated() {
      places[entry.exercise.id] = place
      func enter(_ key: String, in table: inout [String: Int]) {
        if let present = table[key], !sorted[present].exercise.builtIn || entry.exercise.builtIn { return }
        table[key] = place
      }
      enter(entry.key, in: &named)
      for alias in entry.exercise.aliases { enter(SearchText.folded(alias), in: &nicknamed) }
    }
    (self.places, self.named, self.nicknamed) = (places, named, nicknamed)
  }

  /// The exercise with an id; nil when there is none.
  package func exercise(_ id: EntityID) -> LibraryExercise? { places[id].map { exercises[$0] } }

  /// The exercise with a name, else with an alias, ignoring case and punctuation; custom exercises come before built-in
  /// ones.
  package func exercise(named name: String) -> LibraryExercise? {
    let key = SearchText.folded(name)
    return (named[key] ?? nicknamed[key]).map { exercises[$0] }
  }

  /// The placeholder for a missing exercise.
  package static func placeholder(_ id: EntityID, name: String?) -> LibraryExercise {
    LibraryExercise(
      id: id, traits: TrainingTraits(name: name ?? unknownName, kind: .strength), builtIn: false, favourite: false,
      archived: true, missing: true, aliases: [], groups: [])
  }
}

extension LibraryExercise {
  /// A custom exercise as an exercise of the library.
  init(_ custom: CustomExercise) {
    self.init(
      id: custom.id, traits: custom.traits, builtIn: false, favourite: false, archived: false,
      aliases: custom.aliases ?? [], groups: custom.groups ?? [], note: custom.note)
  }
}

extension CustomExercise {
  /// The most aliases, and the most characters of one.
  private static let (mostAliases, aliasLength) = (20, 200)

  /// The exercise with ids and kilograms filled in in its groups.
  ///
  /// - Throws: The first violated rule.
  package func normalized(keeping old: CustomExercise?, _ newID: () -> EntityID) throws(Refusal) -> CustomExercise {
    var exercise = self
    exercise.groups = try groups?.stored(keeping: old?.groups, newID)
    try Refusal.check(exercise.refusal)
    return exercise
  }

  /// The first violated rule; nil for none.
  package var refusal: Refusal? {
    let aliases = aliases ?? []
    let refusal =
      traits.refusal?.inside("/traits")
      ?? .tooMany(aliases.count, "aliases", most: CustomExercise.mostAliases, "/aliases")
    if let refusal { return refusal }
    if let place = aliases.firstIndex(where: { !$0.isVisible || $0.count > CustomExercise.aliasLength }) {
      return Refusal(
        "/aliases/\(place)", .length, "it is empty or too long",
        allowed: "1 to \(CustomExercise.aliasLength) characters")
    }
    if let refusal = Refusal.repeated(aliases, in: "/aliases", "the alias occurs twice") { return refusal }
    return SetGroup.problem(of: groups ?? [])?.inside("/groups")
  }
}

extension Equipment {
  /// The first violated rule; nil for none.
  package var refusal: Refusal? {
    if let refusal = Refusal.name(name) { return refusal }
    if let unit, unit != .kg, unit != .lb {
      return Refusal("/unit", .form, "equipment is weighed in kilograms or pounds", allowed: "“kg” or “lb”")
    }
    if let refusal = Plate.refusal(of: plates ?? []) { return refusal.inside("/plates") }
    let names = (measurables ?? []).map { $0.name.lowercased() }
    if let refusal = Refusal.tooMany(names.count, most: 10, "/measurables") { return refusal }
    if let place = names.firstIndex(where: { $0 == "weight" || $0 == "load" }) {
      return Refusal("/measurables/\(place)/name", .conflict, "every set has a weight already", allowed: "another name")
    }
    return .repeated(names, "/name", in: "/measurables")
  }
}
