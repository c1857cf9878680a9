import JSON
import Values

/// A segment's first line.
struct SegmentHeader: Equatable, Sendable {
  /// The version of the layout that this code writes.
  static let currentFormat = 1

  /// What the line begins with.
  static let opening: StaticString = "{\"segment\""

  var format = currentFormat
  let key: SegmentKey
  let generation: Int
  let count: Int
  let minRevision: Int
  let maxRevision: Int

  /// Writes the line, newline included.
  func encode(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("segment")
    writer.write(format)
    writer.name("collection")
    writer.write(key.collection.rawValue)
    writer.name("month")
    writer.write(key.monthText)
    writer.name("generation")
    writer.write(generation)
    writer.name("count")
    writer.write(count)
    writer.name("minRevision")
    writer.write(minRevision)
    writer.name("maxRevision")
    writer.write(maxRevision)
    LineSuffix.close(&writer)
  }
}

extension SegmentHeader {
  /// Reads a line without its newline; its checksum is the caller's business. Members it does not know are passed over.
  init(reading text: UnsafeRawBufferPointer) throws(JSONError) {
    self = try JSONReader.read(text) { reader throws(JSONError) in
      reader.refusesUnknownMembers = false
      var format: Int?
      var collection: String?
      var month: String?
      var generation: Int?
      var count: Int?
      var minRevision: Int?
      var maxRevision: Int?
      var object = try reader.beginObject()
      while try reader.nextMember(&object) {
        if try reader.member("segment", 0, &object) {
          format = try reader.int(in: 1...(.max))
        } else if try reader.member("collection", 1, &object) {
          collection = try reader.string()
        } else if try reader.member("month", 2, &object) {
          month = try reader.string()
        } else if try reader.member("generation", 3, &object) {
          generation = try reader.int(in: 1...(.max))
        } else if try reader.member("count", 4, &object) {
          count = try reader.int(in: 0...(.max))
        } else if try reader.member("minRevision", 5, &object) {
          minRevision = try reader.int(in: 0...(.max))
        } else if try reader.member("maxRevision", 6, &object) {
          maxRevision = try reader.int(in: 0...(.max))
        } else {
          try reader.unknownMember(&object, known: "")
        }
      }
      guard let format else { throw reader.missing("segment", object) }
      guard let collection else { throw reader.missing("collection", object) }
      guard let month else { throw reader.missing("month", object) }
      guard let generation else { throw reader.missing("generation", object) }
      guard let count else { throw reader.missing("count", object) }
      guard let minRevision else { throw reader.missing("minRevision", object) }
      guard let maxRevision else { throw reader.missing("maxRevision", object) }
      guard let key = SegmentKey(CollectionName(collection), month: month) else {
        throw JSONError(.outOfRange, at: object.start, expected: "a collection and a month that can be file names")
      }
      return SegmentHeader(
        format: format, key: key, generation: generation, count: count, minRevision: minRevision,
        maxRevision: maxRevision)
    }
  }
}

/// A segment's last line, without which the file is unfinished.
struct SegmentFooter: Equatable, Sendable {
  /// What the line begins with.
  static let opening: StaticString = "{\"end\""

  /// How many records precede it.
  let count: Int
  /// The length and the hash of everything before it.
  let bytes: Int
  let sha256: SHA256Digest

  /// Writes the line, newline included. The writer holds nothing else.
  func encode(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("end")
    writer.write(1)
    writer.name("count")
    writer.write(count)
    writer.name("bytes")
    writer.write(bytes)
    writer.name("sha256")
    sha256.encode(to: &writer)
    LineSuffix.close(&writer)
  }
}

extension SegmentFooter {
  /// Reads a line without its newline; its checksum is the caller's business. Members it does not know are passed over.
  init(reading text: UnsafeRawBufferPointer) throws(JSONError) {
    self = try JSONReader.read(text) { reader throws(JSONError) in
      reader.refusesUnknownMembers = false
      var count: Int?
      var bytes: Int?
      var sha256: SHA256Digest?
      var object = try reader.beginObject()
      while try reader.nextMember(&object) {
        if try reader.member("end", 0, &object) {
          _ = try reader.int(in: 1...(.max))
        } else if try reader.member("count", 1, &object) {
          count = try reader.int(in: 0...(.max))
        } else if try reader.member("bytes", 2, &object) {
          bytes = try reader.int(in: 0...(.max))
        } else if try reader.member("sha256", 3, &object) {
          sha256 = try reader.digest()
        } else {
          try reader.unknownMember(&object, known: "")
        }
      }
      guard reader.has(0, object) else { throw reader.missing("end", object) }
      guard let count else { throw reader.missing("count", object) }
      guard let bytes else { throw reader.missing("bytes", object) }
      guard let sha256 else { throw reader.missing("sha256", object) }
      return SegmentFooter(count: count, bytes: bytes, sha256: sha256)
    }
  }
}

extension SHA256Digest {
  /// As a string.
  func encode(to writer: inout JSONWriter) {
    writer.writeText(room: SHA256Digest.textLength) {
      write(to: $0)
      return SHA256Digest.textLength
    }
  }
}

extension JSONReader {
  /// The next value, a SHA-256.
  mutating func digest() throws(JSONError) -> SHA256Digest {
    try string(as: "64 lower-case hexadecimal digits") { SHA256Digest(utf8: $0) }
  }
}
