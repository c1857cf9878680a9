extension Log {
  /// The severities of log lines, most severe first. User data is written at `trace` only, and only to standard error.
  package enum Level: Int, Sendable, Comparable, CaseIterable {
    case error, warning, info, debug, trace

    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

    package init?(name: String) {
      guard let level = Level.allCases.first(where: { $0.name == name }) else { return nil }
      self = level
    }

    package var name: String {
      switch self {
      case .error: "error"
      case .warning: "warning"
      case .info: "info"
      case .debug: "debug"
      case .trace: "trace"
      }
    }
  }
}

/// The subject of a log line.
package enum LogCategory: String, Sendable, CaseIterable {
  case session, store, settings, premiumCache, entitlement, onboarding, lock, reminders, timeZone, startup, backup, sync
  case network, `protocol`, diagnostics
}
