import CivilTime
import DaybookProtocol
import FileStore
import JSON
import JSONRPC
import Values

extension Session {
  /// The record of an entity that has to be there.
  func record<Entity: KeptEntity>(of type: Entity.Type, _ id: EntityID) throws(RPCError) -> Record {
    guard let record = try snapshot().record(id, in: Entity.collection) else {
      throw RPCError(
        .notFound, "there is no \(Entity.noun) with this id", pointer: "/id",
        hint: "“\(Entity.methods)/list” has the ids")
    }
    return record
  }

  /// Stores an entity that is meant to be new. The same again is a success that changes nothing: `isSame` says whether one that
  /// is there already is what the request asks for. Under an id made just now there cannot be one.
  func create<Entity: KeptEntity>(
    _ entity: Entity, isNewID: Bool, pointer: String, _ call: inout Call, isSame: (Entity) -> Bool
  ) throws(RPCError) -> (entity: Entity, isNew: Bool, revision: Int) {
    let isUnique = isNewID && options.newIDsAreUnique
    if !isUnique, let record = try snapshot().record(entity.id, in: Entity.collection) {
      let present = try decode(Entity.self, record)
      guard isSame(present) else {
        throw RPCError(
          .conflict, "there is a \(Entity.noun) with this id and other content", pointer: pointer,
          hint: "leave the id out, or use “\(Entity.methods)/update”",
          conflict: ConflictVersions(current: value(present), yours: value(entity)))
      }
      return (present, false, try revision())
    }
    let revision = try commit([try put(entity, keeping: nil)], ofNewRecords: isUnique, &call)
    announce(Entity.self, [KeptChange(id: entity.id, kind: .added, day: entity.recordDay)], revision, &call)
    return (entity, true, revision)
  }

  /// Stores what an edit, based on some revision, made of an entity. The same content again changes nothing.
  func update<Entity: KeptEntity>(
    _ record: Record, from old: Entity, to new: Entity, basedOn base: Int?, _ call: inout Call
  ) throws(RPCError) -> (entity: Entity, revision: Int) {
    try checkBase(base, record, old, new)
    guard new != old else { return (old, try revision()) }
    var new = new
    new.updatedAt = max(now(), old.updatedAt.advanced(by: 1))
    let revision = try commit([try put(new, keeping: record)], &call)
    let previous = old.recordDay == new.recordDay ? nil : old.recordDay
    let change = KeptChange(id: new.id, kind: .updated, day: new.recordDay, previousDay: previous)
    announce(Entity.self, [change], revision, &call)
    return (new, revision)
  }

  /// Deletes an entity that has to be there.
  func delete<Entity: KeptEntity>(
    _ type: Entity.Type, _ id: EntityID, basedOn base: Int?, _ call: inout Call
  ) throws(RPCError) -> (entity: Entity, revision: Int) {
    let record = try record(of: Entity.self, id)
    let entity = try decode(Entity.self, record)
    try checkBase(base, record, entity, nil)
    let revision = try commit([.delete(Entity.collection, id: entity.id)], &call)
    announce(Entity.self, [KeptChange(id: entity.id, kind: .deleted, day: entity.recordDay)], revision, &call)
    return (entity, revision)
  }

  /// Refuses an edit that is based on a revision since which the entity has changed.
  private func checkBase<Entity: KeptEntity>(
    _ base: Int?, _ record: Record, _ current: Entity, _ yours: Entity?
  ) throws(RPCError) {
    let present = try revision()
    guard let base, record.revision > base || base > present else { return }
    throw RPCError(
      .conflict, "the \(Entity.noun) is not as it was at revision \(base)", pointer: "/revision",
      hint: "read it again and repeat the edit",
      conflict: ConflictVersions(current: value(current), yours: yours.map { value($0) }))
  }

  /// An entity, to be stored.
  func put<Entity: KeptEntity>(_ entity: Entity, keeping old: Record?) throws(RPCError) -> Operation {
    .put(
      Entity.collection, id: entity.id, day: entity.recordDay, schema: schema(of: Entity.self),
      createdAt: entity.createdAt, updatedAt: entity.updatedAt, body: try storedBody(entity, keeping: old))
  }

  /// Tells of changed entities, behind the answer.
  func announce<Entity: KeptEntity>(
    _ type: Entity.Type, _ changes: [KeptChange], _ revision: Int, _ call: inout Call
  ) {
    call.events.append(Entity.event(changes, revision, .thisFrontend))
  }

  /// The same for what is on days.
  func announce<Entity: LoggedEntity>(
    _ type: Entity.Type, _ changes: [LoggedChange], _ revision: Int, _ call: inout Call
  ) {
    call.events.append(Entity.event(changes, revision, .thisFrontend))
  }
}
