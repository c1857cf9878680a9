/// What a manifest says of a segment.
struct SegmentEntry: Hashable, Sendable {
  let key: SegmentKey
  /// 1 or more; a part of the file's name, which is never used again.
  let generation: Int
  /// How many records it has.
  let count: Int
  /// The file's whole length.
  let bytes: Int
  /// The hash of the whole file.
  let sha256: SHA256Digest
  /// The lowest and highest revision among its records; 0 when there are none.
  let minRevision: Int
  let maxRevision: Int

  /// Its file's name within the collection's folder.
  var fileName: String { key.fileName(generation: generation) }
}
