import CivilTime
import FileStore
import JSON
import SyncRules
import Values

/// A version of a record as it stands in batches, and, for a deletion, in the store.
package struct SyncLine: Equatable, Sendable {
  package let key: EntityKey
  package var record: SyncedRecord

  package init(_ key: EntityKey, _ record: SyncedRecord) {
    self.key = key
    self.record = record
  }
}

extension SyncLine {
  private enum Name {
    static let (collection, id, day, schema) = ("collection", "id", "day", "schema")
    static let (created, updated, deleted, body, notes) = ("created", "updated", "deleted", "body", "notes")
  }

  /// When a version may have been made: from 1970 to 9999.
  private static let times = Instant(milliseconds: 0)...Instant(milliseconds: 253_402_300_799_999)

  package var json: JSONObject {
    var object = JSONObject([
      (Name.collection, .string("\(key.collection)")), (Name.id, .string("\(key.id)")),
    ])
    object[Name.day] = record.day.map { .string("\($0)") }
    if record.body != nil { object[Name.schema] = .number(JSONNumber(record.schema)) }
    object[Name.created] = record.createdAt.map { .string("\($0)") }
    object[Name.updated] = record.updatedAt.map { .string("\($0)") }
    object[Name.deleted] = record.deletedAt.map { .string("\($0)") }
    object[Name.body] = record.body.map { .object($0) }
    object[Name.notes] = record.notes.map { .object($0.json) }
    return object
  }

  /// The length of its text, with the line break.
  var size: Int { JSONValue.object(json).json.count + 1 }

  /// Reads a line; nil if it lacks collection, id or time, or its content cannot be read. Members of later versions are
  /// passed over.
  package init?(_ object: JSONObject) {
    guard case .string(let collection)? = object[Name.collection], case .string(let text)? = object[Name.id],
      let id = EntityID(text), CollectionName(collection).isFileName
    else { return nil }
    var isRead = true
    func instant(_ name: String, in range: ClosedRange<Instant> = Instant.written) -> Instant? {
      guard let value = object[name] else { return nil }
      guard case .string(let text) = value, let instant = Instant(text), range.contains(instant) else {
        isRead = false
        return nil
      }
      return instant
    }
    var record = SyncedRecord()
    (record.createdAt, record.updatedAt, record.deletedAt) = (
      instant(Name.created), instant(Name.updated, in: SyncLine.times), instant(Name.deleted, in: SyncLine.times)
    )
    if case .string(let text)? = object[Name.day] {
      guard let day = CivilDay(text) else { return nil }
      record.day = day
    }
    if case .number(let number)? = object[Name.schema] { record.schema = number.integer ?? 0 }
    if case .object(let body)? = object[Name.body] { record.body = body }
    if case .object(let notes)? = object[Name.notes] {
      guard let notes = MergeNotes(notes) else { return nil }
      record.notes = notes
    }
    let isComplete = record.deletedAt != nil || record.body != nil && record.updatedAt != nil && record.createdAt != nil
    guard isRead, isComplete else { return nil }
    self.init(EntityKey(CollectionName(collection), id), record)
  }
}
