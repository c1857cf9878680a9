import CivilTime
import JSON

/// An entry of the quarantine's list for one piece of damage.
package struct QuarantineEntry: Sendable, Equatable {
  /// When it was quarantined, for display only.
  package var at: Instant
  /// The file in which it was found, as a path within the data folder.
  package var file: String
  /// The range in that file, in bytes.
  package var offset: Int
  package var length: Int
  /// The name of a `Finding.Kind`, possibly of a later version.
  package var kind: String
  package var reason: String
  /// The sequence number of the previous good line; 0 when there was none.
  package var previousSequence = 0
  /// The sequence number of the next good line, if any.
  package var nextSequence: Int?
  /// The copy's name within the quarantine; nil when there was nothing to copy.
  package var copy: String?
  /// Whether the copy is the whole file, with the damage at its original offset; otherwise it is only the damaged
  /// bytes.
  package var isWhole = false
  /// The CRC-32C of the damaged bytes, to recognise them.
  package var checksum: UInt32 = 0
  /// The affected records, which are uncertain if not changed after `revision`.
  package var records: [RecordReference] = []
  package var revision = 0

  /// Whether something that was answered may be lost; assumed for unknown kinds.
  package var isLossPossible: Bool { Finding.Kind(rawValue: kind)?.isLossPossible ?? true }

  /// Whether it is routine and was kept only because nothing is discarded.
  package var isEveryday: Bool { Finding.Kind(rawValue: kind)?.isEveryday ?? false }

  /// Whether both describe the same damage, whenever it was found.
  func isSame(as other: QuarantineEntry) -> Bool {
    file == other.file && offset == other.offset && length == other.length && checksum == other.checksum
      && (kind == other.kind || length > 0) && (length > 0 || previousSequence == other.previousSequence)
  }
}

extension QuarantineEntry: Document {
  init() { self.init(at: Instant(milliseconds: 0), file: "", offset: 0, length: 0, kind: "", reason: "") }

  mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError) {
    try members.value("at", &at)
    try members.value("file", &file)
    try members.value("offset", &offset)
    try members.value("length", &length)
    try members.value("kind", &kind)
    try members.value("reason", &reason)
    try members.value("previous", &previousSequence, .optional)
    try members.value("next", &nextSequence)
    try members.value("copy", &copy)
    try members.value("whole", &isWhole, .optional(isWritten: copy != nil))
    try members.value("checksum", &checksum, .optional)
    try members.list("uncertain", &records, isLong: false, .optional)
    try members.value("revision", &revision, .optional)
  }

  var line: [UInt8] { text() }

  /// Parses a line without its newline; nil when it is invalid.
  init?(line: UnsafeRawBufferPointer) {
    guard LineSuffix.isValid(line), let entry = try? QuarantineEntry(reading: line) else { return nil }
    self = entry
  }
}

extension RecordReference: Document {
  init() { self.init(collection: nil, id: .zero) }

  mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError) {
    try members.value("collection", &collection)
    try members.value("id", &id)
  }
}
