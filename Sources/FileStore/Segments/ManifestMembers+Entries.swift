import JSON
import Values

extension ManifestMembers {
  /// The journals of the past.
  mutating func readHistory(_ reader: inout JSONReader) throws(JSONError) -> [Manifest.HistoryEntry] {
    var history: [Manifest.HistoryEntry] = []
    try reader.beginArray()
    while try reader.nextElement(isFirst: history.isEmpty) { history.append(try readHistoryEntry(&reader)) }
    return history
  }

  private mutating func readHistoryEntry(_ reader: inout JSONReader) throws(JSONError) -> Manifest.HistoryEntry {
    var number: Int?
    var bytes: Int?
    var sha256: SHA256Digest?
    var first: Int?
    var last: Int?
    var object = try reader.beginObject()
    while try reader.nextMember(&object) {
      if try reader.member("number", 0, &object) {
        number = try reader.int(in: 1...(.max))
      } else if try reader.member("bytes", 1, &object) {
        bytes = try reader.int(in: 0...(.max))
      } else if try reader.member("sha256", 2, &object) {
        sha256 = try reader.digest()
      } else if try reader.member("firstRevision", 3, &object) {
        first = try reader.int(in: 0...(.max))
      } else if try reader.member("lastRevision", 4, &object) {
        last = try reader.int(in: 0...(.max))
      } else {
        try pass(&reader, &object)
      }
    }
    guard let number else { throw reader.missing("number", object) }
    guard let bytes else { throw reader.missing("bytes", object) }
    guard let sha256 else { throw reader.missing("sha256", object) }
    guard let first else { throw reader.missing("firstRevision", object) }
    guard let last else { throw reader.missing("lastRevision", object) }
    return Manifest.HistoryEntry(
      number: number, bytes: bytes, sha256: sha256, firstRevision: first, lastRevision: last)
  }

  /// The segments, ascending by key.
  mutating func readSegments(_ reader: inout JSONReader) throws(JSONError) -> [SegmentEntry] {
    var segments: [SegmentEntry] = []
    try reader.beginArray()
    while try reader.nextElement(isFirst: segments.isEmpty) {
      let start = reader.position
      let entry = try readSegment(&reader)
      if let last = segments.last, !(last.key < entry.key) {
        throw JSONError(.outOfRange, at: start, expected: "segments in ascending order, each once")
      }
      segments.append(entry)
    }
    return segments
  }

  /// One of them.
  mutating func readSegment(_ reader: inout JSONReader) throws(JSONError) -> SegmentEntry {
    var collection: String?
    var month: MonthKey?
    var (generation, count, bytes) = (0, 0, 0)
    var sha256: SHA256Digest?
    var (minRevision, maxRevision) = (0, 0)
    var object = try reader.beginObject()
    while try reader.nextMember(&object) {
      if try reader.member("collection", 0, &object) {
        collection = try reader.string()
      } else if try reader.member("month", 1, &object) {
        month = try reader.string(as: "a month or “all”") { MonthKey(utf8: $0) }
      } else if try reader.member("generation", 2, &object) {
        generation = try reader.int(in: 1...(.max))
      } else if try reader.member("count", 3, &object) {
        count = try reader.int(in: 0...(.max))
      } else if try reader.member("bytes", 4, &object) {
        bytes = try reader.int(in: 0...(.max))
      } else if try reader.member("sha256", 5, &object) {
        sha256 = try reader.digest()
      } else if try reader.member("minRevision", 6, &object) {
        minRevision = try reader.int(in: 0...(.max))
      } else if try reader.member("maxRevision", 7, &object) {
        maxRevision = try reader.int(in: 0...(.max))
      } else {
        try pass(&reader, &object)
      }
    }
    guard let collection else { throw reader.missing("collection", object) }
    guard let month else { throw reader.missing("month", object) }
    guard reader.has(2, object) else { throw reader.missing("generation", object) }
    guard reader.has(3, object) else { throw reader.missing("count", object) }
    guard reader.has(4, object) else { throw reader.missing("bytes", object) }
    guard let sha256 else { throw reader.missing("sha256", object) }
    guard reader.has(6, object) else { throw reader.missing("minRevision", object) }
    guard reader.has(7, object) else { throw reader.missing("maxRevision", object) }
    guard let key = SegmentKey(CollectionName(collection), month) else {
      throw JSONError(.outOfRange, at: object.start, expected: "a collection whose name can be a folder's")
    }
    return SegmentEntry(
      key: key, generation: generation, count: count, bytes: bytes, sha256: sha256, minRevision: minRevision,
      maxRevision: maxRevision)
  }
}
