import DaybookProtocol
import Values

/// A part of a plan whose identity may be left out of params.
package protocol PlanPart: Equatable {
  var id: EntityID? { get set }
}

extension SetGroup: PlanPart {}
extension ModuleReference: PlanPart {}
extension ProgramSlot: PlanPart {}

extension Array where Element: PlanPart {
  /// The same parts, each with an identity: its own, else that of an equal part that was there, else of the one in its place, so that
  /// the same said again is the same; else a new one.
  ///
  /// - Throws: An identity that is there twice; the pointer leads into the array.
  package func identified(keeping old: [Element], _ newID: () -> EntityID) throws(Refusal) -> [Element] {
    try Refusal.check(.repeatedID(map(\.id)))
    var taken = Set(compactMap(\.id))
    var parts = self
    func adopt(_ place: Int, _ part: Element?) {
      guard parts[place].id == nil, let id = part?.id, taken.insert(id).inserted else { return }
      parts[place].id = id
    }
    for place in indices where parts[place].id == nil {
      adopt(
        place,
        old.first { candidate in
          var nameless = candidate
          nameless.id = nil
          return nameless == parts[place] && candidate.id.map(taken.contains) == false
        })
    }
    for place in indices where place < old.count { adopt(place, old[place]) }
    for place in indices where parts[place].id == nil { parts[place].id = newID() }
    return parts
  }

  /// The same parts with other identities.
  func renamed(_ newID: (EntityID) -> EntityID) -> [Element] {
    map { part in
      var renamed = part
      renamed.id = part.id.map(newID)
      return renamed
    }
  }
}
