import CivilTime
import JSON
import Values

/// The name of a backup and of its folder: the time it was made and eight random digits, such as
/// `20261121T203000Z-0b1c2d3e`.
package struct BackupID: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  init(at instant: Instant, random: EntityID) {
    let text = instant.description.utf8.prefix(19).filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
    let digits = FixedText.digits(UInt32(truncatingIfNeeded: random.low))
    description = String(decoding: text, as: UTF8.self) + "Z-" + digits
  }

  /// Parses an id; nil unless the text has its exact form.
  package init?(_ text: String) {
    let isRight =
      text.utf8.count == 25
      && zip(text.utf8, "00000000T000000Z-ffffffff".utf8).allSatisfy { byte, form in
        switch form {
        case UInt8(ascii: "0"): byte &- UInt8(ascii: "0") < 10
        case UInt8(ascii: "f"): byte &- UInt8(ascii: "0") < 10 || byte &- UInt8(ascii: "a") < 6
        default: byte == form
        }
      }
    guard isRight else { return nil }
    description = text
  }

  /// The UTC day it was made: `yyyymmdd`.
  var day: Substring { description.prefix(8) }
}

package enum BackupReason: String, Sendable, CaseIterable {
  case manual, daily, beforeImport, beforeRestore, beforeMigration, beforeSync
}

/// The content of `backup.json`: the files of a backup, and the store it was made from.
struct BackupList: Sendable, Equatable {
  static let currentFormat = 1
  static let fileName = "backup.json"
  /// The maximum size of a list that is read, in bytes.
  static let longestFile = 1 << 28

  struct File: Sendable, Equatable {
    /// Its path within the backup, with `/` as separator.
    var name = ""
    var bytes = 0
    var sha256 = SHA256Digest.zero
  }

  var format = currentFormat
  var id = BackupID(at: Instant(milliseconds: 0), random: .zero)
  /// The ids of the store and of the replica it was made from.
  var store = EntityID.zero
  var replica = EntityID.zero
  var created = Instant(milliseconds: 0)
  /// The revision of the store's last transaction, and its number of records.
  var revision = 0
  var records = 0
  var reason = BackupReason.manual
  var note: String?
  /// Whether the store itself was damaged; the backup then keeps it as it was, and cannot be restored.
  var isDamaged = false
  /// Ascending by name.
  var files: [File] = []

  var bytes: Int { files.reduce(0) { $0 + $1.bytes } }

  /// The text of the file, with one line per file so that it is readable.
  var text: [UInt8] { text(capacity: 512 + 160 * files.count) }
}

extension BackupList: Document {
  mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError) {
    try members.number("backup", &format, in: 1...BackupList.currentFormat)
    try members.value("id", &id)
    try members.value("store", &store)
    try members.value("replica", &replica)
    try members.value("created", &created)
    try members.value("revision", &revision)
    try members.value("records", &records)
    try members.value("reason", &reason)
    try members.value("note", &note)
    try members.value("damaged", &isDamaged, .optional(isWritten: isDamaged))
    members.breakLine()
    try members.list("files", &files, isLong: true, .required)
  }
}

extension BackupList.File: Document {
  mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError) {
    try members.value("name", &name)
    try members.value("bytes", &bytes)
    try members.value("sha256", &sha256)
  }

  var flaw: String? { BackupList.isFileName(name) ? nil : "the name of a store's file" }
}

extension BackupReason: DocumentValue {
  static func read(from reader: inout JSONReader) throws(JSONError) -> BackupReason {
    BackupReason(rawValue: try reader.string()) ?? .manual
  }
  func write(to writer: inout JSONWriter) { writer.write(rawValue) }
}

extension BackupID: DocumentValue {
  static func read(from reader: inout JSONReader) throws(JSONError) -> BackupID {
    try reader.string(as: "a backup's id") { BackupID(String(decoding: $0, as: UTF8.self)) }
  }
  func write(to writer: inout JSONWriter) { writer.write(description) }
}

extension BackupList {
  /// Whether a backup can contain a file of that name, so that no list refers outside its folder.
  static func isFileName(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    switch parts.count {
    case 1: return parts[0] == StoreFolder.Name.identity || parts[0] == ManifestFiles.Name.current
    case 2: return parts[0] == StoreFolder.Name.journal && JournalFile.number(of: parts[1]) != nil
    case 3:
      return parts[0] == StoreFolder.Name.segments && CollectionName(parts[1]).isFileName
        && SegmentFileName(parts[2]) != nil
    default: return false
    }
  }
}

package struct BackupProblem: Error, Sendable, Equatable {
  package var file: String
  package var reason: String
}
