import CivilTime
import FileStore
import JSON
import SyncRules
import Values

/// The records of a snapshot as sync sees them: living ones with their merge notes, deletions, and records that this
/// version cannot read.
struct SyncedState {
  /// Deletions, the notes of living records, and records that this version cannot read, each under its `bookkeepingID`.
  /// They are kept for good; a record that cannot be read, until a version that can takes it into its collection.
  static let collection = CollectionName("sync-records")

  private let snapshot: Snapshot
  private var reader: RecordReader
  private let collections: SyncedCollections

  init(_ snapshot: Snapshot, _ collections: @escaping SyncedCollections) {
    self.snapshot = snapshot
    reader = RecordReader(snapshot)
    self.collections = collections
  }

  /// Passes on each of these records that there is, or its deletion, in an order in which each month is read once.
  func forEach(_ keys: some Sequence<EntityKey>, _ body: (EntityKey, SyncedRecord) -> Void) {
    for (collection, keys) in Dictionary(grouping: keys, by: \.collection) {
      var kept: [EntityID: JSONObject] = [:]
      snapshot.forEachRecord(withIDs: keys.map(\.bookkeepingID), in: SyncedState.collection) { stored in
        if let object = stored.object, let key = EntityKey(object) { kept[key.id] = object }
      }
      var rest = Set(keys)
      snapshot.forEachRecord(withIDs: keys.map(\.id), in: collection) { stored in
        let key = EntityKey(collection, stored.id)
        rest.remove(key)
        if let record = record(key, stored, kept: kept[key.id]) { body(key, record) }
      }
      for key in rest { if let record = SyncedState.record(kept[key.id]) { body(key, record) } }
    }
  }

  /// The record of a key, or its deletion; nil if there never was one.
  mutating func record(_ key: EntityKey) -> SyncedRecord? {
    guard let stored = reader.record(key.id, in: key.collection) else { return kept(key) }
    return record(key, stored)
  }

  /// A living record with its notes.
  mutating func record(_ key: EntityKey, _ stored: Record) -> SyncedRecord? {
    // A record that is merged as a whole has nothing beside it while it lives.
    record(key, stored, kept: collections(key.collection)?.policy == .whole ? nil : bookkeeping(key))
  }

  /// - Parameter kept: What is kept about it.
  private func record(_ key: EntityKey, _ stored: Record, kept: JSONObject?) -> SyncedRecord? {
    var record = SyncedRecord(stored, collections(key.collection)?.localMembers ?? [])
    record?.notes = kept?.object("notes").flatMap { MergeNotes($0) }
    return record
  }

  /// The deletion of a record that is not in its collection, or the record itself if it could not be read.
  mutating func kept(_ key: EntityKey) -> SyncedRecord? { SyncedState.record(bookkeeping(key)) }

  /// Notes alone are none.
  private static func record(_ kept: JSONObject?) -> SyncedRecord? { kept.flatMap { SyncLine($0) }?.record }

  private mutating func bookkeeping(_ key: EntityKey) -> JSONObject? {
    reader.record(key.bookkeepingID, in: SyncedState.collection)?.object
  }
}

extension SyncLine {
  /// A record that this version cannot read, of those kept in `SyncedState.collection`; nil for a deletion, and for notes.
  init?(unread stored: borrowing Record) {
    guard let object = stored.object else { return nil }
    self.init(object)
    if record.isDeleted { return nil }
  }
}

extension SyncedRecord {
  /// A stored record, without its local members; nil if its body is no object.
  init?(_ stored: Record, _ localMembers: Set<String>) {
    self.init(
      stored.object, createdAt: stored.createdAt, updatedAt: stored.updatedAt, day: stored.day, schema: stored.schema,
      localMembers)
  }

  /// The same, of a record that an operation puts; nil if it deletes one.
  init?(_ operation: Operation, _ localMembers: Set<String>) {
    guard case .put(_, _, let day, let schema, let createdAt, let updatedAt, let body) = operation else { return nil }
    self.init(
      JSONObject(text: body), createdAt: createdAt, updatedAt: updatedAt, day: day, schema: schema, localMembers)
  }

  private init?(
    _ body: JSONObject?, createdAt: Instant, updatedAt: Instant, day: CivilDay?, schema: Int,
    _ localMembers: Set<String>
  ) {
    guard let body else { return nil }
    self.init(
      localMembers.isEmpty ? body : JSONObject(body.members.filter { !localMembers.contains($0.name) }),
      createdAt: createdAt, updatedAt: updatedAt, day: day, schema: schema)
  }
}

extension JSONObject {
  init?(text: [UInt8]) {
    guard case .object(let object)? = text.withUnsafeBytes({ try? JSONValue(json: $0) }) else { return nil }
    self = object
  }
}

extension Record {
  /// The body as a value.
  var object: JSONObject? {
    if case .object(let object)? = body.withUnsafeBytes({ try? JSONValue(json: $0) }) { object } else { nil }
  }
}

extension Operation {
  /// Keeps an internal record of sync.
  static func keep(_ object: JSONObject, _ id: EntityID, in collection: CollectionName, at: Instant) -> Operation {
    .put(
      collection, id: id, day: nil, schema: 1, createdAt: at, updatedAt: at, body: JSONValue.object(object).json)
  }

  /// What is kept about a record beside it: the deletion, or the notes of a living one.
  ///
  /// - Parameter isAside: Whether the record is not in its collection, so that it is kept as a whole.
  static func bookkeeping(
    _ key: EntityKey, _ record: SyncedRecord, isAside: Bool = false, at: Instant
  ) -> Operation {
    if record.isDeleted || isAside {
      return .keep(SyncLine(key, record).json, key.bookkeepingID, in: SyncedState.collection, at: at)
    }
    guard let notes = record.notes else { return .delete(SyncedState.collection, id: key.bookkeepingID) }
    let object = JSONObject([
      ("collection", .string("\(key.collection)")), ("id", .string("\(key.id)")), ("notes", .object(notes.json)),
    ])
    return .keep(object, key.bookkeepingID, in: SyncedState.collection, at: at)
  }

  /// Has the next pass say everything.
  static func keepEverything(at: Instant) -> Operation {
    .keep(JSONObject(), OutboxEntry.everything, in: OutboxEntry.collection, at: at)
  }

  static func keep(_ entry: OutboxEntry, at: Instant) -> Operation {
    .keep(entry.json, entry.key.bookkeepingID, in: OutboxEntry.collection, at: at)
  }
}
