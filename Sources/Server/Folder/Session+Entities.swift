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
      method: call.method, folder: folder, offers: services.offers, now: now(), days: days,
      selectedDay: client.selectedDay, locale: client.locale, hasPremiumAccess: hasPremiumAccess,
      transaction: call.transaction)
  }

  /// The same for the session's own handlers, to read or to make an operation by.
  func ownContext() throws(RPCError) -> Context {
    _ = try revision()
    return context(Call(method: .serverInfo))
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

}

extension RecordMigrations {
  /// The steps that Daybook's stored forms have taken. Each has a golden file; none is ever changed or removed.
  package static let daybook = RecordMigrations(
    Steps(
      Settings.collection,
      RecordMigration("settings-of-all-domains") { SettingsMigration.toAllDomains($0) },
      RecordMigration("lock-after-in-milliseconds", renaming: "lockAfter", to: "lockAfterMs")),
    Steps(Meal.collection, RecordMigration("quick-as-an-adjective", renaming: "isQuick", to: "quick")),
    Steps(Subscription.collection, RecordMigration("one-note", renaming: "notes", to: "note")),
    // Who does not know of the modules beside it must not write a session without them.
    Steps(RunningSession.collection, RecordMigration("modules-beside-it") { $0 }))
}
