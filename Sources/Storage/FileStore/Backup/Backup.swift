import CivilTime

package struct Backup: Sendable, Equatable {
  package let id: BackupID
  /// When it was made; nil when unreadable.
  package let created: Instant?
  package let reason: BackupReason
  package let note: String?
  /// The revision of the store's last transaction, and its number of records.
  package let revision: Int
  package let records: Int
  /// The total size of its files; files shared with other backups use space only once.
  package let bytes: Int
  /// Why it cannot be restored; nil if it passed its last verification.
  package let problem: BackupProblem?

  /// Whether it passed its last verification, and a quick check finds nothing wrong.
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

  /// A backup with an unusable list.
  init(id: BackupID, problem: BackupProblem) {
    self.id = id
    created = nil
    reason = .manual
    note = nil
    (revision, records, bytes) = (0, 0, 0)
    self.problem = problem
  }
}

/// Backups are listed newest first.
extension Backup {
  static func isNewer(_ left: Backup, _ right: Backup) -> Bool {
    let lefts = (left.created?.milliseconds ?? .min, left.revision)
    let rights = (right.created?.milliseconds ?? .min, right.revision)
    return lefts != rights ? lefts > rights : left.id.description > right.id.description
  }
}
