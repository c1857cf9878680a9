extension Log {
  /// From the gravest on. What is the user's is written out at `trace` only, and only on standard error.
  package enum Level: Int, Sendable, Comparable, CaseIterable {
    case error, warning, info, debug, trace

    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

    /// The level of that name.
    package init?(name: String) {
      guard let level = Level.allCases.first(where: { $0.name == name }) else { return nil }
      self = level
    }

    /// As it stands in a line.
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
