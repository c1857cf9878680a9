import CivilTime
import JSON
import Values

/// The name of a backup, and of its folder: when it was made and eight random digits, such as `20261121T203000Z-0b1c2d3e`.
package struct BackupID: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// A new one, made at that instant.
  init(at instant: Instant, random: EntityID) {
    let text = instant.description.utf8.prefix(19).filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
    let digits = String(UInt32(truncatingIfNeeded: random.low), radix: 16)
    description =
      String(decoding: text, as: UTF8.self) + "Z-" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
  }

  /// The one that a text names; nil unless it has that form.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 25 else { return nil }
    for (index, byte) in bytes.enumerated() {
      let isDigit = byte &- UInt8(ascii: "0") < 10
      let isRight =
        switch index {
        case 8: byte == UInt8(ascii: "T")
        case 15: byte == UInt8(ascii: "Z")
        case 16: byte == UInt8(ascii: "-")
        case 17...: isDigit || byte &- UInt8(ascii: "a") < 6
        default: isDigit
        }
      guard isRight else { return nil }
    }
    description = text
  }

  /// The day it was made on, in UTC: `yyyymmdd`.
  var day: Substring { description.prefix(8) }
}

/// Why a backup was made.
package enum BackupReason: String, Sendable, CaseIterable {
  case manual, daily, beforeImport, beforeRestore, beforeMigration
}

/// What `backup.json` says: which files a backup has, and what it is a backup of.
struct BackupList: Sendable, Equatable {
  /// The version of the layout that this code writes.
  static let currentFormat = 1
  /// Its file's name.
  static let fileName = "backup.json"
  /// Lists above this are not read into memory.
  static let longestFile = 1 << 28

  /// A file of a backup.
  struct File: Sendable, Equatable {
    /// Its path within the backup, with `/` between the parts.
    var name: String
    var bytes: Int
    var sha256: SHA256Digest
  }

  var id: BackupID
  /// The store, and the copy of it, that it is a backup of.
  var store: EntityID
  var replica: EntityID
  var created: Instant
  /// The revision of the store's last transaction, and how many records it had.
  var revision: Int
  var records: Int
  var reason: BackupReason
  /// What its maker wanted to remember.
  var note: String?
  /// Whether the store itself was damaged: then it is kept as it was, and cannot be restored.
  var isDamaged = false
  /// Ascending by name.
  var files: [File] = []

  /// How long all files are together.
  var bytes: Int { files.reduce(0) { $0 + $1.bytes } }

  /// The text of the file, a line for each file so that a person can read it.
  var text: [UInt8] {
    var writer = JSONWriter(capacity: 512 + 160 * files.count)
    writer.beginObject()
    writer.name("backup")
    writer.write(BackupList.currentFormat)
    writer.name("id")
    writer.write(id.description)
    writer.name("store")
    writer.write(store.description)
    writer.name("replica")
    writer.write(replica.description)
    writer.name("created")
    writer.write(created.description)
    writer.name("revision")
    writer.write(revision)
    writer.name("records")
    writer.write(records)
    writer.name("reason")
    writer.write(reason.rawValue)
    if let note {
      writer.name("note")
      writer.write(note)
    }
    if isDamaged {
      writer.name("damaged")
      writer.write(true)
    }
    writer.append(",\n\"files\":[")
    for (index, file) in files.enumerated() {
      writer.append(index == 0 ? "\n" : ",\n")
      writer.beginObject()
      writer.name("name")
      writer.write(file.name)
      writer.name("bytes")
      writer.write(file.bytes)
      writer.name("sha256")
      file.sha256.encode(to: &writer)
      writer.endObject()
    }
    writer.append("]")
    LineSuffix.close(&writer)
    return writer.bytes
  }
}

extension BackupList {
  /// Reads the file's text and verifies its checksum; the failure says what is wrong.
  static func read(_ bytes: [UInt8]) -> Result<BackupList, BackupProblem> {
    bytes.withUnsafeBytes { file in
      let text = UnsafeRawBufferPointer(rebasing: file.dropLast())
      guard file.last == UInt8(ascii: "\n"), LineSuffix.isValid(text) else {
        return .failure(BackupProblem(file: fileName, reason: "the checksum does not fit"))
      }
      do throws(JSONError) { return .success(try BackupList(reading: text)) } catch {
        return .failure(BackupProblem(file: fileName, reason: error.description))
      }
    }
  }

