import CivilTime
import FileStore
import JSON
import SyncRules

/// Adds to every change what sync needs: the deletion of each deleted record, the merge notes of each edited one, and,
/// while a remote is configured, a row in the outbox unless the record has one that is not sent. A change of very many
/// records leaves one row for everything.
///
/// What is put again after a deletion, with a time before it, gets one after it: an import or an undo brings the record
/// back on every device, as the user sees it here.
///
/// After a replacing import or a restored backup the user decides which state stays; nothing counts as deleted by it.
package struct SyncParticipant: CommitParticipant {
  /// The author of the changes that a pass applies; their bookkeeping is part of them.
  package static let author = "sync"

  /// Deletions, notes, rows, the state, what waits for the user, conflicts, and what others show.
  package static let internalCollections: Set<CollectionName> = [
    SyncedState.collection, OutboxEntry.collection, DeviceState.collection, HeldDeletion.collection,
    VersionConflict.collection, MirroredRecords.collection,
  ]

  package var ownCollections: Set<CollectionName> { SyncParticipant.internalCollections }
  /// All but deletions and notes.
  package var folderCollections: Set<CollectionName> { ownCollections.subtracting([SyncedState.collection]) }
  private let collections: SyncedCollections
  private let mostRows: Int

  /// - Parameter mostRows: The most rows that one change leaves.
  package init(_ collections: @escaping SyncedCollections, mostRows: Int = 20_000) {
    self.collections = collections
    self.mostRows = mostRows
  }

  package func additions(to change: PendingChange) throws(StoreError) -> [Operation] {
    guard change.author != SyncParticipant.author else { return [] }
    var state = SyncedState(change.snapshot, collections)
    var reader = RecordReader(change.snapshot)
    let takesPart = reader.record(DeviceState.id, in: DeviceState.collection) != nil
    let saysEverything = takesPart && change.isLarger(than: mostRows)
    // Who undoes a replacing import before the question is answered has deleted nothing either.
    let undoesReplacement = change.undoes.map { SyncProfile(change.snapshot)?.replacements.contains($0) == true }
    let isReplacement = change.isReplacement || undoesReplacement == true
    let writesRows = takesPart && !saysEverything && !isReplacement
    var additions: [Operation] = saysEverything ? [.keepEverything(at: change.at)] : []
    if isReplacement { additions += question(change.snapshot, at: change.at, after: change.revision) }
    var position = change.revision << 20
    // What a change does to a record in several operations has one base.
    var rows: [EntityKey: OutboxEntry] = [:]
    try change.forEach { operation, before throws(StoreError) in
      guard let collection = collections(operation.collection) else {
        if writesRows, MirroredRecords.priorities[operation.collection] != nil, operation.isPut || before != nil {
          position += 1
          additions.append(SyncParticipant.row(of: operation, replacing: before, at: position, change.at, &reader))
        }
        return
      }
      if let before, !isReplacement { try SyncParticipant.check(operation, isAfter: before) }
      // A record that is merged as a whole has nothing beside it while it lives.
      let isPlain = !writesRows && collection.policy == .whole
      if isPlain, operation.isPut, before != nil || change.isOfNewRecords { return }
      let key = EntityKey(operation.collection, operation.id)
      let previous = before.map { state.record(key, $0) } ?? state.kept(key)
      let isKept = before == nil && previous != nil
      var operation = operation
      if !isReplacement, let previous, isKept,
        let later = operation.edited(after: previous, at: change.at)
      {
        operation = later
        additions.append(later)
      }
      guard let new = version(after: operation, collection, previous, at: change.at) else { return }
      if isReplacement, new.isDeleted {
        if collection.policy != .whole { additions.append(.delete(SyncedState.collection, id: key.bookkeepingID)) }
        return
      }
      if new.isDeleted || new.notes != nil || isKept {
        additions.append(.bookkeeping(key, new, at: change.at))
      }
      guard writesRows else { return }
      position += 1
      let known =
        rows[key] ?? reader.record(key.bookkeepingID, in: OutboxEntry.collection)?.object.flatMap { OutboxEntry($0) }
      var entry = OutboxEntry(key, OutboxRow(base: previous.map(collection.policy.version), position: position))
      if let known, known.isUnsent {
        entry = known
        entry.isDiscarded = false
        entry.row.position = position
        entry.row.retry()
      }
      rows[key] = entry
      additions.append(.keep(entry, at: change.at))
    }
    return additions
  }

  /// The row of a record that other devices only show. One that is gone before it was ever said needs none.
  private static func row(
    of operation: Operation, replacing before: Record?, at position: Int, _ now: Instant, _ reader: inout RecordReader
  ) -> Operation {
    let key = EntityKey(operation.collection, operation.id)
    let known = reader.record(key.bookkeepingID, in: OutboxEntry.collection)?.object.flatMap { OutboxEntry($0) }
    if !operation.isPut, let known, known.row.base == nil {
      return .delete(OutboxEntry.collection, id: key.bookkeepingID)
    }
    let base = known.map(\.row.base) ?? before.flatMap { SyncedRecord($0, []) }.map(MergePolicy.whole.version)
    return .keep(OutboxEntry(key, OutboxRow(base: base, position: position)), at: now)
  }

  /// Asks the user which state stays, if there is a remote.
  package func additions(toRestoreOver present: Snapshot, at: Instant) -> [Operation] { question(present, at: at) }

  /// - Parameter replacement: The revision of the change after which it is asked; none after a restore, which cannot be
  ///   undone.
  private func question(_ present: Snapshot, at: Instant, after replacement: Int? = nil) -> [Operation] {
    guard var profile = SyncProfile(present) else { return [] }
    profile.isUndecided = true
    profile.replacements = replacement.map { profile.replacements + [$0] } ?? []
    return [.keep(profile.json, SyncProfile.id, in: DeviceState.collection, at: at)]
  }

  /// A change has a time after that of the version that it replaces, or it would be undone by it on other devices.
  private static func check(_ operation: Operation, isAfter before: Record) throws(StoreError) {
    guard case .put(let collection, let id, _, _, _, let updatedAt, let body) = operation,
      updatedAt <= before.updatedAt, body != before.body.bytes
    else { return }
    throw StoreError(.invalidTransaction, "\(collection)/\(id) would change to a version that is not later.")
  }

  /// Without its bookkeeping, changes would not travel.
  package func features(of snapshot: Snapshot) -> [String] {
    snapshot.record(DeviceState.id, in: DeviceState.collection) == nil ? [] : ["sync"]
  }

  /// A record that this version cannot read, as it was received.
  package func exported(_ record: borrowing Record, in collection: CollectionName) -> Operation? {
    guard collection == SyncedState.collection, let line = SyncLine(unread: record), let body = line.record.body,
      let createdAt = line.record.createdAt, let updatedAt = line.record.updatedAt
    else { return nil }
    return .put(
      line.key.collection, id: line.key.id, day: line.record.day, schema: line.record.schema, createdAt: createdAt,
      updatedAt: updatedAt, body: JSONValue.object(body).json)
  }

  /// The record that an operation leaves; nil if there is none to delete.
  private func version(
    after operation: Operation, _ collection: SyncedCollection, _ previous: SyncedRecord?, at time: Instant
  ) -> SyncedRecord? {
    if let record = SyncedRecord(operation, collection.localMembers) {
      return collection.policy.edited(previous, to: record)
    }
    guard let previous, !previous.isDeleted else { return nil }
    return collection.policy.deleted(previous, at: time.following(previous.time))
  }
}

extension Operation {
  /// The same as an edit after a deletion; nil if it is one, or deletes a record.
  fileprivate func edited(after deletion: SyncedRecord, at now: Instant) -> Operation? {
    guard case .put(let collection, let id, let day, let schema, let createdAt, let updatedAt, let body) = self,
      updatedAt <= deletion.time, let object = JSONObject(text: body)
    else { return nil }
    let record = SyncedRecord(object, createdAt: createdAt, updatedAt: updatedAt, day: day, schema: schema)
      .edited(at: now.following(deletion.time))
    guard let text = record.body, let time = record.updatedAt else { return nil }
    return .put(
      collection, id: id, day: day, schema: schema, createdAt: createdAt, updatedAt: time,
      body: JSONValue.object(text).json)
  }
}
