import CivilTime
import JSON
import Values

/// Builds the text of an export: a header line, a line for each record, and a last line with their number and the hash
/// of everything before it, which shows whether a file is complete and unchanged.
package struct ExportText: ~Copyable {
  package static let version = 1

  package private(set) var count = 0
  /// The number of bytes so far, and their hash.
  package private(set) var bytes = 0
  private var hash = SHA256()
  private var writer = JSONWriter(capacity: 64 << 10)

  /// Begins with the header line. `store` and `revision` describe the source, if known.
  package init(created: Instant, store: EntityID? = nil, revision: Int? = nil) {
    writer.beginObject()
    writer.member("daybook", "export")
    writer.member("version", ExportText.version)
    writer.member("created", created)
    writer.member("store", store)
    writer.member("revision", revision)
    writer.append("}\n")
  }

  /// The number of bytes not taken yet.
  package var pending: Int { writer.count }

  /// Adds a record's line. `body` is one JSON object on one line.
  package mutating func append(
    _ collection: CollectionName, id: EntityID, day: CivilDay?, createdAt: Instant, updatedAt: Instant, schema: Int,
    body: UnsafeRawBufferPointer
  ) {
    writer.beginObject()
    writer.member("collection", collection)
    writer.member("id", id)
    writer.member("day", day)
    writer.member("created", createdAt)
    writer.member("updated", updatedAt)
    writer.member("schema", schema)
    // The last member, so that it is found without parsing it.
    writer.member("body", json: body)
    writer.append("}\n")
    count += 1
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
    writer.member("end", true)
    writer.member("count", count)
    writer.member("sha256", before.finish())
    writer.append("}\n")
  }
}