  private init(reading text: UnsafeRawBufferPointer) throws(JSONError) {
    self = try JSONReader.read(text) { reader throws(JSONError) in
      reader.refusesUnknownMembers = false
      var id: BackupID?
      var store: EntityID?
      var replica: EntityID?
      var created: Instant?
      var revision: Int?
      var records: Int?
      var reason: BackupReason?
      var note: String?
      var isDamaged = false
      var files: [File] = []
      var object = try reader.beginObject()
      while try reader.nextMember(&object) {
        if try reader.member("backup", 0, &object) {
          _ = try reader.int(in: 1...BackupList.currentFormat)
        } else if try reader.member("id", 1, &object) {
          id = try reader.string(as: "a backup's id") { BackupID(String(decoding: $0, as: UTF8.self)) }
        } else if try reader.member("store", 2, &object) {
          store = try reader.string(as: "a UUID") { EntityID(utf8: $0) }
        } else if try reader.member("replica", 3, &object) {
          replica = try reader.string(as: "a UUID") { EntityID(utf8: $0) }
        } else if try reader.member("created", 4, &object) {
          created = try reader.string(as: "an instant") { Instant(utf8: $0) }
        } else if try reader.member("revision", 5, &object) {
          revision = try reader.int(in: 0...(.max))
        } else if try reader.member("records", 6, &object) {
          records = try reader.int(in: 0...(.max))
        } else if try reader.member("reason", 7, &object) {
          reason = BackupReason(rawValue: try reader.string()) ?? .manual
        } else if try reader.member("note", 8, &object) {
          note = try reader.string()
        } else if try reader.member("damaged", 9, &object) {
          isDamaged = try reader.bool()
        } else if try reader.member("files", 10, &object) {
          files = try reader.backupFiles()
        } else {
          try reader.unknownMember(&object, known: "")
        }
      }
      guard reader.has(0, object) else { throw reader.missing("backup", object) }
      guard let id else { throw reader.missing("id", object) }
      guard let store else { throw reader.missing("store", object) }
      guard let replica else { throw reader.missing("replica", object) }
      guard let created else { throw reader.missing("created", object) }
      guard let revision else { throw reader.missing("revision", object) }
      guard let records else { throw reader.missing("records", object) }
      guard let reason else { throw reader.missing("reason", object) }
      guard reader.has(10, object) else { throw reader.missing("files", object) }
      return BackupList(
        id: id, store: store, replica: replica, created: created, revision: revision, records: records, reason: reason,
        note: note, isDamaged: isDamaged, files: files)
    }
  }

  /// Whether a file of that name can be a part of a backup, so that no list leads out of its folder.
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

extension JSONReader {
  fileprivate mutating func backupFiles() throws(JSONError) -> [BackupList.File] {
    var files: [BackupList.File] = []
    try beginArray()
    while try nextElement(isFirst: files.isEmpty) {
      var name: String?
      var bytes: Int?
      var hash: SHA256Digest?
      var object = try beginObject()
      while try nextMember(&object) {
        if try member("name", 0, &object) {
          name = try string(as: "the name of a store's file") { text in
            let name = String(decoding: text, as: UTF8.self)
            return BackupList.isFileName(name) ? name : nil
          }
        } else if try member("bytes", 1, &object) {
          bytes = try int(in: 0...(.max))
        } else if try member("sha256", 2, &object) {
          hash = try digest()
        } else {
          try unknownMember(&object, known: "")
        }
      }
      guard let name else { throw missing("name", object) }
      guard let bytes else { throw missing("bytes", object) }
      guard let hash else { throw missing("sha256", object) }
      files.append(BackupList.File(name: name, bytes: bytes, sha256: hash))
    }
    return files
  }
}

/// Something about a backup that is not as it should be.
package struct BackupProblem: Error, Sendable, Equatable {
  /// The file's path within the backup.
  package var file: String
  /// What exactly is wrong, for people.
  package var reason: String
}
