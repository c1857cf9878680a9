import DomainKit

/// What was last said of sync.
struct SyncAnnouncement {
  private let state: SyncState
  private let attention: [SyncAttention]
  private let errorID: EntityID?
  private let counts: [Int]
  /// When the last pass failed.
  let problemAt: Instant?

  init(_ status: SyncStatus, _ problemAt: Instant?) {
    (state, attention, errorID) = (status.state, status.attention, status.error?.id)
    counts = [status.pending, status.failed, status.waitingDeletions, status.conflicts]
    self.problemAt = problemAt
  }

  /// Whether it says the same state as another; before the first, sync was off.
  func isSame(as other: SyncAnnouncement?) -> Bool {
    guard let other else { return state == .off }
    return state == other.state && attention == other.attention && errorID == other.errorID && counts == other.counts
  }
}
