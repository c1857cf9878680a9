import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSON
import JSONRPC
import SettingsDocument
import Values

/// What the session's own handlers do with entities: the same as the services' do by their context.
extension Session {
  /// What a service is given for a request.
  func context(_ call: Call) -> Context {
    useStore(for: call.method)
    return Context(
      method: call.method, folder: folder, now: now(), days: days, selectedDay: selectedDay, locale: locale,
      transaction: call.transaction)
  }

  /// The same for the session's own handlers, to read or to make an operation by.
  private func ownContext() throws(RPCError) -> Context {
    _ = try revision()
    return context(Call(method: .serverInfo))
  }

  func record<Entity: CollectionEntity>(
    of type: Entity.Type, _ id: EntityID, pointer: String = "/id"
  ) throws(RPCError) -> Record {
    try ownContext().record(of: type, id, pointer: pointer)
  }

  func create<Entity: CollectionEntity>(
    _ entity: Entity, isNewID: Bool, pointer: String, _ call: inout Call, isSame: (Entity) -> Bool
  ) throws(RPCError) -> (entity: Entity, isNew: Bool, revision: Int) {
    var context = context(call)
    defer { call.take(context) }
    return try context.create(entity, isNewID: isNewID, pointer: pointer, isSame: isSame)
  }

  func update<Entity: CollectionEntity>(
    _ record: Record, from old: Entity, to new: Entity, basedOn base: Int?, _ call: inout Call
  ) throws(RPCError) -> (entity: Entity, revision: Int) {
    var context = context(call)
    defer { call.take(context) }
    return try context.update(record, from: old, to: new, basedOn: base)
  }

  func delete<Entity: CollectionEntity>(
    _ type: Entity.Type, _ id: EntityID, basedOn base: Int?, _ call: inout Call
  ) throws(RPCError) -> (entity: Entity, revision: Int) {
    var context = context(call)
    defer { call.take(context) }
    return try context.delete(type, id, basedOn: base)
  }

  func page<Entity: CollectionEntity>(
    of type: Entity.Type, _ request: PageRequest, where isAskedFor: ((Entity) -> Bool)? = nil
  ) throws(RPCError) -> Page<Entity> {
    try ownContext().page(of: type, request, where: isAskedFor)
  }

  func put<Entity: CollectionEntity>(_ entity: Entity, keeping old: Record?) throws(RPCError) -> Operation {
    try ownContext().put(entity, keeping: old)
  }

  func put<Entity: SingleEntity>(_ entity: Entity) throws(RPCError) -> Operation {
    try ownContext().put(entity)
  }

  nonisolated func decode<Entity: StoredEntity>(
    _ type: Entity.Type, _ record: borrowing Record
  ) throws(RPCError) -> Entity {
    try options.migrations.decode(type, record)
  }

  nonisolated func fragment<Entity: StoredEntity>(_ record: borrowing Record) -> JSONFragment<Entity> {
    options.migrations.fragment(record)
  }

  /// An entity as a plain JSON value.
  func value(_ entity: some JSONEncodable) -> JSONValue { jsonValue(entity) }
}

extension RecordMigrations {
  /// The steps that Daybook's stored forms have taken. Each has a golden file; none is ever changed or removed.
  package static let daybook = RecordMigrations([
    Settings.collection: [
      RecordMigration("settings-of-all-domains") { SettingsMigration.toAllDomains($0) },
      RecordMigration("lock-after-in-milliseconds", renaming: "lockAfter", to: "lockAfterMs"),
    ],
    Meal.collection: [RecordMigration("quick-as-an-adjective", renaming: "isQuick", to: "quick")],
    Subscription.collection: [RecordMigration("one-note", renaming: "notes", to: "note")],
  ])
}
