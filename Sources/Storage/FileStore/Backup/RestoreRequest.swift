import CivilTime
import JSON

/// The content of `pending-restore.json`: the backup that replaces the store at the next start.
package struct RestoreRequest: Sendable, Equatable {
  static let fileName = "pending-restore.json"
  static let stagingPrefix = "restore-"
  /// The number of failures after which it is given up.
  package static let maximumAttempts = 3

  var format = 1
  package var backup = BackupID(at: Instant(milliseconds: 0), random: .zero)
  /// The folder, within the data folder, to which the backup was copied.
  var staging = ""
  var list = SHA256Digest.zero
  package var requestedBy = ""
  package var at = Instant(milliseconds: 0)
  package var attempts = 0
  /// The backup of the previous state, once it is made.
  package var saved: BackupID?
  /// The hash of the manifest that commits the restored files: if that manifest exists, the restore is done.
  var manifest: SHA256Digest?
  package var outcome: String?

  /// The file's name once it is finished.
  func fileName(isDone: Bool) -> String {
    "\(isDone ? "done" : "failed")-restore-\(staging.dropFirst(RestoreRequest.stagingPrefix.count)).json"
  }

  var text: [UInt8] { text() }
}

extension RestoreRequest: Document {
  mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError) {
    try members.number("restore", &format, in: 1...1)
    try members.value("backup", &backup)
    try members.value("staging", &staging)
    try members.value("list", &list)
    try members.value("requestedBy", &requestedBy, .optional)
    try members.value("at", &at)
    try members.value("attempts", &attempts, .optional)
    try members.value("saved", &saved)
    try members.value("manifest", &manifest)
    try members.value("outcome", &outcome)
  }

  var flaw: String? { RestoreRequest.isStaging(staging) ? nil : "the name of a folder" }

  /// Whether a name within the data folder is a staging folder's.
  static func isStaging(_ name: String) -> Bool {
    name.hasPrefix(stagingPrefix) && name.utf8.count <= 64
      && name.utf8.allSatisfy { $0 == UInt8(ascii: "-") || ($0 | 0x20) &- UInt8(ascii: "a") < 26 || $0 &- 0x30 < 10 }
  }
}
