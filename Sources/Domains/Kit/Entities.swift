import CollectionTables
import DaybookProtocol
import FileStore
import JSONRPC

/// An entity stored as the body of a record.
package protocol StoredEntity: JSONDecodable, JSONEncodable, Equatable, Sendable {
  static var collection: CollectionName { get }
  /// The names of its members; others belong to a later version and are kept.
  static var memberNames: [String] { get }
}

/// The only record of a collection.
package protocol SingleEntity: StoredEntity {
  /// The id of the record, the same in every folder.
  static var singleID: EntityID { get }
}

/// An entity of a collection with many records.
package protocol CollectionEntity: StoredEntity {
  var id: EntityID { get }
  /// The day it belongs to, if any.
  var recordDay: CivilDay? { get }
  var createdAt: Instant { get }
  var updatedAt: Instant { get set }
  /// The word for one in messages.
  static var noun: String { get }
  /// Gives the time of a change to its parts that differ from those of the replaced version; nil when there is none.
  mutating func stampParts(since old: Self?, at time: Instant)
}

extension CollectionEntity {
  package mutating func stampParts(since old: Self?, at time: Instant) {}

  /// The first part of its method names.
  package static var methods: String { collection.rawValue }

  package static var nounWithArticle: String { (noun.first.map("aeiou".contains) == true ? "an " : "a ") + noun }
}

/// An entity that is validated before it is stored, from any source.
package protocol CheckedEntity: StoredEntity {
  /// What is wrong with it; nil when it is valid.
  var problem: Refusal? { get }
  /// What is inconsistent between it and the record around it.
  func recordMismatch(in record: borrowing ImportCandidate) -> Refusal?
}

extension CheckedEntity {
  package var problem: Refusal? { nil }
}

/// A checked entity whose rules are independent of records.
package protocol RuledEntity: CheckedEntity {
  /// What is wrong with it; nil when it is valid. Pointers are relative to the entity.
  var refusal: Refusal? { get }
}

extension RuledEntity {
  package var problem: Refusal? { refusal?.inside("/body") }
}

extension CheckedEntity where Self: SingleEntity {
  package func recordMismatch(in record: borrowing ImportCandidate) -> Refusal? {
    record.id == Self.singleID && record.day == nil
      ? nil : Refusal("/id", "“\(Self.collection)” has only the record \(Self.singleID)")
  }
}

extension CheckedEntity where Self: CollectionEntity {
  package func recordMismatch(in record: borrowing ImportCandidate) -> Refusal? {
    guard id == record.id else { return Refusal("/body/id", "it differs from the id of the record") }
    guard recordDay == record.day else { return Refusal("/body/day", "it differs from the day of the record") }
    guard createdAt == record.createdAt else {
      return Refusal("/body/createdAt", "it differs from “created” of the record")
    }
    guard updatedAt == record.updatedAt else {
      return Refusal("/body/updatedAt", "it differs from “updated” of the record")
    }
    return nil
  }
}

/// An entity with the plain requests add, delete, get and list. Only entity-specific code is written by hand.
package protocol PlainEntity: CollectionEntity, CheckedEntity {
  associatedtype AddParams

  /// The entity that an add request describes.
  static func made(from params: AddParams, _ identity: EntityID, _ context: inout Context) throws(RPCError) -> Self
  /// Whether it matches an add request. Members that the request leaves out may have been filled in differently before.
  func matches(_ params: AddParams) -> Bool

  /// Whether it has the values of all members that the request and the entity share; generated.
  func hasMembers(of params: AddParams) -> Bool
}

extension PlainEntity {
  package func matches(_ params: AddParams) -> Bool { hasMembers(of: params) }
}

/// A plain entity whose collection also declares `update`.
package protocol UpdatableEntity: PlainEntity {
  associatedtype UpdateParams

  /// Applies an update request.
  mutating func apply(_ params: UpdateParams) throws(RPCError)
  /// Sets the members that the request and the entity share; generated.
  mutating func patch(_ params: UpdateParams)
}

extension UpdatableEntity {
  package mutating func apply(_ params: UpdateParams) throws(RPCError) { patch(params) }
}

/// A plain entity that is fully described by its add request; no code is written by hand.
package protocol DerivedEntity: PlainEntity {
  /// Makes an entity from an add request; generated. `today` is used when the request names no day.
  init(_ params: AddParams, id: EntityID, today: CivilDay, zone: TimeZoneName, now: Instant)
}

extension DerivedEntity {
  package static func made(
    from params: AddParams, _ identity: EntityID, _ context: inout Context
  ) throws(RPCError) -> Self {
    Self(params, id: identity, today: context.currentDay, zone: context.zoneName, now: context.now)
  }
}

extension CollectionDeclaration {
  package var collection: CollectionName { CollectionName(name) }
}

extension Collections {
  /// The declaration of a collection; nil for internal collections and those of later versions.
  package static func declaration(of collection: CollectionName) -> CollectionDeclaration? {
    declaration(named: collection.rawValue)
  }
}
