import CivilTime
import FileStore
import JSON
import SyncRules
import Values

/// Deletions that wait for the user, as internal records: the pull that brought them would have deleted many. Each is
/// kept with the id of the record's bookkeeping.
enum HeldDeletion {
  static let collection = CollectionName("sync-held")
}

extension Replica {
  /// Which records a pull would delete here, if the user has to be asked about them; otherwise none.
  ///
  /// - Parameter said: What all streams together say of each record.
  func deletionsToHold(_ said: [SyncLine]) throws(StoreError) -> Set<EntityKey> {
    let snapshot = try store.snapshot
    var present = SyncedState(snapshot, collections)
    var deleted: Set<EntityKey> = []
    for line in said where line.record.isDeleted {
      guard let policy = collections(line.key.collection)?.policy, let record = present.record(line.key) else {
        continue
      }
      if !record.isDeleted, policy.merged(record, line.record).isDeleted { deleted.insert(line.key) }
    }
    let living = snapshot.collections.filter { collections($0) != nil }.reduce(0) { $0 + snapshot.count(in: $1) }
    return DeletionFailsafe.asks(removed: deleted.count, of: living) ? deleted : []
  }

  /// Keeps deletions until the user has decided.
  func hold(_ lines: [SyncLine]) throws(StoreError) {
    var waiting = try held().reduce(into: [:]) { $0[$1.key] = $1.record }
    for line in lines {
      guard let policy = collections(line.key.collection)?.policy else { continue }
      waiting[line.key] = waiting[line.key].map { policy.merged($0, line.record) } ?? line.record
    }
    let keys = Set(lines.map(\.key)).sorted()
    try commit(
      keys.compactMap { key in
        waiting[key].map {
          .keep(SyncLine(key, $0).json, key.bookkeepingID, in: HeldDeletion.collection, at: now())
        }
      }, "sync/now")
  }

  /// The deletions that wait.
  package func held() throws(StoreError) -> [SyncLine] {
    try store.snapshot.records(in: HeldDeletion.collection).compactMap { $0.object.flatMap { SyncLine($0) } }
  }

  /// Applies the waiting deletions, or answers each with an edit of the record as it is here.
  package func confirm(restoring: Bool) throws(StoreError) {
    let lines = try held().sorted { $0.key < $1.key }
    var rest = lines[...]
    while !rest.isEmpty {
      let part = Array(rest.prefix(limits.stepLength))
      rest = rest.dropFirst(part.count)
      try confirm(part, restoring: restoring)
    }
  }

  private func confirm(_ lines: [SyncLine], restoring: Bool) throws(StoreError) {
    var present = SyncedState(try store.snapshot, collections)
    var operations: [Operation] = []
    let position = (try store.revision + 1) << 20
    for line in lines {
      operations.append(.delete(HeldDeletion.collection, id: line.key.bookkeepingID))
      guard let collection = collections(line.key.collection) else { continue }
      let old = present.record(line.key)
      var new = old.map { collection.policy.merged($0, line.record) } ?? line.record
      if restoring, let old, !old.isDeleted, new.isDeleted {
        let base = collection.policy.version(of: new)
        new = collection.policy.reinstated(old, over: new, at: now())
        let row = OutboxRow(base: base, position: position + operations.count)
        operations.append(.keep(OutboxEntry(line.key, row), at: now()))
      }
      operations += storing(line.key, new, old, collection).operations
    }
    try commit(operations, "sync/confirm")
  }
}

extension MergePolicy {
  /// A record as it is here as an edit after what it was merged to.
  func reinstated(_ local: SyncedRecord, over merged: SyncedRecord, at now: Instant) -> SyncedRecord {
    edited(merged, to: local.edited(at: now.following(merged.time)))
  }
}

extension SyncedRecord {
  /// The same content as a new edit. The parts that changed last with the record change with it again.
  func edited(at time: Instant) -> SyncedRecord {
    var record = self
    (record.updatedAt, record.deletedAt) = (time, nil)
    guard var body = record.body else { return record }
    let (name, new, old) = ("updatedAt", JSONValue.string("\(time)"), updatedAt.map { JSONValue.string("\($0)") })
    if body[name] != nil { body[name] = new }
    for member in body.members {
      guard case .array(let elements) = member.value else { continue }
      let stamped = elements.map { element in
        guard case .object(var part) = element, part[name] == old, old != nil else { return element }
        part[name] = new
        return .object(part)
      }
      if stamped != elements { body[member.name] = .array(stamped) }
    }
    record.body = body
    return record
  }
}
