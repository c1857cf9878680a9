/// The lifecycle state of a connection.
package enum Lifecycle: Sendable, Equatable {
  /// Only `initialize` and a few other requests are answered.
  case awaitingInitialize
  /// `initialize` was answered; all requests are served. Events start after `initialized`.
  case running(hasConfirmed: Bool)
  /// `shutdown` was answered; only `exit` is allowed.
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

  /// Whether a request is served in this state; the arguments describe its method.
  package func admits(isInitialize: Bool, isAlwaysAnswered: Bool) -> Admission {
    switch self {
    case .awaitingInitialize: isInitialize || isAlwaysAnswered ? .served : .notInitialized
    case .running: isInitialize ? .initializedTwice : .served
    case .shutDown: .afterShutdown
    }
  }

  /// The exit status by the protocol: 0 after `shutdown`, else 1.
  package var exitStatus: Int32 { self == .shutDown ? 0 : 1 }
}
