import JSON

/// A manifest's entry for a segment.
struct SegmentEntry: Hashable, Sendable {
  var key = SegmentKey()
  /// 1 or more; part of the file's name, which is never reused.
  var generation = 0
  var count = 0
  var bytes = 0
  var sha256 = SHA256Digest.zero
  /// The lowest and highest revision of its records; 0 when there are none.
  var minRevision = 0
  var maxRevision = 0

  /// The file's name within the collection's folder.
  var fileName: String { key.fileName(generation: generation) }

  /// The file's path within the segments folder.
  var path: String { key.folderName + "/" + fileName }
}

extension SegmentEntry: Document {
  mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError) {
    try key.code(&members)
    try members.number("generation", &generation, in: 1...(.max))
    try members.value("count", &count)
    try members.value("bytes", &bytes)
    try members.value("sha256", &sha256)
    try members.value("minRevision", &minRevision)
    try members.value("maxRevision", &maxRevision)
  }

  init?(plain text: inout PlainReader, after previous: SegmentEntry?) {
    guard text.skip("{\"collection\":\""), let key = SegmentKey(plain: &text, after: previous?.key),
      text.skip(",\"generation\":"),
      let generation = text.number(), generation > 0, text.skip(",\"count\":"), let count = text.number(),
      text.skip(",\"bytes\":"), let bytes = text.number(), text.skip(",\"sha256\":\""), let sha256 = text.sha256(),
      text.skip("\",\"minRevision\":"), let minRevision = text.number(), text.skip(",\"maxRevision\":"),
      let maxRevision = text.number(), text.skip("}")
    else { return nil }
    self.init(
      key: key, generation: generation, count: count, bytes: bytes, sha256: sha256, minRevision: minRevision,
      maxRevision: maxRevision)
  }
}
