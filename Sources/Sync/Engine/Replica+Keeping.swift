import CivilTime
import FileStore
import SyncRules

/// Which state stays after a backup was restored, or an import replaced everything.
package enum KeptState: Sendable {
  /// What the remote and this device hold is merged, as if the device had been away.
  case remote
  /// The records of this device, and no others.
  case local
}

extension Replica {
  /// Decides which state stays: the next pass carries it out. What waited to be sent, and deletions that waited for the
  /// user, are dropped, as the device starts over.
  package func resume(keeping side: KeptState) throws(StoreError) {
    guard var state = try state() else { return }
    state.startOver(stream: newStream(), leaves: true)
    (state.configuredAt, state.firstCounter, state.keepsLocal) = (nil, nil, side == .local)
    var kept = [keep(state)]
    if var profile = try profile() {
      (profile.isUndecided, profile.isPaused, profile.replacements) = (false, false, [])
      kept.append(keep(profile.json, SyncProfile.id))
    }
    let snapshot = try store.snapshot
    let dropped = [OutboxEntry.collection, HeldDeletion.collection].flatMap { collection in
      snapshot.records(in: collection).map { Operation.delete(collection, id: $0.id) }
    }
    try commit(kept + dropped, "sync/resume")
  }

  /// Makes what is here the state in force, against what all others say: a record that differs becomes an edit after
  /// it, and one that is not here is deleted after it.
  ///
  /// - Parameter state: Stored with it.
  func keepLocal(_ lines: [SyncLine], _ state: DeviceState) throws(StoreError) -> Applied {
    var present = SyncedState(try store.snapshot, collections)
    var operations: [Operation] = []
    for line in lines {
      guard let collection = collections(line.key.collection) else { continue }
      let (policy, old) = (collection.policy, present.record(line.key))
      let merged = old.map { policy.merged($0, line.record) } ?? line.record
      var new = merged
      if let old, !old.isDeleted {
        if policy.version(of: merged) != policy.version(of: old) {
          new = policy.reinstated(old, over: merged, at: now())
        }
      } else if !merged.isDeleted {
        new = policy.deleted(merged, at: now().following(merged.time))
      }
      if new != old { operations += storing(line.key, new, old, collection).operations }
    }
    try commit(operations + [keep(state)], "sync/now")
    return Applied()
  }
}
