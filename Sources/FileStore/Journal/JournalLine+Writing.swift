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
    case .seal(let successor):
      writer.name("sealed")
      writer.write(successor)
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
    writer.name("do")
    writer.beginArray()
    for operation in transaction.operations {
      writer.element()
      operation.encode(to: &writer)
    }
    writer.endArray()
  }
}

extension Operation {
  /// `{"put":…}` or `{"delete":…}`.
  fileprivate func encode(to writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .put(let collection, let id, let day, let schema, let createdAt, let updatedAt, let body):
      writer.name("put")
      writer.write(collection.rawValue)
      writer.name("id")
      id.encode(to: &writer)
      if let day {
        writer.name("day")
        writer.writeText(room: 10) {
          day.write(to: $0)
          return 10
        }
      }
      writer.name("schema")
      writer.write(schema)
      writer.name("created")
      createdAt.encode(to: &writer)
      writer.name("updated")
      updatedAt.encode(to: &writer)
      writer.name("body")
      body.withUnsafeBytes { writer.append($0) }
    case .delete(let collection, let id):
      writer.name("delete")
      writer.write(collection.rawValue)
      writer.name("id")
      id.encode(to: &writer)
    }
    writer.endObject()
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
