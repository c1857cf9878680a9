import CivilTime
import JSON
import Values

/// What the list of the quarantine says of one piece of damage.
package struct QuarantineEntry: Sendable, Equatable {
  /// When it was set aside, for people.
  package var at: Instant
  /// Where it was found: the file's name within the data folder.
  package var file: String
  /// Where in that file, in bytes.
  package var offset: Int
  package var length: Int
  /// What kind of thing it is: the name of a `RecoveryFinding.Kind`, perhaps of a later version.
  package var kind: String
  /// What exactly was wrong, for people.
  package var reason: String
  /// The sequence number of the good line before it; 0 when there was none.
  package var previousSequence = 0
  /// That of the good line after it, if there was one.
  package var nextSequence: Int?
  /// The copy's name within the quarantine; nil when nothing was there that could be copied.
  package var copy: String?
  /// Whether the copy is the whole file, in which the damage stands where it stood; else it is the damaged bytes alone.
  package var isWhole = false
  /// The CRC-32C of the damaged bytes, to know them again.
  package var checksum: UInt32 = 0
  /// The records it tells of, which are as they were before if they are not newer than `revision`.
  package var records: [RecordReference] = []
  package var revision = 0

  /// Whether something that was answered may be gone; of a kind that this version does not know nobody can say.
  package var isLossPossible: Bool { RecoveryFinding.Kind(rawValue: kind)?.isLossPossible ?? true }

  /// Whether it is an everyday thing, kept only because nothing is thrown away.
  package var isEveryday: Bool { RecoveryFinding.Kind(rawValue: kind)?.isEveryday ?? false }

  /// Whether both tell of the same damage, whenever it was found.
  func isSame(as other: QuarantineEntry) -> Bool {
    file == other.file && offset == other.offset && length == other.length && checksum == other.checksum
      && (kind == other.kind || length > 0) && (length > 0 || previousSequence == other.previousSequence)
  }
}

extension QuarantineEntry {
  /// The line of the list, newline included.
  var line: [UInt8] {
    var writer = JSONWriter(capacity: 512)
    writer.beginObject()
    writer.name("at")
    writer.write(at.description)
    writer.name("file")
    writer.write(file)
    writer.name("offset")
    writer.write(offset)
    writer.name("length")
    writer.write(length)
    writer.name("kind")
    writer.write(kind)
    writer.name("reason")
    writer.write(reason)
    writer.name("previous")
    writer.write(previousSequence)
    if let nextSequence {
      writer.name("next")
      writer.write(nextSequence)
    }
    if let copy {
      writer.name("copy")
      writer.write(copy)
      writer.name("whole")
      writer.write(isWhole)
    }
    writer.name("checksum")
    writer.write(Int(checksum))
    writer.name("uncertain")
    writer.beginArray()
    for record in records {
      writer.element()
      writer.beginObject()
      if let collection = record.collection {
        writer.name("collection")
        writer.write(collection.rawValue)
      }
      writer.name("id")
      writer.write(record.id.description)
      writer.endObject()
    }
    writer.endArray()
    writer.name("revision")
    writer.write(revision)
    LineSuffix.close(&writer)
    return writer.bytes
  }

  /// Reads a line without its newline; nil when its checksum does not fit or it is not understood.
  init?(reading line: UnsafeRawBufferPointer) {
    guard LineSuffix.isValid(line), case .object(let object)? = try? JSONValue(json: Array(line)) else { return nil }
    func text(_ name: String) -> String? { if case .string(let text)? = object[name] { text } else { nil } }
    func number(_ name: String) -> Int? { if case .number(let number)? = object[name] { number.integer } else { nil } }
    guard let at = text("at").flatMap({ Instant($0) }), let file = text("file"), let offset = number("offset"),
      let length = number("length"), let kind = text("kind"), let reason = text("reason"), offset >= 0, length >= 0
    else { return nil }
    self.init(at: at, file: file, offset: offset, length: length, kind: kind, reason: reason)
    previousSequence = number("previous") ?? 0
    nextSequence = number("next")
    copy = text("copy")
    isWhole = object["whole"] == .bool(true)
    checksum = number("checksum").flatMap { UInt32(exactly: $0) } ?? 0
    revision = number("revision") ?? 0
    guard case .array(let records)? = object["uncertain"] else { return }
    self.records = records.compactMap { record in
      guard case .object(let record) = record, case .string(let id)? = record["id"], let id = EntityID(id) else {
        return nil
      }
      guard case .string(let name)? = record["collection"] else { return RecordReference(collection: nil, id: id) }
      return RecordReference(collection: CollectionName(name), id: id)
    }
  }
}
