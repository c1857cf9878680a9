import CivilTime
import FileStore
import JSON
import SyncRules
import Values

/// A device's side of a pass: reads and changes its store, a small step at a time. Each step is one transaction.
package struct Replica {
  let store: FileStore
  let collections: SyncedCollections
  /// Makes ids of transactions and names of streams.
  let newID: @Sendable () -> EntityID
  let now: @Sendable () -> Instant
  let limits: SyncLimits

  package init(
    _ store: FileStore, _ collections: @escaping SyncedCollections, newID: @escaping @Sendable () -> EntityID,
    now: @escaping @Sendable () -> Instant, limits: SyncLimits = SyncLimits()
  ) {
    self.limits = limits
    self.store = store
    self.collections = collections
    self.newID = newID
    self.now = now
  }

  /// What is remembered; nil without a remote.
  package func state() throws(StoreError) -> DeviceState? {
    try store.snapshot.record(DeviceState.id, in: DeviceState.collection)?.object.flatMap { DeviceState($0) }
  }

  /// What is remembered, for a pass that begins: if there is a row for everything, all is to be said.
  ///
  /// - Parameter version: That of the program. One that did not run a pass before looks at the records that the last one
  ///   could not read.
  func begin(_ version: String) throws(StoreError) -> DeviceState? {
    guard var state = try state() else { return nil }
    let isUpdated = state.version != version
    var operations: [Operation] = isUpdated ? try adopted() : []
    state.version = version
    if try store.snapshot.record(OutboxEntry.everything, in: OutboxEntry.collection) != nil {
      state.sayEverything(configuredAt: try store.revision)
      operations.append(.delete(OutboxEntry.collection, id: OutboxEntry.everything))
    } else if !isUpdated {
      return state
    }
    try commit(operations + [keep(state)], "sync/now")
    return state
  }

  /// The operations that take records into their collections which an earlier version could not read.
  private func adopted() throws(StoreError) -> [Operation] {
    var operations: [Operation] = []
    try store.snapshot.forEachRecord(in: SyncedState.collection) { stored in
      guard let line = SyncLine(unread: stored), let collection = collections(line.key.collection) else { return true }
      let stored = storing(line.key, line.record, line.record, collection)
      if stored.understanding != .none { operations += stored.operations }
      return true
    }
    return operations
  }

  /// A new name of a stream.
  package func newStream() -> String { String("\(newID())".filter { $0 != "-" }) }

  /// Begins to take part: everything is to be said.
  package func configure(_ profile: SyncProfile? = nil) throws(StoreError) {
    var state = DeviceState(stream: newStream())
    state.sayEverything(configuredAt: try store.revision)
    try commit([keep(state)] + (profile.map { [keep($0.json, SyncProfile.id)] } ?? []), "sync/configure")
  }

  /// Forgets the remote: the state, all rows, and deletions that wait. Conflicts stay.
  package func forget() throws(StoreError) {
    let snapshot = try store.snapshot
    let rows = [OutboxEntry.collection, MirroredRecords.collection].flatMap { collection in
      snapshot.records(in: collection).map { Operation.delete(collection, id: $0.id) }
    }
    let held = try held().map { Operation.delete(HeldDeletion.collection, id: $0.key.bookkeepingID) }
    let records = [DeviceState.id, SyncProfile.id, SyncReport.id].map {
      Operation.delete(DeviceState.collection, id: $0)
    }
    try commit(records + rows + held, "sync/forget")
  }

  func save(_ state: DeviceState, _ label: String = "sync/now") throws(StoreError) { try commit([keep(state)], label) }

  func keep(_ state: DeviceState) -> Operation { keep(state.json, DeviceState.id) }

  func keep(_ object: JSONObject, _ id: EntityID) -> Operation {
    .keep(object, id, in: DeviceState.collection, at: now())
  }

  /// Stores operations, unless there are none, as the change of a pass, which is durable on return.
  func commit(_ operations: [Operation], _ label: String) throws(StoreError) {
    guard !operations.isEmpty else { return }
    _ = try store.commit(
      Transaction(id: newID(), at: now(), author: SyncParticipant.author, label: label, operations: operations))
    try store.settle()
  }

  /// All rows, in no order.
  package func entries() throws(StoreError) -> [OutboxEntry] { try datedEntries().map(\.entry) }

  /// The same with the time of each row's last change.
  func datedEntries() throws(StoreError) -> [(entry: OutboxEntry, at: Instant)] {
    var entries: [(entry: OutboxEntry, at: Instant)] = []
    try store.snapshot.forEachRecord(in: OutboxEntry.collection) { record in
      let record = copy record
      if let entry = record.object.flatMap({ OutboxEntry($0) }) { entries.append((entry, record.updatedAt)) }
      return true
    }
    return entries
  }

  /// The row of a record.
  package func entry(_ key: EntityKey) throws(StoreError) -> OutboxEntry? { try entries(of: [key])[key] }

  /// The rows of records.
  func entries(of keys: some Sequence<EntityKey>) throws(StoreError) -> [EntityKey: OutboxEntry] {
    var entries: [EntityKey: OutboxEntry] = [:]
    try store.snapshot.forEachRecord(withIDs: keys.map(\.bookkeepingID), in: OutboxEntry.collection) { stored in
      if let entry = stored.object.flatMap({ OutboxEntry($0) }) { entries[entry.key] = entry }
    }
    return entries
  }

  /// The record of a key, or its deletion.
  package func record(_ key: EntityKey) throws(StoreError) -> SyncedRecord? {
    var state = SyncedState(try store.snapshot, collections)
    return state.record(key)
  }
}
