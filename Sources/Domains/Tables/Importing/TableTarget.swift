import CivilTime
import DaybookProtocol
import Values

/// Something that rows of a table become.
package protocol TableEntity: Sendable {
  var id: EntityID { get }
  var updatedAt: Instant { get set }
}

/// What the rows of a table become: how a domain's entity is found, compared and made. Everything else about an import is the same
/// for all domains.
package protocol TableTarget: Sendable {
  associatedtype Draft: Sendable & Equatable
  associatedtype Entity: TableEntity
  /// What a row without an identity and something made by hand have in common when one can be taken for the other.
  associatedtype Likeness: Hashable & Sendable

  func likeness(of draft: Draft) -> Likeness?
  func likeness(of entity: Entity) -> Likeness
  /// Whether a row is only taken for what differs in nothing.
  var takesOnlySame: Bool { get }
  /// Whether what was imported before is taken for a row that only resembles it.
  var takesResembling: Bool { get }
  /// What a row and something imported before have in common where it may have changed since; nil for what is none.
  func resemblance(of draft: Draft) -> String?
  func resemblance(of entity: Entity) -> String?
  /// Puts what is alike in order: the last is taken first.
  func order(_ alike: inout [Entity])

  /// The day that something is stored under; nil where it has none.
  func day(of entity: Entity) -> CivilDay?
  /// The day under which what a row can be taken for is stored; nil where that can be any.
  func day(of draft: Draft) -> CivilDay?
  /// Whether something stored is understood; what a later version wrote in another form is left alone.
  func understands(_ entity: Entity) -> Bool

  /// The members of an entity that say something else than a row, of those that the table speaks of.
  func differences(of entity: Entity, from draft: Draft) -> [String]
  /// An entity as a row has it; what the table does not speak of stays.
  func applied(_ draft: Draft, to entity: Entity) throws(Refusal) -> Entity?
  /// A new entity as a row has it.
  func made(of draft: Draft, id: EntityID, at instant: Instant) -> Entity?
  /// The same with how many were made before it by the same import, where their order is kept.
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
