import CivilTime
import JSON
import Values

/// Makes the text of an export: a first line that says what it is, a line for each record, and a last line with their number and
/// the hash of everything before it, which tells a whole file from one that was cut off or changed.
package struct ExportText: ~Copyable {
  /// The version of the format that this code writes.
  package static let version = 1

  /// Records so far.
  package private(set) var count = 0
  /// Bytes so far, and their hash.
  package private(set) var bytes = 0
  private var hash = SHA256()
  private var writer = JSONWriter(capacity: 64 << 10)

  /// Begins with the first line. `store` and `revision` say what it is an export of, if that is known.
  package init(created: Instant, store: EntityID? = nil, revision: Int? = nil) {
    writer.beginObject()
    writer.name("daybook")
    writer.write("export")
    writer.name("version")
    writer.write(ExportText.version)
    writer.name("created")
    writer.write(created.description)
    if let store {
      writer.name("store")
      writer.write(store.description)
    }
    if let revision {
      writer.name("revision")
      writer.write(revision)
    }
    writer.append("}\n")
  }

  /// Bytes that were not taken yet.
  package var pending: Int { writer.count }

  /// Adds the line of a record. `body` is one JSON object on one line.
  package mutating func append(
    _ collection: CollectionName, id: EntityID, day: CivilDay?, createdAt: Instant, updatedAt: Instant, schema: Int,
    body: UnsafeRawBufferPointer
  ) {
    writer.beginObject()
    writer.name("collection")
    writer.write(collection.rawValue)
    writer.name("id")
    writer.writeText(room: 36) {
      id.write(to: $0)
      return 36
    }
    if let day {
      writer.name("day")
      writer.writeText(room: 10) {
        day.write(to: $0)
        return 10
      }
    }
    writer.name("created")
    ExportText.write(createdAt, to: &writer)
    writer.name("updated")
    ExportText.write(updatedAt, to: &writer)
    writer.name("schema")
    writer.write(schema)
    // The last member, so that it is found without parsing it.
    writer.name("body")
    writer.append(body)
    writer.append("}\n")
    count += 1
  }

  private static func write(_ instant: Instant, to writer: inout JSONWriter) {
    writer.writeText(room: Instant.textLength) {
      instant.write(to: $0)
      return Instant.textLength
    }
  }

  /// The text since the last call: whole lines.
  package mutating func take() -> [UInt8] {
    let text = writer.bytes
    hash.update(writer.buffer)
    bytes += text.count
    writer.truncate(to: 0)
    return text
  }

  /// Adds the last line; nothing may be appended after it.
  package mutating func finish() {
    var before = hash
    before.update(writer.buffer)
    writer.beginObject()
    writer.name("end")
    writer.write(true)
    writer.name("count")
    writer.write(count)
    writer.name("sha256")
    before.finish().encode(to: &writer)
    writer.append("}\n")
  }
}
