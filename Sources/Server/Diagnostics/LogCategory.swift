/// What a line of the log is about.
package enum LogCategory: String, Sendable, CaseIterable {
  case session, store, settings, premiumCache, entitlement, onboarding, lock, reminders, timeZone, startup, backup, sync
  case network, `protocol`, diagnostics

  /// The category of that name.
  package init?(name: String) { self.init(rawValue: name) }

  /// As it stands in a line.
  package var name: String { rawValue }
}
