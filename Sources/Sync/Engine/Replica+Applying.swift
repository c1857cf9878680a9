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
    var unread: [CollectionName: Int] = [:]
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
      let stored = storing(key, now, before, collection)
      operations += stored.operations
      if stored.understanding != .whole { unread[key.collection, default: 0] += 1 }
      applied.changed += 1
      if now.isDeleted, before?.isDeleted == false { applied.deleted += 1 }
    }
    if !unread.isEmpty {
      var report = SyncReport(try store.snapshot)
      report.note(unread: unread, at: now(), newID: newID)
      operations.append(keep(report.json, SyncReport.id))
    }
    try commit(operations + [keep(state)], "sync/now")
    return applied
  }

  /// The operations that make a version the one in force, and how much of it is understood here. A record that cannot
  /// be read is kept beside its collection, so that no reader meets it; it travels on as it was received.
  func storing(
    _ key: EntityKey, _ new: SyncedRecord, _ old: SyncedRecord?, _ collection: SyncedCollection
  ) -> (operations: [Operation], understanding: Understanding) {
    var operations: [Operation] = []
    var understanding = Understanding.whole
    let isAlive = old?.isDeleted == false
    if let record = new.isDeleted ? remainder(of: old, deletedAt: new.time, collection) : new {
      if var body = record.body, let createdAt = record.createdAt, let updatedAt = record.updatedAt {
        if !collection.localMembers.isEmpty {
          let present = try? store.snapshot.record(key.id, in: key.collection)?.object
          for member in collection.localDefaults.members { body[member.name] = present?[member.name] ?? member.value }
        }
        let text = JSONValue.object(body).json
        understanding = collection.understanding(text, record.schema, key.collection)
        if understanding != .none {
          operations.append(
            .put(
              key.collection, id: key.id, day: record.day, schema: record.schema, createdAt: createdAt,
              updatedAt: updatedAt, body: text))
        } else if isAlive {
          operations.append(.delete(key.collection, id: key.id))
        }
      }
    } else if isAlive {
      operations.append(.delete(key.collection, id: key.id))
    }
    let isAside = understanding == .none
    if isAside || new.isDeleted || new.notes != nil || old?.isDeleted == true || isAlive && isKept(key) {
      operations.append(.bookkeeping(key, new, isAside: isAside, at: now()))
    }
    return (operations, understanding)
  }

  /// Whether something is kept about a record beside it.
  private func isKept(_ key: EntityKey) -> Bool {
    (try? store.snapshot.record(key.bookkeepingID, in: SyncedState.collection)) != nil
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

extension Replica.Applied {
  static func += (left: inout Replica.Applied, right: Replica.Applied) {
    left.changed += right.changed
    left.deleted += right.deleted
    left.conflicts += right.conflicts
  }
}
