import Premium

/// The lock of one connection: whether the user unlocked it, and how long the app has been away. Times are monotonic milliseconds.
struct LockRoom {
  /// Whether the user unlocked this connection.
  var isAuthenticated = false
  /// When the app went to the back; nil while it is in front, or never said.
  private var resignedAt: Int64?
  /// When this request came, and the one before it.
  private var lastRequestAt: Int64 = 0
  private var previousRequestAt: Int64 = 0

  /// Notes that a request has come.
  mutating func noteRequest(at now: Int64) { (previousRequestAt, lastRequestAt) = (lastRequestAt, now) }

  /// Notes that the app went to the back.
  mutating func resign(at now: Int64) { resignedAt = now }

  /// The app is back: locks again if the lock is enabled and it was away for longer than `lockAfter` milliseconds. Returns whether it
  /// has locked.
  mutating func comeBack(at now: Int64, isEnabled: Bool, lockAfter: Int64) -> Bool {
    // Without word of when it went away, it went with the last request.
    let left = resignedAt ?? previousRequestAt
    // Two requests in a row are no absence.
    let least: Int64 = resignedAt == nil ? 1000 : 0
    resignedAt = nil
    guard isAuthenticated, isEnabled,
      !LockRules.staysAuthenticated(wentAwayAt: left, cameBackAt: now, lockAfter: max(least, lockAfter))
    else { return false }
    isAuthenticated = false
    return true
  }
}
