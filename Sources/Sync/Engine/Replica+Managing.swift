import CivilTime
import FileStore
import SyncRules
import Values

/// What the user decides, and how passes went.
extension Replica {
  /// Changes the profile; without one it does nothing.
  package func update(_ label: String, _ change: (inout SyncProfile) -> Void) throws(StoreError) {
    guard var profile = SyncProfile(try store.snapshot) else { return }
    let before = profile
    change(&profile)
    if profile != before { try commit([keep(profile.json, SyncProfile.id)], label) }
  }

  /// Changes the report.
  package func report(_ change: (inout SyncReport) -> Void) throws(StoreError) {
    var report = SyncReport(try store.snapshot)
    change(&report)
    let operations = [keep(report.json, SyncReport.id)] + (try outdatedConflicts())
    try commit(operations, "sync/now")
  }

  /// Has a device no longer count, as far as it was heard.
  package func remove(_ device: SyncReport.Device) throws(StoreError) {
    guard var state = try state() else { return }
    state.marks[device.stream] = max(device.counter, state.marks[device.stream] ?? 0)
    try save(state, "sync/removeDevice")
    try report { report in
      for index in report.devices.indices where report.devices[index].stream == device.stream {
        report.devices[index].isRemoved = true
      }
    }
  }

  /// Deletes some records, as the user's change; false if there were none.
  package func deleteNext() throws(StoreError) -> Bool {
    let snapshot = try store.snapshot
    var operations: [Operation] = []
    for collection in snapshot.collections
    where collections(collection) != nil || MirroredRecords.priorities[collection] != nil {
      snapshot.forEachRecord(in: collection) { stored in
        operations.append(.delete(collection, id: stored.id))
        return operations.count < limits.stepLength
      }
      if operations.count == limits.stepLength { break }
    }
    if operations.isEmpty {
      snapshot.forEachRecord(in: SyncedState.collection) { stored in
        if let key = SyncLine(unread: stored)?.key { operations.append(.delete(key.collection, id: key.id)) }
        return operations.count < limits.stepLength
      }
    }
    guard !operations.isEmpty else { return false }
    _ = try store.commit(
      Transaction(id: newID(), at: now(), author: "account", label: "account/delete", operations: operations))
    try store.settle()
    return true
  }

  /// Gives up sending rows: the records are unsent until their next edit, with which they are sent.
  package func discard(_ keys: Set<EntityKey>) throws(StoreError) {
    var operations: [Operation] = []
    for var entry in try entries(of: keys).values.sorted(by: { $0.key < $1.key }) where entry.isPending {
      entry.isDiscarded = true
      entry.row.retry()
      operations.append(.keep(entry, at: now()))
    }
    try commit(operations, "sync/discard")
  }

  /// Decides a conflict.
  ///
  /// - Parameter other: Whether the version that is not in force becomes a new edit, or deletion.
  /// - Returns: The decided conflict.
  package func resolve(_ conflict: VersionConflict, other: Bool) throws(StoreError) -> VersionConflict {
    var resolved = conflict
    resolved.isResolved = true
    var operations: [Operation] = [.keep(resolved.json, conflict.id, in: VersionConflict.collection, at: now())]
    if other, let collection = collections(conflict.key.collection) {
      let (policy, key) = (collection.policy, conflict.key)
      let present = try record(key)
      let time = present.map { now().following($0.time) } ?? now()
      var new = conflict.other
      if conflict.other.isDeleted {
        if let present, !present.isDeleted { new = policy.deleted(present, at: time) }
      } else {
        new = policy.edited(present, to: conflict.other.edited(at: time))
      }
      if let entry = try row(of: key, replacing: present) { operations.append(.keep(entry, at: now())) }
      operations += storing(key, new, present, collection).operations
    }
    try commit(operations, "sync/resolve")
    return resolved
  }

  /// The row that an edit needs; nil if there is one that is not sent, or no remote.
  private func row(of key: EntityKey, replacing previous: SyncedRecord?) throws(StoreError) -> OutboxEntry? {
    let known = try entry(key)
    guard try state() != nil, known?.isPending != true else { return nil }
    if var known, known.isDiscarded {
      known.isDiscarded = false
      return known
    }
    let base = previous.flatMap { record in collections(key.collection)?.policy.version(of: record) }
    return OutboxEntry(key, OutboxRow(base: base, position: (try store.revision + 1) << 20))
  }

