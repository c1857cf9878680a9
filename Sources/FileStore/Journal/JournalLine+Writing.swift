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
      writer.name("sealed")
      writer.write(successor)
      if let revision {
        writer.name("revision")
        writer.write(revision)
      }
    }
    LineSuffix.close(&writer)
    return writer.bytes
  }
}

extension JournalEntry {
  /// All members but the checksum.
  fileprivate func encodeMembers(to writer: inout JSONWriter) {
    writer.name("seq")
    writer.write(revision)
    writer.name("at")
    transaction.at.encode(to: &writer)
    writer.name("replica")
    replica.encode(to: &writer)
    writer.name("tx")
    transaction.id.encode(to: &writer)
    writer.name("by")
    writer.write(transaction.author)
    writer.name("why")
    writer.write(transaction.label)
    if let undoes = transaction.undoes {
      writer.name("undoes")
      writer.write(undoes)
    }
    if let result = transaction.result {
      writer.name("result")
      result.withUnsafeBytes { writer.append($0) }
    }
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
      writer.name("put")
      writer.write(collection.rawValue)
      writer.name("id")
      id.encode(to: &writer)
      day?.encodeMember(to: &writer)
      writer.name("schema")
      writer.write(schema)
      writer.name("created")
      createdAt.encode(to: &writer)
      writer.name("updated")
      updatedAt.encode(to: &writer)
      before?.encodeAsReplaced(to: &writer)
      writer.name("body")
      body.withUnsafeBytes { writer.append($0) }
    case .delete(let collection, let id):
      writer.name("delete")
      writer.write(collection.rawValue)
      writer.name("id")
      id.encode(to: &writer)
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
    writer.name("revision")
    writer.write(revision)
    day?.encodeMember(to: &writer)
    writer.name("schema")
    writer.write(schema)
    writer.name("created")
    createdAt.encode(to: &writer)
    writer.name("updated")
    updatedAt.encode(to: &writer)
    writer.name("body")
    body.withUnsafeBytes { writer.append($0) }
    writer.endObject()
  }
}

extension CivilDay {
  /// The member `day`.
  fileprivate func encodeMember(to writer: inout JSONWriter) {
    writer.name("day")
    writer.writeText(room: 10) {
      write(to: $0)
      return 10
    }
  }
}

extension EntityID {
  /// As a string.
  fileprivate func encode(to writer: inout JSONWriter) {
    writer.writeText(room: 36) {
      write(to: $0)
      return 36
    }
  }
}

extension Instant {
  /// As a string.
  fileprivate func encode(to writer: inout JSONWriter) {
    writer.writeText(room: Instant.textLength) {
      write(to: $0)
      return Instant.textLength
    }
  }
}
