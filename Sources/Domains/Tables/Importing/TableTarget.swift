import DaybookProtocol

/// An entity that table rows can become.
package protocol TableEntity: Sendable {
  var id: EntityID { get }
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
  /// Whether an entity may be the row's although it says less: without a time of day, it is one of any.
  func isSame(_ entity: Entity, as draft: Draft) -> Bool
  /// Whether an earlier import of a row's key may be another version of the row.
  func isVersion(_ entity: Entity, of draft: Draft) -> Bool
  /// Whether an earlier import that was not edited since is a part of the draft, which an import completes.
  func isPart(_ entity: Entity, of draft: Draft) -> Bool
  /// The entity with the members that the table covers as in the draft.
  func applied(_ draft: Draft, to entity: Entity) throws(Refusal) -> Entity?
  /// A new entity.
  func made(of draft: Draft, id: EntityID, at instant: Instant) -> Entity?
  /// The entity in order behind `count` others that the import made.
  func placed(_ entity: Entity, behind count: Int) -> Entity
}

extension TableTarget {
  package func isSame(_ entity: Entity, as draft: Draft) -> Bool { differences(of: entity, from: draft).isEmpty }
  package func isVersion(_ entity: Entity, of draft: Draft) -> Bool { true }
  package func isPart(_ entity: Entity, of draft: Draft) -> Bool { false }
  package func placed(_ entity: Entity, behind count: Int) -> Entity { entity }
  package var takesResembling: Bool { false }
  package func resemblance(of draft: Draft) -> String? { nil }
  package func resemblance(of entity: Entity) -> String? { nil }
  package func order(_ alike: inout [Entity]) {}
  package func day(of entity: Entity) -> CivilDay? { nil }
  package func day(of draft: Draft) -> CivilDay? { nil }
  package func understands(_ entity: Entity) -> Bool { true }
}

/// The outcome of a row.
package enum TableOutcome: Sendable, Equatable {
  case new(EntityID)
  /// An equal entity is stored. If it was logged by hand, `link` is the id that the row would have had, unless a link is stored.
  case present(EntityID, link: EntityID?)
  /// The entity is stored with other values of these members; `link` as above.
  case different(EntityID, [String], link: EntityID?)
  /// An earlier import that is a part of the row lacks something in these members; `link` as above.
  case extended(EntityID, [String], link: EntityID?)
  case ignored
  case refused
}

extension TableOutcome {
  /// The stored entity that an import changes; nil when it changes none.
  package func changed(replaces: Bool) -> EntityID? {
    switch self {
    case .extended(let id, _, _): id
    case .different(let id, _, _): replaces ? id : nil
    case .new, .present, .ignored, .refused: nil
    }
  }
}

/// The outcomes of a table's rows.
package struct TableOutcomes: Sendable, Equatable {
  package private(set) var list: [TableOutcome] = []
  package private(set) var new = 0
  package private(set) var present = 0
  /// Also the extended ones.
  package private(set) var different = 0

  init() {}

  package init(_ outcomes: [TableOutcome]) { for outcome in outcomes { add(outcome) } }

  mutating func add(_ outcome: TableOutcome) {
    list.append(outcome)
    switch outcome {
    case .new: new += 1
    case .present: present += 1
    case .different, .extended: different += 1
    case .ignored, .refused: break
    }
  }
}

/// A change that an import writes.
package enum TableChange<Entity: TableEntity>: Sendable {
  case add(Entity)
  /// Replaces the stored entity.
  case put(Entity)
  /// Links the id that a row would have had to the entity it matches.
  case link(EntityID, target: EntityID)
}
