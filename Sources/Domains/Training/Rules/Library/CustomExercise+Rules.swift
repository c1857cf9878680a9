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
    if let groups {
      do throws(Refusal) {
        exercise.groups = try SetGroup.stored(groups, keeping: old?.groups ?? [], newID)
      } catch { throw error.inside("/groups") }
    }
    if let refusal = exercise.refusal { throw refusal }
    return exercise
  }

  /// What is wrong with it; nil when nothing is.
  package var refusal: Refusal? {
    if let refusal = traits.refusal { return refusal.inside("/traits") }
    let aliases = aliases ?? []
    if aliases.count > CustomExercise.mostAliases {
      return Refusal(
        "/aliases", .length, "there are \(aliases.count) aliases", allowed: "at most \(CustomExercise.mostAliases)")
    }
    for (place, alias) in aliases.enumerated() {
      if !alias.isVisible || alias.count > CustomExercise.aliasLength {
        return Refusal(
          "/aliases/\(place)", .length, "that is no name", allowed: "1 to \(CustomExercise.aliasLength) characters")
      }
      if aliases[..<place].contains(alias) {
        return Refusal("/aliases/\(place)", .repeated, "the alias is there twice", allowed: "each once")
      }
    }
    return SetGroup.problem(of: groups ?? [])?.inside("/groups")
  }
}

extension Equipment {
  /// What is wrong with it; nil when nothing is.
  package var refusal: Refusal? {
    if !name.isVisible { return Refusal("/name", .missing, "the name cannot be seen", allowed: "a name") }
    if let unit, unit != .kg, unit != .lb {
      return Refusal("/unit", .form, "equipment is weighed in kilograms or pounds", allowed: "“kg” or “lb”")
    }
    if let refusal = Plate.refusal(of: plates ?? []) { return refusal.inside("/plates") }
    let measurables = measurables ?? []
    if measurables.count > 10 {
      return Refusal("/measurables", .length, "there are \(measurables.count)", allowed: "at most 10")
    }
    for (place, measurable) in measurables.enumerated() {
      let name = measurable.name.lowercased()
      if name == "weight" || name == "load" {
        return Refusal("/measurables/\(place)/name", .conflict, "a set has a weight anyway", allowed: "another name")
      }
      if measurables[..<place].contains(where: { $0.name.lowercased() == name }) {
        return Refusal("/measurables/\(place)/name", .repeated, "it is there twice", allowed: "each once")
      }
    }
    return nil
  }
}
