import CivilTime
import FileStore
import JSON
import SyncRules
import Values

/// A row of the outbox with what it is about, as an internal record.
package struct OutboxEntry: Equatable, Sendable {
  package let key: EntityKey
  package var row: OutboxRow
  /// Where it was sent; nil while it is not. It stays until every head that counts has seen it: conflicts are judged by
  /// it.
  package var sent: Sent?
  /// Whether the user gave up sending it. It is unsent until the record's next edit, but no pass sends it.
  package var isDiscarded = false

  package struct Sent: Equatable, Sendable {
    package var stream: String
    package var counter: Int
  }

  package init(_ key: EntityKey, _ row: OutboxRow) {
    self.key = key
    self.row = row
  }

  package var isUnsent: Bool { sent == nil }
  package var isPending: Bool { isUnsent && !isDiscarded }
}

extension OutboxEntry {
  static let collection = CollectionName("sync-outbox")
  /// The row that stands for everything; its record says nothing.
  static let everything = EntityID(high: 0x8000, low: 0x8000_0000_0000_0004)

  var json: JSONObject {
    var object = JSONObject([
      ("collection", .text(key.collection)), ("id", .text(key.id)), ("position", .int(row.position)),
    ])
    object["base"] = row.base.map { .object($0.json) }
    if row.retryCount > 0 { object["retryCount"] = .int(row.retryCount) }
    object["lastAttemptAt"] = row.lastAttemptAt.map { .text($0) }
    object["lastError"] = row.lastError.map { .string($0) }
    if isDiscarded { object["discarded"] = .bool(true) }
    object["stream"] = sent.map { .string($0.stream) }
    object["counter"] = sent.map { .int($0.counter) }
    return object
  }

  init?(_ object: JSONObject) {
    guard let key = EntityKey(object), let position = object.int("position") else { return nil }
    var row = OutboxRow(base: object.object("base").flatMap { SyncVersion($0) }, position: position)
    row.retryCount = object.int("retryCount") ?? 0
    (row.lastAttemptAt, row.lastError) = (object.instant("lastAttemptAt"), object.text("lastError"))
    self.init(key, row)
    isDiscarded = object["discarded"] == .bool(true)
    if let stream = object.text("stream"), let counter = object.int("counter") {
      sent = Sent(stream: stream, counter: counter)
    }
  }
}
