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
  /// What kind of thing it is: the name of a `Finding.Kind`, perhaps of a later version.
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
  package var isLossPossible: Bool { Finding.Kind(rawValue: kind)?.isLossPossible ?? true }

  /// Whether it is an everyday thing, kept only because nothing is thrown away.
  package var isEveryday: Bool { Finding.Kind(rawValue: kind)?.isEveryday ?? false }

  /// Whether both tell of the same damage, whenever it was found.
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

  /// The line of the list, newline included.
  var line: [UInt8] { text() }

  /// Reads a line without its newline; nil when its checksum does not fit or it is not understood.
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
