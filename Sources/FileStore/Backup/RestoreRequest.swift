import CivilTime
import JSON
import Values

/// What `pending-restore.json` says: which backup is to take the place of the store at the next start.
package struct RestoreRequest: Sendable, Equatable {
  static let fileName = "pending-restore.json"
  /// What the name of the folder begins with in which the files wait.
  static let stagingPrefix = "restore-"
  /// After so many failures it is given up.
  package static let maximumAttempts = 3

  package var backup: BackupID
  /// The folder, within the data folder, that the backup was copied to.
  var staging: String
  /// The hash of the backup's list.
  var list: SHA256Digest
  package var requestedBy: String
  package var at: Instant
  /// How often it was begun.
  package var attempts = 0
  /// The backup of what was there before, once it is made.
  package var saved: BackupID?
  /// The hash of the manifest that makes the restored files the store: where that is found, the restore is done.
  var manifest: SHA256Digest?
  /// What became of it, for people.
  package var outcome: String?

  /// The file's name once it was dealt with.
  func fileName(isDone: Bool) -> String {
    "\(isDone ? "done" : "failed")-restore-\(staging.dropFirst(RestoreRequest.stagingPrefix.count)).json"
  }

  /// The file's text.
  var text: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("restore")
    writer.write(1)
    writer.name("backup")
    writer.write(backup.description)
    writer.name("staging")
    writer.write(staging)
    writer.name("list")
    list.encode(to: &writer)
    writer.name("requestedBy")
    writer.write(requestedBy)
    writer.name("at")
    writer.write(at.description)
    writer.name("attempts")
    writer.write(attempts)
    if let saved {
      writer.name("saved")
      writer.write(saved.description)
    }
    if let manifest {
      writer.name("manifest")
      manifest.encode(to: &writer)
    }
    if let outcome {
      writer.name("outcome")
      writer.write(outcome)
    }
    LineSuffix.close(&writer)
    return writer.bytes
  }
}

extension RestoreRequest {
  /// Reads the file's text; nil when it is not what was written.
  init?(reading bytes: [UInt8]) {
    let request = bytes.withUnsafeBytes { file -> RestoreRequest? in
      let text = UnsafeRawBufferPointer(rebasing: file.dropLast())
      guard file.last == UInt8(ascii: "\n"), LineSuffix.isValid(text) else { return nil }
      return try? RestoreRequest(text)
    }
    guard let request else { return nil }
    self = request
  }

  private init(_ text: UnsafeRawBufferPointer) throws(JSONError) {
    self = try JSONReader.read(text) { reader throws(JSONError) in
      reader.refusesUnknownMembers = false
      var backup: BackupID?
      var staging: String?
      var list: SHA256Digest?
      var requestedBy = ""
      var at: Instant?
      var attempts = 0
      var saved: BackupID?
      var manifest: SHA256Digest?
      var outcome: String?
      var object = try reader.beginObject()
      while try reader.nextMember(&object) {
        if try reader.member("restore", 0, &object) {
          _ = try reader.int(in: 1...1)
        } else if try reader.member("backup", 1, &object) {
          backup = try reader.backupID()
        } else if try reader.member("staging", 2, &object) {
          staging = try reader.string(as: "the name of a folder") { text in
            let name = String(decoding: text, as: UTF8.self)
            return RestoreRequest.isStaging(name) ? name : nil
          }
        } else if try reader.member("list", 3, &object) {
          list = try reader.digest()
        } else if try reader.member("requestedBy", 4, &object) {
          requestedBy = try reader.string()
        } else if try reader.member("at", 5, &object) {
          at = try reader.string(as: "an instant") { Instant(utf8: $0) }
        } else if try reader.member("attempts", 6, &object) {
          attempts = try reader.int(in: 0...1_000_000)
        } else if try reader.member("saved", 7, &object) {
          saved = try reader.backupID()
        } else if try reader.member("manifest", 8, &object) {
          manifest = try reader.digest()
        } else if try reader.member("outcome", 9, &object) {
          outcome = try reader.string()
        } else {
          try reader.unknownMember(&object, known: "")
        }
      }
      guard let backup else { throw reader.missing("backup", object) }
      guard let staging else { throw reader.missing("staging", object) }
      guard let list else { throw reader.missing("list", object) }
      guard let at else { throw reader.missing("at", object) }
      return RestoreRequest(
        backup: backup, staging: staging, list: list, requestedBy: requestedBy, at: at, attempts: attempts,
        saved: saved, manifest: manifest, outcome: outcome)
    }
  }

  /// Whether a name within the data folder is that of a staging folder.
  static func isStaging(_ name: String) -> Bool {
    name.hasPrefix(stagingPrefix) && name.utf8.count <= 64
      && name.utf8.allSatisfy { $0 == UInt8(ascii: "-") || ($0 | 0x20) &- UInt8(ascii: "a") < 26 || $0 &- 0x30 < 10 }
  }
}

extension JSONReader {
  /// The next value, a backup's id.
  mutating func backupID() throws(JSONError) -> BackupID {
    try string(as: "a backup's id") { BackupID(String(decoding: $0, as: UTF8.self)) }
  }
}
