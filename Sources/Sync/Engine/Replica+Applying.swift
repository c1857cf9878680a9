import CivilTime
import FileStore
import JSON
import SyncRules
import Values

extension Replica {
  /// What one stream says of a record, joined, and what its head has seen of the others.
  package struct Incoming: Sendable {
    package let line: SyncLine
    package let stream: String
    package let seen: [String: Int]
  }

  /// What applying changed.
  package struct Applied: Sendable, Equatable {
    package var changed = 0
    package var deleted = 0
    package var conflicts = 0
  }

  /// Merges incoming versions into the records here, in one transaction.
  ///
  /// - Parameter state: Stored with it.
  package func apply(_ incoming: [Incoming], _ state: DeviceState) throws(StoreError) -> Applied {
    var applied = Applied()
    var present = SyncedState(try store.snapshot, collections)
    // Several streams may say something of one record.
    var merged: [EntityKey: SyncedRecord] = [:]
    var entries: [EntityKey: OutboxEntry?] = [:]
    var before: [EntityKey: SyncedRecord?] = [:]
    var operations: [Operation] = []
    for one in incoming {
      let key = one.line.key
      guard let collection = collections(key.collection) else { continue }
      if before[key] == nil {
        before[key] = .some(present.record(key))
        entries[key] = .some(try entry(key))
      }
      let (local, entry) = (merged[key] ?? before[key] ?? nil, entries[key] ?? nil)
      let policy = collection.policy
      let new = local.map { policy.merged($0, one.line.record) } ?? policy.merged(one.line.record, one.line.record)
      if let local {
        let isConflict = ConflictRule(collection: collection).isConflict(
          local, one.line.record, entry, isSaidFirst: isSaidFirst(key, state, one.seen), seen: one.seen)
        if isConflict {
          let wins = policy.version(of: local) >= policy.version(of: one.line.record)
          let conflict = SyncConflict(
            key: key, current: wins ? local : one.line.record, other: wins ? one.line.record : local,
            stream: one.stream, at: now())
          operations.append(.keep(conflict.json, conflict.id, in: SyncConflict.collection, at: now()))
          applied.conflicts += 1
        }
      }
      merged[key] = new
      if policy.version(of: new) == policy.version(of: one.line.record) {
        // Nothing is left to be said of it.
        entries[key] = .some(nil)
      } else if entry == nil, state.everything != nil {
        // A record that comes to life or is deleted now may slip through what is being said.
        let row = OutboxRow(base: policy.version(of: new), position: (try store.revision + 1) << 20 + operations.count)
        entries[key] = OutboxEntry(key, row)
      }
    }
    for (key, new) in merged.sorted(by: { $0.key < $1.key }) {
      guard let collection = collections(key.collection) else { continue }
      switch (try entry(key), entries[key] ?? nil) {
      case (_?, nil): operations.append(.delete(OutboxEntry.collection, id: key.bookkeepingID))
      case (nil, let entry?): operations.append(.keep(entry, at: now()))
      default: break
      }
      let old = before[key] ?? nil
      if let old, collection.policy.version(of: old) == collection.policy.version(of: new),
        old.createdAt == new.createdAt
      {
        continue
      }
      operations += storing(key, new, old, collection)
      applied.changed += 1
      if new.isDeleted, old?.isDeleted == false { applied.deleted += 1 }
    }
    try commit(operations + [keep(state)], "sync/now")
    return applied
  }

  /// The operations that make a version the one in force.
  func storing(
    _ key: EntityKey, _ new: SyncedRecord, _ old: SyncedRecord?, _ collection: SyncedCollection
  ) -> [Operation] {
    var operations: [Operation] = []
    if new.isDeleted {
      if old?.isDeleted == false { operations.append(.delete(key.collection, id: key.id)) }
    } else if var body = new.body, let createdAt = new.createdAt, let updatedAt = new.updatedAt {
      if !collection.localMembers.isEmpty {
        let present = try? store.snapshot.record(key.id, in: key.collection)?.object
        for name in collection.localMembers.sorted() { body[name] = present?[name] }
      }
      operations.append(
        .put(
          key.collection, id: key.id, day: new.day, schema: new.schema, createdAt: createdAt, updatedAt: updatedAt,
          body: JSONValue.object(body).json))
    }
    if new.isDeleted || new.notes != nil || old?.isDeleted == true {
      operations.append(.bookkeeping(key, new, at: now()))
    }
    return operations
  }

  /// Whether the record was said when the remote was configured, and a sender may not have seen that.
  private func isSaidFirst(_ key: EntityKey, _ state: DeviceState, _ seen: [String: Int]) -> Bool {
    guard let revision = state.configuredAt, let stored = try? store.snapshot.record(key.id, in: key.collection),
      stored.revision <= revision
    else { return false }
    return state.firstCounter.map { seen[state.stream] ?? 0 < $0 } ?? true
  }
}
