import DomainKit
import SettingsDocument

/// The session's own handlers use entities through a context, as the services do.
extension Session {
  /// The context of a service for a request.
  func context(_ call: Call) -> Context {
    useStore(for: call.method)
    return Context(
      method: call.method, folder: folder, offers: services.offers, now: now(), days: days,
      selectedDay: client.selectedDay, locale: client.locale, hasPremiumAccess: hasPremiumAccess,
      transaction: call.transaction, turn: call.turn)
  }

  /// The context of the session's own handlers, for reads and for building operations.
  func ownContext() throws(RPCError) -> Context {
    _ = try revision()
    return context(Call(method: .serverInfo))
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
  /// The migrations of Daybook's stored forms. Each has a golden file; none is ever changed or removed.
  package static let daybook = RecordMigrations(
    [
      Steps(
        Settings.collection,
        RecordMigration("settings-of-all-domains") { SettingsMigration.toAllDomains($0) },
        RecordMigration("lock-after-in-milliseconds", renaming: "lockAfter", to: "lockAfterMs"))
    ] + Services.migrations)
}
