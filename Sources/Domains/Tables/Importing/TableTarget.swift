import CivilTime
import DaybookProtocol
import Values

/// An entity that table rows can become.
package protocol TableEntity: Sendable {
  var id: EntityID { get }
  var updatedAt: Instant { get set }
}

/// How a domain matches, compares and makes the entities of table rows; the rest of an import is common to all domains.
package protocol TableTarget: Sendable {
  associatedtype Draft: Sendable & Equatable
  associatedtype Entity: TableEntity
  /// The key that a row without an id and an entity logged by hand share if they can match.
  associatedtype Likeness: Hashable & Sendable

  func likeness(of draft: Draft) -> Likeness?
  func likeness(of entity: Entity) -> Likeness
  /// Whether only equal entities match.
  var takesOnlySame: Bool { get }
  /// Whether earlier imports match by `resemblance`.
  var takesResembling: Bool { get }
  /// The key that a row and an earlier import share even if the latter was edited; nil for no match.
  func resemblance(of draft: Draft) -> String?
  func resemblance(of entity: Entity) -> String?
  /// Sorts the candidates of one likeness; the last matches first.
  func order(_ alike: inout [Entity])

  /// The day of the entity's record.
  func day(of entity: Entity) -> CivilDay?
  /// The day on which a match of the draft is stored; nil for any day.
  func day(of draft: Draft) -> CivilDay?
  /// Whether the entity has a known form; others are never replaced.
  func understands(_ entity: Entity) -> Bool

  /// The members, of those that the table covers, in which an entity differs from a draft.
  func differences(of entity: Entity, from draft: Draft) -> [String]
  /// The entity with the members that the table covers as in the draft.
  func applied(_ draft: Draft, to entity: Entity) throws(Refusal) -> Entity?
  /// A new entity.
  func made(of draft: Draft, id: EntityID, at instant: Instant) -> Entity?
  /// The entity in order behind `count` others that the import made.
  func placed(_ entity: Entity, behind count: Int) -> Entity
}

extension TableTarget {
  package func placed(_ entity: Entity, behind count: Int) -> Entity { entity }
  package var takesResembling: Bool { false }
  package func resemblance(of draft: Draft) -> String? { nil }
  package func resemblance(of entity: Entity) -> String? { nil }
  package func order(_ alike: inout [Entity]) {}
  package func day(of entity: Entity) -> CivilDay? { nil }
  package func day(of draft: Draft) -> CivilDay? { nil }
  package func understands(_ entity: Entity) -> Bool { true }
}
