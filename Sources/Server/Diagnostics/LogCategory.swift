/// The subject of a log line.
package enum LogCategory: String, Sendable, CaseIterable {
  case session, store, settings, premiumCache, entitlement, onboarding, lock, reminders, timeZone, startup, backup, sync
  case network, `protocol`, diagnostics

  package init?(name: String) { self.init(rawValue: name) }

  package var name: String { rawValue }
}
