import DaybookProtocol
import Values

extension CustomExercise {
  /// The most aliases of an exercise, and characters of one.
  private static let (mostAliases, aliasLength) = (20, 200)

  /// The same with identities and kilograms in its groups.
  ///
  /// - Throws: What is wrong with it.
  package func normalized(keeping old: CustomExercise?, _ newID: () -> EntityID) throws(Refusal) -> CustomExercise {
    var exercise = self
    exercise.groups = try groups?.stored(keeping: old?.groups, newID)
    try Refusal.check(exercise.refusal)
    return exercise
  }

  /// What is wrong with it; nil when nothing is.
  package var refusal: Refusal? {
    let aliases = aliases ?? []
    let refusal =
      traits.refusal?.inside("/traits")
      ?? .tooMany(aliases.count, "aliases", most: CustomExercise.mostAliases, "/aliases")
    if let refusal { return refusal }
    if let place = aliases.firstIndex(where: { !$0.isVisible || $0.count > CustomExercise.aliasLength }) {
      return Refusal(
        "/aliases/\(place)", .length, "that is no name", allowed: "1 to \(CustomExercise.aliasLength) characters")
    }
    if let refusal = Refusal.repeated(aliases, in: "/aliases", "the alias is there twice") { return refusal }
    return SetGroup.problem(of: groups ?? [])?.inside("/groups")
  }
}

extension Equipment {
  /// What is wrong with it; nil when nothing is.
  package var refusal: Refusal? {
    if let refusal = Refusal.name(name) { return refusal }
    if let unit, unit != .kg, unit != .lb {
      return Refusal("/unit", .form, "equipment is weighed in kilograms or pounds", allowed: "“kg” or “lb”")
    }
    if let refusal = Plate.refusal(of: plates ?? []) { return refusal.inside("/plates") }
    let names = (measurables ?? []).map { $0.name.lowercased() }
    if let refusal = Refusal.tooMany(names.count, most: 10, "/measurables") { return refusal }
    if let place = names.firstIndex(where: { $0 == "weight" || $0 == "load" }) {
      return Refusal("/measurables/\(place)/name", .conflict, "a set has a weight anyway", allowed: "another name")
    }
    return .repeated(names, "/name", in: "/measurables")
  }
}
