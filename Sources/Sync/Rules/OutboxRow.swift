import CivilTime

/// What is known of a change that this device has to send, or has sent and some device has not seen yet. The record
/// itself is the payload.
package struct OutboxRow: Hashable, Sendable {
  /// The greatest number of attempts to send a row; then it needs the user.
  package static let maximumAttempts = 5

  /// The version that the first unsent edit replaced; nil for a new record.
  package var base: SyncVersion?
  /// The position in the order of changes on this device.
  package var position: Int
  /// The failed attempts in a row, 0…5.
  package var retryCount = 0
  package var lastAttemptAt: Instant?
  /// Why the last attempt failed.
  package var lastError: String?

  package init(base: SyncVersion?, position: Int) {
    self.base = base
    self.position = position
  }

  /// Whether only the user can have it sent.
  package var needsManualIntervention: Bool { retryCount >= OutboxRow.maximumAttempts }

  /// Whether a pass sends it: one that the user's own actions set off leaves rows alone that have failed.
  package func isDue(in trigger: PassTrigger) -> Bool {
    !needsManualIntervention && (retryCount == 0 || trigger.repeatsFailedRows)
  }

  /// Notes an attempt that failed: a batch with the row was handed to the remote, or the head after it.
  package mutating func failed(_ error: String, at time: Instant) {
    retryCount = min(retryCount + 1, OutboxRow.maximumAttempts)
    lastAttemptAt = time
    lastError = error
  }

  /// Starts over, as the user wishes.
  package mutating func retry() { retryCount = 0 }

  /// Whether a row is sent before another: deletions first, then by the priority of the collection (1…9), then in the
  /// order of the changes.
  package static func isSent(
    _ left: (isDeletion: Bool, priority: Int, position: Int),
    before right: (isDeletion: Bool, priority: Int, position: Int)
  ) -> Bool {
    (left.isDeletion ? 0 : left.priority, left.position) < (right.isDeletion ? 0 : right.priority, right.position)
  }
}

/// What sets off a pass.
package enum PassTrigger: Sendable, CaseIterable {
  /// The 300 seconds are over.
  case tick
  /// The network is back.
  case reconnect
  /// The user, or a script, asks for one.
  case hand
  /// Something was written here, or in the remote's folder.
  case write
  /// The frontend became active.
  case active
  /// The frontend has started.
  case start

  /// Whether it sends rows again that have failed before. The others happen so often that five attempts would be over
  /// within a minute.
  package var repeatsFailedRows: Bool {
    switch self {
    case .tick, .reconnect, .hand: true
    case .write, .active, .start: false
    }
  }
}
