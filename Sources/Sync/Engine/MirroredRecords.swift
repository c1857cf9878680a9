import CivilTime
import CollectionTables
import FileStore
import JSON
import SyncRules
import Values

/// What another device shows of something that is under way there. Its head has all such records as they are at present,
/// so they need neither batches nor tombstones: what the head no longer has is gone. Here they are kept beside the
/// records, as one internal record a stream.
package struct MirroredRecords: Equatable, Sendable {
  /// The stream of the device, and its name.
  package let stream: String
  package let device: String
  /// When they last changed here.
  package let at: Instant
  private let lines: [SyncLine]

  package static let collection = CollectionName("sync-mirrored")

  private static let declared = Collections.all.filter { if case .mirrored = $0.merging { true } else { false } }

  /// The collections that are declared so, with their priorities.
  static let priorities = declared.reduce(into: [:]) { $0[CollectionName($1.name)] = $1.syncPriority }

  /// The declared collections, as the domains of events.
  package static let domains = declared.map(\.domain)

  init(_ head: StreamHead, at: Instant) {
    (stream, device, lines) = (head.stream, head.device, head.mirrored)
    self.at = at
  }

  /// Those of all other devices.
  package static func all(_ snapshot: Snapshot) -> [MirroredRecords] {
    snapshot.records(in: collection).compactMap { $0.object.flatMap { MirroredRecords($0) } }
  }

  /// When those of each device were last stored; another value after each change.
  package static func revisions(_ snapshot: Snapshot) -> [Int] {
    var revisions: [Int] = []
    snapshot.forEachRecord(in: collection) { stored in
      revisions.append(stored.revision)
      return true
    }
    return revisions
  }

  /// Those of one collection.
  package func records(in collection: CollectionName) -> [Record] {
    lines.compactMap { line in
      guard line.key.collection == collection, let body = line.record.body, let createdAt = line.record.createdAt,
        let updatedAt = line.record.updatedAt
      else { return nil }
      return Record(
        id: line.key.id, day: line.record.day, createdAt: createdAt, updatedAt: updatedAt, schema: line.record.schema,
        body: JSONValue.object(body).json)
    }
  }

  /// What this device's head says.
  static func own(_ snapshot: Snapshot) -> [SyncLine] {
    priorities.keys.flatMap { collection in
      snapshot.records(in: collection).compactMap { stored in
        SyncedRecord(stored, []).map { SyncLine(EntityKey(collection, stored.id), $0) }
      }
    }.sorted { $0.key < $1.key }
  }

  fileprivate static func id(_ stream: String) -> EntityID {
    EntityKey(collection, SyncProfile.id).derived(from: Array(stream.utf8))
  }

  fileprivate var json: JSONObject {
    JSONObject([
      ("stream", .string(stream)), ("device", .string(device)), ("at", .text(at)),
      ("records", .objects(lines.map(\.json))),
    ])
  }

  private init?(_ object: JSONObject) {
    guard let stream = object.text("stream"), let device = object.text("device"), let at = object.instant("at") else {
      return nil
    }
    (self.stream, self.device, self.at) = (stream, device, at)
    lines = object.objects("records").compactMap { SyncLine($0) }
  }
}

extension Replica {
  /// Keeps what the heads of others say to be shown, and drops what they no longer say, or no longer count for.
  func mirror(_ heads: [StreamHead], marks: [String: Int]) throws(StoreError) {
    let known = MirroredRecords.all(try store.snapshot).reduce(into: [:]) { $0[$1.stream] = $1 }
    var operations: [Operation] = []
    for head in heads {
      let (old, id) = (known[head.stream], MirroredRecords.id(head.stream))
      if head.mirrored.isEmpty || head.counter <= marks[head.stream] ?? 0 {
        if old != nil { operations.append(.delete(MirroredRecords.collection, id: id)) }
        continue
      }
      let new = MirroredRecords(head, at: now())
      if old?.json["records"] == new.json["records"], old?.device == new.device { continue }
      operations.append(.keep(new.json, id, in: MirroredRecords.collection, at: new.at))
    }
    try commit(operations, "sync/now")
  }

  /// What the own head is to say of records that are only shown elsewhere, and the rows of those that changed, each with
  /// what that says of it.
  ///
  /// - Parameter entries: All rows.
  func mirrored(_ entries: [OutboxEntry]) throws(StoreError) -> (lines: [SyncLine], rows: [EntityKey: SyncVersion]) {
    let lines = MirroredRecords.own(try store.snapshot)
    let records = lines.reduce(into: [:]) { $0[$1.key] = $1.record }
    var rows: [EntityKey: SyncVersion] = [:]
    for entry in entries where MirroredRecords.priorities[entry.key.collection] != nil {
      rows[entry.key] = MirroredRecords.version(records[entry.key])
    }
    return (lines, rows)
  }

  /// The deletion of the rows whose record is still as the head of an intent says.
  func deletionsOfMirroredRows(in intent: DeviceState.Intent) throws(StoreError) -> [Operation] {
    let snapshot = try store.snapshot
    return intent.sent.compactMap { key, version in
      guard MirroredRecords.priorities[key.collection] != nil else { return nil }
      let present = snapshot.record(key.id, in: key.collection).flatMap { SyncedRecord($0, []) }
      return MirroredRecords.version(present) == version ? .delete(OutboxEntry.collection, id: key.bookkeepingID) : nil
    }
  }
}

extension MirroredRecords {
  /// What a row stands for; nil: that the record is gone.
  fileprivate static func version(_ record: SyncedRecord?) -> SyncVersion {
    MergePolicy.whole.version(of: record ?? SyncedRecord(deletedAt: Instant(milliseconds: 0)))
  }
}
