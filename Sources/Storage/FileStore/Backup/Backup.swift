import CivilTime

/// A backup, as a list of backups shows it.
package struct Backup: Sendable, Equatable {
  package let id: BackupID
  /// When it was made; nil when that cannot be read.
  package let created: Instant?
  package let reason: BackupReason
  /// What its maker wanted to remember.
  package let note: String?
  /// The revision of the store's last transaction, and how many records it had.
  package let revision: Int
  package let records: Int
  /// How long its files are together; what it shares with other backups takes room once.
  package let bytes: Int
  /// Why it cannot be restored; nil for one that was whole when it was last verified.
  package let problem: BackupProblem?

  /// Whether it was whole when it was last verified, and nothing contradicts that at first sight.
  package var isVerified: Bool { problem == nil }

  init(_ list: BackupList, problem: BackupProblem? = nil) {
    id = list.id
    created = list.created
    reason = list.reason
    note = list.note
    revision = list.revision
    records = list.records
    bytes = list.bytes
    let damaged = BackupProblem(file: BackupList.fileName, reason: "the store was damaged when it was made")
    self.problem = problem ?? (list.isDamaged ? damaged : nil)
  }

  /// One whose list cannot be used.
  init(id: BackupID, problem: BackupProblem) {
    self.id = id
    created = nil
    reason = .manual
    note = nil
    (revision, records, bytes) = (0, 0, 0)
    self.problem = problem
  }
}

/// The order of a list of backups: the newest first.
extension Backup {
  static func isNewer(_ left: Backup, _ right: Backup) -> Bool {
    let lefts = (left.created?.milliseconds ?? .min, left.revision)
    let rights = (right.created?.milliseconds ?? .min, right.revision)
    return lefts != rights ? lefts > rights : left.id.description > right.id.description
  }
}
