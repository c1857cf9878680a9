/// Something that goes wrong between the runner and the process.
package enum WireError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The command cannot be started.
  case unstartable(String)
  /// Nothing happened until the hang guard.
  case hang(String, Duration)
  /// Standard output holds what is no message.
  case noMessage(String)
  /// A message may not be sent, or not now.
  case unlawful(String)
  /// A call of the system failed, or the process ended as it should not.
  case system(String)

  /// One line.
  package var description: String {
    switch self {
    case .unstartable(let reason): "cannot be started: \(reason)"
    case .hang(let what, let limit): "hangs: waited \(limit) for \(what)"
    case .noMessage(let reason): "standard output holds what is no message: \(reason)"
    case .unlawful(let reason), .system(let reason): reason
    }
  }
}
