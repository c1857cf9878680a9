import DomainKit
import Values

extension DerivedID {
  /// The id of the favourite of a folded name.
  package static func favourite(_ name: [UInt8]) -> EntityID { id("favourite\n", name) }

  /// The id of a hidden food of a folded name.
  static func hiddenFood(_ name: [UInt8]) -> EntityID { id("hiddenFood\n", name) }

  /// The first half of the ids of all copies made under an id.
  static func copiesHigh(_ copy: EntityID) -> UInt64 { id("copies\n", Array("\(copy)".utf8)).high }

  /// The second half of the id of the copy of a meal.
  static func copyLow(_ copy: EntityID, of meal: EntityID) -> UInt64 {
    // Not the second half of its hash but the first: so it was stored.
    id((high: 0, low: hash("copy\n", Array("\(copy)\(meal)".utf8)).high)).low
  }
}
