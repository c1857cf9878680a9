import DaybookProtocol
import FileStore
import JSONRPC

extension Context {
  /// Reads the record of an existing entity. Throws `notFound` with `pointer`, the params member that holds the id.
  package func record<Entity: CollectionEntity>(
    of type: Entity.Type, _ id: EntityID, pointer: String = "/id"
  ) throws(RPCError) -> Record {
    guard let record = try snapshot().record(id, in: Entity.collection) else {
      throw RPCError(
        .notFound, "there is no \(Entity.noun) with this id", pointer: pointer,
        hint: "“\(Entity.methods)/list” has the ids")
    }
    return record
  }

  /// Decodes the entity in a record.
  package func decode<Entity: StoredEntity>(_ type: Entity.Type, _ record: borrowing Record) throws(RPCError) -> Entity
  {
    try folder.migrations.decode(type, record)
  }

  /// Reads an existing entity. Throws `notFound` with `pointer`, the params member that holds the id.
  package func entity<Entity: CollectionEntity>(
    _ type: Entity.Type, _ id: EntityID, pointer: String = "/id"
  ) throws(RPCError) -> Entity {
    try decode(type, try record(of: type, id, pointer: pointer))
  }

  /// Reads an entity; nil when there is none with this id.
  package func find<Entity: CollectionEntity>(_ type: Entity.Type, _ id: EntityID?) throws(RPCError) -> Entity? {
    guard let id, let record = try snapshot().record(id, in: Entity.collection) else { return nil }
    return try decode(type, record)
  }

  /// Decodes the entity in a record. Logs a warning and returns nil when that fails, as for a form that only a later
  /// version knows.
  package func readable<Entity: CollectionEntity>(_ type: Entity.Type, _ record: borrowing Record) -> Entity? {
    folder.migrations.readable(type, record, warn: folder.warn)
  }

  /// All readable entities of a collection, or those of some days; dated ones newest first.
  package func all<Entity: CollectionEntity>(
    _ type: Entity.Type, in days: ClosedRange<CivilDay>? = nil
  ) throws(RPCError) -> [Entity] {
    try snapshot().records(in: Entity.collection, days: days).compactMap { readable(type, $0) }
  }

  /// The stored text of an entity in its wire form.
  package func fragment<Entity: StoredEntity>(_ record: borrowing Record) -> JSONFragment<Entity> {
    folder.migrations.fragment(record)
  }

  /// Creates an entity. Creating the same entity again succeeds and changes nothing; other content under its id is a
  /// `conflict`.
  ///
  /// - Parameter isNewID: Whether the id was generated for this request, so that no entity can have it.
  /// - Parameter pointer: The params member that gave the id.
  /// - Parameter isSame: Whether an existing entity matches the request.
  package mutating func create<Entity: CollectionEntity>(
    _ entity: Entity, isNewID: Bool, pointer: String = "/id", isSame: (Entity) -> Bool
  ) throws(RPCError) -> (entity: Entity, isNew: Bool, revision: Int) {
    let isUnique = isNewID && folder.newIDsAreUnique
    if !isUnique, let record = try snapshot().record(entity.id, in: Entity.collection) {
      let present = try decode(Entity.self, record)
      guard isSame(present) else {
        throw RPCError(
          .conflict, "there is \(Entity.nounWithArticle) with this id and other content", pointer: pointer,
          hint: "leave the id out, or use “\(Entity.methods)/update”",
          conflict: ConflictVersions(current: jsonValue(present), yours: jsonValue(entity)))
      }
      return (present, false, try storeRevision())
    }
    var new = entity
    let put = try put(&new, keeping: nil)
    return (new, true, try commit([put], ofNewRecords: isUnique))
  }

  /// Stores an edited entity. Unchanged content stores nothing.
  package mutating func update<Entity: CollectionEntity>(
    _ record: Record, from old: Entity, to new: Entity, basedOn base: Int?
  ) throws(RPCError) -> (entity: Entity, revision: Int) {
    guard let (new, put) = try edit(record, from: old, to: new, basedOn: base) else {
      return (old, try storeRevision())
    }
    return (new, try commit([put]))
  }

