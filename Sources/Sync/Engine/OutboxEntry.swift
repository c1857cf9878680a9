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

  package struct Sent: Equatable, Sendable {
    package var stream: String
    package var counter: Int
  }

  package init(_ key: EntityKey, _ row: OutboxRow) {
    self.key = key
    self.row = row
  }

  package var isPending: Bool { sent == nil }
}

extension OutboxEntry {
  static let collection = CollectionName("sync-outbox")
  /// The row that stands for everything; its record says nothing.
  static let everything = EntityID(high: 0x8000, low: 0x8000_0000_0000_0004)

  var json: JSONObject {
    var object = JSONObject([
      ("collection", .string("\(key.collection)")), ("id", .string("\(key.id)")),
      ("position", .number(JSONNumber(row.position))),
    ])
    object["base"] = row.base.map { .object($0.json) }
    if row.retryCount > 0 { object["retryCount"] = .number(JSONNumber(row.retryCount)) }
    object["lastAttemptAt"] = row.lastAttemptAt.map { .string("\($0)") }
    object["lastError"] = row.lastError.map { .string($0) }
    object["stream"] = sent.map { .string($0.stream) }
    object["counter"] = sent.map { .number(JSONNumber($0.counter)) }
    return object
  }

  init?(_ object: JSONObject) {
    guard let key = EntityKey(object), let position = StreamHead.int(object["position"]) else { return nil }
    var row = OutboxRow(base: nil, position: position)
    if case .object(let base)? = object["base"] { row.base = SyncVersion(base) }
    row.retryCount = StreamHead.int(object["retryCount"]) ?? 0
    if case .string(let text)? = object["lastAttemptAt"] { row.lastAttemptAt = Instant(text) }
    if case .string(let text)? = object["lastError"] { row.lastError = text }
    self.init(key, row)
    if case .string(let stream)? = object["stream"], let counter = StreamHead.int(object["counter"]) {
      sent = Sent(stream: stream, counter: counter)
    }
  }
}
