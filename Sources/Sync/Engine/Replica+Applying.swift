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

  /// A record while what several streams say of it is merged.
  private struct Merging {
    /// As it was, nil if there was none.
    let before: SyncedRecord?
    let row: OutboxEntry?
    var now: SyncedRecord?
    /// The row that it needs then.
    var needs: OutboxEntry?
  }

  /// Merges incoming versions into the records here, in one transaction.
  ///
  /// - Parameter state: Stored with it.
  package func apply(_ incoming: [Incoming], _ state: DeviceState) throws(StoreError) -> Applied {
    var applied = Applied()
    var present = SyncedState(try store.snapshot, collections)
    let position = (try store.revision + 1) << 20
    var records: [EntityKey: Merging] = [:]
    var operations: [Operation] = []
    let rows = try entries(of: incoming.lazy.map(\.line.key))
    for one in incoming {
      let (key, line) = (one.line.key, one.line.record)
      guard let collection = collections(key.collection) else { continue }
      let policy = collection.policy
      var record: Merging
      if let known = records[key] {
        record = known
      } else {
        let (stored, row) = (present.record(key), rows[key])
        record = Merging(before: stored, row: row, now: stored, needs: row)
      }
      let merged = policy.merged(record.now ?? line, line)
      if let local = record.now {
        let isConflict = ConflictRule(collection: collection).isConflict(
          local, line, record.needs, isSaidFirst: isSaidFirst(key, state, one.seen), seen: one.seen)
        if isConflict {
          let lost = policy.version(of: local) < policy.version(of: line) ? local : line
          let conflict = VersionConflict(key: key, current: merged, other: lost, stream: one.stream, at: now())
          operations.append(.keep(conflict.json, conflict.id, in: VersionConflict.collection, at: now()))
          applied.conflicts += 1
        }
      }
      record.now = merged
      if policy.version(of: merged) == policy.version(of: line) {
        // Nothing is left to be said of it.
        record.needs = nil
      } else if record.needs == nil, state.everything != nil {
        // A record that comes to life or is deleted now may slip through what is being said.
        let row = OutboxRow(base: policy.version(of: merged), position: position + records.count)
        record.needs = OutboxEntry(key, row)
      }
      records[key] = record
    }
    for (key, record) in records.sorted(by: { $0.key < $1.key }) {
      guard let collection = collections(key.collection), let now = record.now else { continue }
      if let needed = record.needs {
        if record.row == nil { operations.append(.keep(needed, at: self.now())) }
      } else if record.row != nil {
        operations.append(.delete(OutboxEntry.collection, id: key.bookkeepingID))
      }
      let before = record.before
      let isSame = before.map { collection.policy.version(of: $0) } == collection.policy.version(of: now)
      guard !isSame || before?.createdAt != now.createdAt else { continue }
      operations += storing(key, now, before, collection)
      applied.changed += 1
      if now.isDeleted, before?.isDeleted == false { applied.deleted += 1 }
    }
    try commit(operations + [keep(state)], "sync/now")
    return applied
  }

  /// The operations that make a version the one in force.
  func storing(
    _ key: EntityKey, _ new: SyncedRecord, _ old: SyncedRecord?, _ collection: SyncedCollection
  ) -> [Operation] {
    var operations: [Operation] = []
    if let record = new.isDeleted ? remainder(of: old, deletedAt: new.time, collection) : new {
      if var body = record.body, let createdAt = record.createdAt, let updatedAt = record.updatedAt {
        if !collection.localMembers.isEmpty {
          let present = try? store.snapshot.record(key.id, in: key.collection)?.object
          for member in collection.localDefaults.members { body[member.name] = present?[member.name] ?? member.value }
        }
        operations.append(
          .put(
            key.collection, id: key.id, day: record.day, schema: record.schema, createdAt: createdAt,
            updatedAt: updatedAt, body: JSONValue.object(body).json))
      }
    } else if old?.isDeleted == false {
      operations.append(.delete(key.collection, id: key.id))
    }
    if new.isDeleted || new.notes != nil || old?.isDeleted == true {
      operations.append(.bookkeeping(key, new, at: now()))
    }
    return operations
  }

  /// What is left of a living record that is deleted elsewhere: one with members that stay on this device goes back to
  /// its defaults, as these members are nobody else's to delete. Nil for any other.
  private func remainder(
    of old: SyncedRecord?, deletedAt time: Instant, _ collection: SyncedCollection
  ) -> SyncedRecord? {
    guard let old, !old.isDeleted, !collection.localMembers.isEmpty, case .byMember(let defaults, _) = collection.policy
    else { return nil }
    return SyncedRecord(defaults, createdAt: old.createdAt ?? time, updatedAt: time)
  }

  /// Whether the record was said when the remote was configured, and a sender may not have seen that.
  private func isSaidFirst(_ key: EntityKey, _ state: DeviceState, _ seen: [String: Int]) -> Bool {
    guard let revision = state.configuredAt, let stored = try? store.snapshot.record(key.id, in: key.collection),
      stored.revision <= revision
    else { return false }
    return state.firstCounter.map { seen[state.stream] ?? 0 < $0 } ?? true
  }
}
