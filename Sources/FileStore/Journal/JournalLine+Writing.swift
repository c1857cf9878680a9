import CivilTime
import JSON
import Values

extension JournalLine {
  /// The bytes of the line, newline included.
  var bytes: [UInt8] {
    var writer = JSONWriter(capacity: 512)
    writer.beginObject()
    switch self {
    case .transaction(let entry): entry.encodeMembers(to: &writer)
    case .seal(let successor, let revision):
      writer.member("sealed", successor)
      writer.member("revision", revision)
    }
    LineSuffix.close(&writer)
    return writer.bytes
  }
}

extension JournalEntry {
  /// All members but the checksum.
  fileprivate func encodeMembers(to writer: inout JSONWriter) {
    writer.member("seq", revision)
    writer.member("at", transaction.at)
    writer.member("replica", replica)
    writer.member("tx", transaction.id)
    writer.member("by", transaction.author)
    writer.member("why", transaction.label)
    writer.member("undoes", transaction.undoes)
    transaction.result?.withUnsafeBytes { writer.member("result", json: $0) }
    writer.name("do")
    writer.beginArray()
    for (index, operation) in transaction.operations.enumerated() {
      writer.element()
      operation.encode(replacing: index < before.count ? before[index] : nil, to: &writer)
    }
    writer.endArray()
  }
}

extension Operation {
  /// `{"put":…}` or `{"delete":…}`, with what it replaces as `was`.
  fileprivate func encode(replacing before: Record?, to writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .put(let collection, let id, let day, let schema, let createdAt, let updatedAt, let body):
      writer.member("put", collection)
      writer.member("id", id)
      writer.member("day", day)
      writer.member("schema", schema)
      writer.member("created", createdAt)
      writer.member("updated", updatedAt)
      before?.encodeAsReplaced(to: &writer)
      body.withUnsafeBytes { writer.member("body", json: $0) }
    case .delete(let collection, let id):
      writer.member("delete", collection)
      writer.member("id", id)
      before?.encodeAsReplaced(to: &writer)
    }
    writer.endObject()
  }
}

extension Record {
  /// The member `was`: everything but the id, which is the operation's.
  fileprivate func encodeAsReplaced(to writer: inout JSONWriter) {
    writer.name("was")
    writer.beginObject()
    writer.member("revision", revision)
    writer.member("day", day)
    writer.member("schema", schema)
    writer.member("created", createdAt)
    writer.member("updated", updatedAt)
    body.withUnsafeBytes { writer.member("body", json: $0) }
    writer.endObject()
  }
}
