import CivilTime
import DaybookProtocol
import FileStore
import JSON
import JSONRPC
import Values

/// An entity that is stored as the body of a collection's records.
package protocol StoredEntity: JSONDecodable, JSONEncodable, Equatable, Sendable {
  static var collection: CollectionName { get }
  /// The names of its members; others are a later version's and are kept.
  static var memberNames: [String] { get }
}

/// The only record of a collection.
package protocol SingleEntity: StoredEntity {
  /// Its id, the same in every folder.
  static var singleID: EntityID { get }
}

/// An entity of which there are many, each with an id of its own.
package protocol CollectionEntity: StoredEntity {
  var id: EntityID { get }
  /// The day it belongs to, if any.
  var recordDay: CivilDay? { get }
  var createdAt: Instant { get }
  var updatedAt: Instant { get set }
  /// What one is called in messages.
  static var noun: String { get }
}

extension CollectionEntity {
  /// The first part of its methods' names.
  package static var methods: String { collection.rawValue }

  /// What one is called, behind its article.
  package static var nounWithArticle: String { (noun.first.map("aeiou".contains) == true ? "an " : "a ") + noun }
}

/// What the rules of a domain say of an entity that is stored, wherever it comes from.
package protocol CheckedEntity: StoredEntity {
  /// What is wrong with it; nil when nothing is.
  var problem: Refusal? { get }
  /// What is wrong when the record it is in says something else beside it.
  func recordMismatch(in record: borrowing ImportCandidate) -> Refusal?
}

extension CheckedEntity {
  package var problem: Refusal? { nil }
}

/// One whose rules know nothing of records.
package protocol RuledEntity: CheckedEntity {
  /// What is wrong with it; nil when nothing is. Pointers lead into it.
  var refusal: Refusal? { get }
}

extension RuledEntity {
  package var problem: Refusal? { refusal?.inside("/body") }
}

extension CheckedEntity where Self: SingleEntity {
  package func recordMismatch(in record: borrowing ImportCandidate) -> Refusal? {
    record.id == Self.singleID && record.day == nil
      ? nil : Refusal("/id", "there is one record of “\(Self.collection)”, \(Self.singleID)")
  }
}

extension CheckedEntity where Self: CollectionEntity {
  package func recordMismatch(in record: borrowing ImportCandidate) -> Refusal? {
    guard id == record.id else { return Refusal("/body/id", "it is another id") }
    guard recordDay == record.day else { return Refusal("/body/day", "it is another day") }
    guard createdAt == record.createdAt else {
      return Refusal("/body/createdAt", "“created” is another instant")
    }
    guard updatedAt == record.updatedAt else {
      return Refusal("/body/updatedAt", "“updated” is another instant")
    }
    return nil
  }
}

/// An entity that clients add, delete, get and list by the requests that every collection has. Only what is its own is written by hand.
package protocol PlainEntity: CollectionEntity, CheckedEntity {
  associatedtype AddParams

  /// The entity that a request to add it asks for.
  static func made(from params: AddParams, _ identity: EntityID, _ context: inout Context) throws(RPCError) -> Self
  /// Whether it has everything that a request to add it says. What the request leaves open may have been filled in
  /// differently when it was made the first time.
  func matches(_ params: AddParams) -> Bool

  /// Whether it has the members that a request to add it gives, as far as it has members of these names; generated.
  func hasMembers(of params: AddParams) -> Bool
}

extension PlainEntity {
  package func matches(_ params: AddParams) -> Bool { hasMembers(of: params) }
}

/// A plain entity whose collection declares `update`, too.
package protocol UpdatableEntity: PlainEntity {
  associatedtype UpdateParams

  /// Changes what a request to update it says.
  mutating func apply(_ params: UpdateParams) throws(RPCError)
  /// Takes over the members that a request to update it gives, as far as it has members of these names; generated.
  mutating func patch(_ params: UpdateParams)
}

extension UpdatableEntity {
  package mutating func apply(_ params: UpdateParams) throws(RPCError) { patch(params) }
}

/// A plain entity that consists of what a request to add it gives: nothing of it is written by hand.
package protocol DerivedEntity: PlainEntity {
  /// One made of a request to add it; generated. `today` counts where the request names no day.
  init(_ params: AddParams, id: EntityID, today: CivilDay, zone: TimeZoneName, now: Instant)
}

extension DerivedEntity {
  package static func made(
    from params: AddParams, _ identity: EntityID, _ context: inout Context
  ) throws(RPCError) -> Self {
    Self(params, id: identity, today: context.currentDay, zone: context.zoneName, now: context.now)
  }
}

/// A collection as the protocol declares it.
package struct CollectionDeclaration: Sendable {
  package let collection: CollectionName
  /// The group of events that tells of it.
  package let domain: EventDomain
  /// The notification that tells of changes.
  package let event: StaticString?
  /// Whether it has one record only.
  package let isSingle: Bool
  /// Whether what may fire as a reminder depends on it.
  package let movesReminders: Bool

  package init(
    _ collection: CollectionName, _ domain: EventDomain, event: StaticString?, isSingle: Bool, movesReminders: Bool
  ) {
    self.collection = collection
    self.domain = domain
    self.event = event
    self.isSingle = isSingle
    self.movesReminders = movesReminders
  }
}

extension Collections {
  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.collection, $0) })
  private static let byDomain = Dictionary(grouping: all, by: \.domain)

  /// Those that a group of events tells of, as they are declared.
  package static func declarations(of domain: EventDomain) -> [CollectionDeclaration] { byDomain[domain] ?? [] }

  /// The declaration of a collection; nil of one that the service has for itself, or that a later version declares.
  package static func declaration(of collection: CollectionName) -> CollectionDeclaration? { byName[collection] }
}
