import DomainKit
import SyncEngine
import SyncRules

/// What passes depend on besides the data folder.
struct SyncConditions: Sendable {
  let hasPremium: Bool
  /// Whether this process may sync: premium as it was at its start.
  let maySync: Bool
  var isRunning: Bool
  let isOffline: Bool

  init(_ standing: Standing, isRunning: Bool, isOffline: Bool) {
    (hasPremium, maySync) = (standing.hasPremium, standing.hadPremiumAtStart)
    (self.isRunning, self.isOffline) = (isRunning, isOffline)
  }

  /// What is missing.
  func needs(_ profile: SyncProfile?) -> [SyncNeed] {
    var needs: [SyncNeed] = []
    if profile == nil { needs.append(.remote) }
    if !hasPremium { needs.append(.premium) } else if !maySync { needs.append(.restart) }
    return needs
  }
}

extension SyncStatus {
  /// How sync stands in a snapshot; nil for a folder without a store.
  ///
  /// - Parameter counts: Counts the rows, if there is a remote.
  init(
    _ snapshot: Snapshot?, _ conditions: SyncConditions, counts: (Snapshot) -> OutboxCounts = { OutboxCounts($0) }
  ) {
    let profile = snapshot.flatMap { SyncProfile($0) }
    let needs = conditions.needs(profile)
    guard let snapshot, let profile, let state = DeviceState(snapshot) else {
      self.init(
        state: .off, needs: needs, attention: [], pending: 0, failed: 0, waitingDeletions: 0,
        conflicts: snapshot.map { VersionConflict.unresolvedCount($0) } ?? 0)
      return
    }
    let report = SyncReport(snapshot)
    let rows = counts(snapshot)
    let failed = rows.failed
    let saysEverything = state.everything != nil || OutboxEntry.hasEverything(snapshot)
    let pending = rows.pending + (saysEverything ? 1 : 0)
    let held = Replica.heldDeletions(in: snapshot)
    var attention: [SyncAttention] = []
    if profile.isUndecided { attention.append(.keep) }
    if held > 0 { attention.append(.deletions) }
    if failed > 0 { attention.append(.failedItems) }
    let problem = report.problem.flatMap { $0.isDismissed ? nil : $0 }
    self.init(
      state: .idle, needs: needs, attention: attention, remote: SyncRemote(kind: .folder, path: profile.path),
      device: SyncDevice(
        id: state.stream, name: profile.deviceName, version: ServiceOptions.version, at: state.head?.at, own: true,
        removed: false),
      lastSyncAt: report.lastSyncAt, pending: pending, failed: failed, waitingDeletions: held,
      conflicts: VersionConflict.unresolvedCount(snapshot), error: problem?.wire)
    self.state =
      if !needs.isEmpty { .off } else if conditions.isRunning { .syncing } else if profile.isPaused {
        .paused
      } else if !attention.isEmpty { .needsAttention } else if conditions.isOffline { .offline } else if problem != nil
      { .error } else if report.isSynced, pending + rows.discarded == 0 { .synced } else { .idle }
  }

}

extension VersionConflict {
  fileprivate static func unresolvedCount(_ snapshot: Snapshot) -> Int {
    snapshot.count(in: collection) == 0 ? 0 : all(snapshot).count { !$0.isResolved }
  }
}
