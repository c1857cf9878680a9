import DaybookProtocol
import Values

extension SetGroup {
  /// What is wrong with groups that are stored; nil when nothing is. Pointers lead into them.
  static func problem(of groups: [SetGroup]) -> Refusal? {
    if let place = groups.firstIndex(where: { $0.id == nil }) {
      return Refusal("/\(place)/id", .missing, "a stored group has an id")
    }
    do throws(Refusal) {
      let normalized = try SetGroup.normalized(groups) { EntityID(high: 0, low: 0) }
      guard let place = groups.indices.first(where: { groups[$0] != normalized[$0] }) else { return nil }
      return Refusal("/\(place)/target/kg", .conflict, "the weight is another in kilograms")
    } catch { return error }
  }

}

extension [SetGroup] {
  /// Groups of params as they are stored.
  ///
  /// - Throws: What is wrong with them; pointers lead through `/groups`.
  func stored(keeping old: [SetGroup]?, _ newID: () -> EntityID) throws(Refusal) -> [SetGroup] {
    try Refusal.inside("/groups") { () throws(Refusal) in
      try SetGroup.normalized(try identified(keeping: old ?? [], newID), newID)
    }
  }
}
