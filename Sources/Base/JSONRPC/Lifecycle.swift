/// Where a connection stands between its first and its last message.
package enum Lifecycle: Sendable, Equatable {
  /// Nothing but `initialize` and a few questions are answered.
  case awaitingInitialize
  /// `initialize` was answered; everything is served. Events flow from `initialized` on.
  case running(hasConfirmed: Bool)
  /// `shutdown` was answered; only `exit` may follow.
  case shutDown

  /// What to do with a request.
  package enum Admission: Sendable, Equatable {
    case served
    /// −32002.
    case notInitialized
    /// −32600: `initialize` came again.
    case initializedTwice
    /// −32600: after `shutdown`.
    case afterShutdown
  }

  /// Whether a request is served now. `isInitialize` and `isAlwaysAnswered` tell of its method.
  package func admits(isInitialize: Bool, isAlwaysAnswered: Bool) -> Admission {
    switch self {
    case .awaitingInitialize: isInitialize || isAlwaysAnswered ? .served : .notInitialized
    case .running: isInitialize ? .initializedTwice : .served
    case .shutDown: .afterShutdown
    }
  }

  /// The exit status of the protocol: 0 when `shutdown` came before the end.
  package var exitStatus: Int32 { self == .shutDown ? 0 : 1 }
}
