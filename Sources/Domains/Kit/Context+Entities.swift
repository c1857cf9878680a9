import CivilTime
import DaybookProtocol
import FileStore
import JSON
import JSONRPC
import Values

extension Context {
  /// The record of an entity that has to be there; `pointer` leads to its id in the params.
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

  /// The entity a record holds.
  package func decode<Entity: StoredEntity>(_ type: Entity.Type, _ record: borrowing Record) throws(RPCError) -> Entity
  {
    try folder.migrations.decode(type, record)
  }

  /// An entity that has to be there; `pointer` leads to its id in the params.
  package func entity<Entity: CollectionEntity>(
    _ type: Entity.Type, _ id: EntityID, pointer: String = "/id"
  ) throws(RPCError) -> Entity {
    try decode(type, try record(of: type, id, pointer: pointer))
  }

  /// The entity of an id; nil when it is not there.
  package func find<Entity: CollectionEntity>(_ type: Entity.Type, _ id: EntityID?) throws(RPCError) -> Entity? {
    guard let id, let record = try snapshot().record(id, in: Entity.collection) else { return nil }
    return try decode(type, record)
  }

  /// The entity of a record; nil when it cannot be read, as one that only a later version understands, which the log is told.
  package func readable<Entity: CollectionEntity>(_ type: Entity.Type, _ record: borrowing Record) -> Entity? {
    do throws(RPCError) { return try decode(type, record) } catch {
      folder.warn("\(Entity.nounWithArticle) is left out: \(error.message)")
      return nil
    }
  }

  /// The entities of a collection, or of some days, newest first where they have days, but for those that cannot be read.
  package func all<Entity: CollectionEntity>(
    _ type: Entity.Type, in days: ClosedRange<CivilDay>? = nil
  ) throws(RPCError) -> [Entity] {
    try snapshot().records(in: Entity.collection, days: days).compactMap { readable(type, $0) }
  }

  /// The stored text of an entity, as it goes over the wire.
  package func fragment<Entity: StoredEntity>(_ record: borrowing Record) -> JSONFragment<Entity> {
    folder.migrations.fragment(record)
  }

  /// Stores an entity that is meant to be new. The same again is a success that changes nothing: `isSame` says whether one that
  /// is there already is what the request asks for.
  ///
  /// - Parameter isNewID: Whether the id was made just now; under such an id there is none.
  /// - Parameter pointer: The member of the params that gave the id.
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
    return (entity, true, try commit([try put(entity, keeping: nil)], ofNewRecords: isUnique))
  }

  /// Stores what an edit, based on some revision, made of an entity. The same content again changes nothing.
  package mutating func update<Entity: CollectionEntity>(
    _ record: Record, from old: Entity, to new: Entity, basedOn base: Int?
  ) throws(RPCError) -> (entity: Entity, revision: Int) {
    guard let (new, put) = try edit(record, from: old, to: new, basedOn: base) else {
      return (old, try storeRevision())
    }
    return (new, try commit([put]))
  }

  /// What an edit, based on some revision, made of an entity, stamped, with what stores it; nil when it is the same.
  package func edit<Entity: CollectionEntity>(
    _ record: Record, from old: Entity, to new: Entity, basedOn base: Int?
  ) throws(RPCError) -> (entity: Entity, operation: Operation)? {
    try checkBase(base, record, old, new)
    guard new != old else { return nil }
    var new = new
    new.updatedAt = now.following(old.updatedAt)
    return (new, try put(new, keeping: record, readAs: old))
  }

  /// Deletes an entity that has to be there, with what goes along.
  package mutating func delete<Entity: CollectionEntity>(
    _ type: Entity.Type, _ id: EntityID, basedOn base: Int?, with others: [Operation] = []
  ) throws(RPCError) -> (entity: Entity, revision: Int) {
    let record = try record(of: Entity.self, id)
    let entity = try decode(Entity.self, record)
    try checkBase(base, record, entity, nil)
    return (entity, try commit([.delete(Entity.collection, id: entity.id)] + others))
  }

  /// Refuses an edit that is based on a revision since which the entity has changed.
  package func checkBase<Entity: CollectionEntity>(
    _ base: Int?, _ record: Record, _ current: Entity, _ yours: Entity?
  ) throws(RPCError) {
    try Context.checkBase(base, record, current, yours, at: try storeRevision())
  }

  /// The same at a revision of the store.
  package static func checkBase<Entity: CollectionEntity>(
    _ base: Int?, _ record: Record, _ current: Entity, _ yours: Entity?, at present: Int
  ) throws(RPCError) {
    guard let base, record.revision > base || base > present else { return }
    throw RPCError(
      .conflict, "the \(Entity.noun) is not as it was at revision \(base)", pointer: "/revision",
      hint: "read it again and repeat the edit",
      conflict: ConflictVersions(current: jsonValue(current), yours: yours.map { jsonValue($0) }))
  }

  /// An entity, to be stored.
  package func put<Entity: CollectionEntity>(
    _ entity: Entity, keeping old: Record?, readAs present: Entity? = nil
  ) throws(RPCError) -> Operation {
    try folder.migrations.put(entity, keeping: old, readAs: present)
  }

  /// The only record of a collection, to be stored.
  package func put<Entity: SingleEntity>(_ entity: Entity) throws(RPCError) -> Operation {
    let old = try snapshot().record(Entity.singleID, in: Entity.collection)
    return .put(
      Entity.collection, id: Entity.singleID, day: nil, schema: folder.migrations.schema(of: Entity.collection),
      createdAt: old?.createdAt ?? now, updatedAt: now, body: try folder.migrations.body(entity, keeping: old))
  }
}

// MARK: the plain requests of a collection

extension Context {
  /// Adds an entity as a request asks for it, under the id it gives.
  package mutating func add<Entity: PlainEntity>(
    _ type: Entity.Type, _ params: Entity.AddParams, _ id: EntityID?
  ) throws(RPCError) -> (entity: Entity, isNew: Bool, revision: Int) {
    let given = id ?? newID()
    let entity = try Entity.made(from: params, given, &self)
    // An entity whose id follows from what it says may be there already.
    return try create(entity, isNewID: id == nil && entity.id == given) { $0.matches(params) }
  }

  /// Updates an entity as a request asks for it.
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