  /// The deletion of conflicts that are too old or too many.
  private func outdatedConflicts() throws(StoreError) -> [Operation] {
    let oldest = now().advanced(by: -Int64(VersionConflict.maximumAge) * 86_400_000)
    let conflicts = VersionConflict.all(try store.snapshot)
    return conflicts.enumerated().filter { $0.offset >= VersionConflict.maximumCount || $0.element.at < oldest }.map {
      .delete(VersionConflict.collection, id: $0.element.id)
    }
  }
}

// What is remembered, as a snapshot has it.

extension SyncProfile {
  /// The profile; nil without a remote.
  package init?(_ snapshot: Snapshot) {
    guard let object = snapshot.record(SyncProfile.id, in: DeviceState.collection)?.object else { return nil }
    self.init(object)
  }
}

extension SyncReport {
  /// The report; an empty one before the first pass.
  package init(_ snapshot: Snapshot) {
    self = snapshot.record(SyncReport.id, in: DeviceState.collection)?.object.map { SyncReport($0) } ?? SyncReport()
  }
}

extension OutboxEntry {
  /// The rows that are not sent, in no order.
  package static func pending(_ snapshot: Snapshot) -> [OutboxEntry] {
    var rows: [OutboxEntry] = []
    snapshot.forEachRecord(in: collection) { stored in
      if let entry = (copy stored).object.flatMap({ OutboxEntry($0) }), entry.isPending { rows.append(entry) }
      return true
    }
    return rows
  }

  /// Whether a row stands for everything.
  package static func hasEverything(_ snapshot: Snapshot) -> Bool {
    snapshot.record(everything, in: collection) != nil
  }
}

extension DeviceState {
  /// The state; nil without a remote.
  package init?(_ snapshot: Snapshot) {
    guard let object = snapshot.record(DeviceState.id, in: DeviceState.collection)?.object else { return nil }
    self.init(object)
  }
}

extension VersionConflict {
  /// All conflicts, newest first.
  package static func all(_ snapshot: Snapshot) -> [VersionConflict] {
    snapshot.records(in: collection).compactMap { $0.object.flatMap { VersionConflict($0) } }.sorted {
      ($1.at, $1.id) < ($0.at, $0.id)
    }
  }

  /// The conflict with an id.
  package static func with(_ id: EntityID, in snapshot: Snapshot) -> VersionConflict? {
    snapshot.record(id, in: collection)?.object.flatMap { VersionConflict($0) }
  }
}

extension Replica {
  /// How many deletions wait.
  package static func heldDeletions(in snapshot: Snapshot) -> Int { snapshot.count(in: HeldDeletion.collection) }

  /// With whom this device syncs; nil without a remote.
  package func profile() throws(StoreError) -> SyncProfile? { SyncProfile(try store.snapshot) }

  /// Why the last pass failed; nil after a success.
  package func lastProblem() throws(StoreError) -> SyncReport.Problem? { SyncReport(try store.snapshot).problem }

  /// Everything stored at present.
  package func snapshot() throws(StoreError) -> Snapshot { try store.snapshot }

  /// Runs a step while no other process writes, after reading what others have written.
  package func locked<Value>(_ step: (Replica) throws(StoreError) -> Value) throws(StoreError) -> Value {
    try store.waitToWrite()
    defer { store.endWriting() }
    return try step(self)
  }
}

/// A row of the outbox, as people see it.
package struct OutboxItem: Sendable {
  package let entry: OutboxEntry
  /// Whether the record is deleted.
  package let isDeletion: Bool
  /// 0 for deletions, else that of the collection.
  package let priority: Int

  package var id: EntityID { entry.key.bookkeepingID }

  /// The rows that are not sent, in the order in which they will be.
  package static func pending(_ snapshot: Snapshot, _ collections: SyncedCollections) -> [OutboxItem] {
    let rows = OutboxEntry.pending(snapshot)
    var alive: Set<EntityKey> = []
    for (collection, rows) in Dictionary(grouping: rows, by: \.key.collection) {
      snapshot.forEachRecord(withIDs: rows.map(\.key.id), in: collection) {
        alive.insert(EntityKey(collection, $0.id))
      }
    }
    let items = rows.map { entry in
      let isDeletion = !alive.contains(entry.key)
      let declared = MirroredRecords.priorities[entry.key.collection] ?? collections(entry.key.collection)?.priority
      let priority = isDeletion ? 0 : declared ?? 9
      return OutboxItem(entry: entry, isDeletion: isDeletion, priority: priority)
    }
    return items.sorted { ($0.priority, $0.entry.row.position) < ($1.priority, $1.entry.row.position) }
  }
}