  /// Stamps an edited entity and returns it with the operation that stores it; nil when nothing changed.
  package func edit<Entity: CollectionEntity>(
    _ record: Record, from old: Entity, to new: Entity, basedOn base: Int?
  ) throws(RPCError) -> (entity: Entity, operation: Operation)? {
    try checkBase(base, record, old, new)
    var new = new
    new.updatedAt = old.updatedAt
    guard new != old else { return nil }
    let put = try put(&new, keeping: record, readAs: old)
    return (new, put)
  }

  /// Deletes an existing entity, together with `others`.
  package mutating func delete<Entity: CollectionEntity>(
    _ type: Entity.Type, _ id: EntityID, basedOn base: Int?, with others: [Operation] = []
  ) throws(RPCError) -> (entity: Entity, revision: Int) {
    let record = try record(of: Entity.self, id)
    let entity = try decode(Entity.self, record)
    try checkBase(base, record, entity, nil)
    return (entity, try commit([.delete(Entity.collection, id: entity.id)] + others))
  }

  /// Throws `conflict` when the entity has changed since the revision the edit is based on.
  package func checkBase<Entity: CollectionEntity>(
    _ base: Int?, _ record: Record, _ current: Entity, _ yours: Entity?
  ) throws(RPCError) {
    try Context.checkBase(base, record, current, yours, at: try storeRevision())
  }

  /// Checks the base revision against a given store revision.
  package static func checkBase<Entity: CollectionEntity>(
    _ base: Int?, _ record: Record, _ current: Entity, _ yours: Entity?, at present: Int
  ) throws(RPCError) {
    guard let base, record.revision > base || base > present else { return }
    throw RPCError(
      .conflict, "the \(Entity.noun) is not as it was at revision \(base)", pointer: "/revision",
      hint: "read it again and repeat the edit",
      conflict: ConflictVersions(current: jsonValue(current), yours: yours.map { jsonValue($0) }))
  }

  /// The operation that stores an entity, which gets the time of the change.
  package func put<Entity: CollectionEntity>(
    _ entity: inout Entity, keeping old: Record?, readAs present: Entity? = nil
  ) throws(RPCError) -> Operation {
    try folder.migrations.put(&entity, keeping: old, readAs: present, at: now)
  }

  /// The operation that stores an entity that replaces none.
  package func put<Entity: CollectionEntity>(new entity: Entity) throws(RPCError) -> Operation {
    var entity = entity
    return try put(&entity, keeping: nil)
  }

  /// The operation that stores the only entity of a collection.
  package func put<Entity: SingleEntity>(_ entity: Entity) throws(RPCError) -> Operation {
    try folder.migrations.put(
      entity, keeping: try snapshot().record(Entity.singleID, in: Entity.collection), at: now)
  }
}

// MARK: plain requests

extension Context {
  /// Adds the entity that a plain add request describes.
  package mutating func add<Entity: PlainEntity>(
    _ type: Entity.Type, _ params: Entity.AddParams, _ id: EntityID?
  ) throws(RPCError) -> (entity: Entity, isNew: Bool, revision: Int) {
    let given = id ?? newID()
    let entity = try Entity.made(from: params, given, &self)
    // An entity with a derived id may exist already.
    return try create(entity, isNewID: id == nil && entity.id == given) { $0.matches(params) }
  }

  /// Applies a plain update request to an entity.
  package mutating func update<Entity: UpdatableEntity>(
    _ type: Entity.Type, _ params: Entity.UpdateParams, _ id: EntityID, basedOn base: Int?
  ) throws(RPCError) -> (entity: Entity, revision: Int) {
    let record = try record(of: Entity.self, id)
    let old = try decode(Entity.self, record)
    var new = old
    try new.apply(params)
    return try update(record, from: old, to: new, basedOn: base)
  }
}
