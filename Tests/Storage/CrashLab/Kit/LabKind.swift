/// What is tried.
package enum LabKind: String, Sendable, CaseIterable {
  /// A short script of commits, and a power cut before each of its changes.
  case append
  /// The same while the disk misbehaves, with checkpoints.
  case faults
  /// The same by several processes, some of which are killed.
  case processes
  /// Checkpoints at once and step by step, with others' commits in between, and a power cut before each change.
  case checkpoint
  /// A process is killed over a commit, and a call of another one fails while it makes those lines durable to answer because of them.
  case proof
  /// The same as `checkpoint` with a process killed before each of its calls, the others going on, and a power cut at the end.
  case kill
  /// A power cut, then one during the recovery, the first write after it and a checkpoint.
  case recovery
  /// A power cut with backups being made.
  case backup
  /// The same with backups and restores.
  case restore
  /// Long runs of several processes, kills, faults, and power cuts one after the other.
  case run
  /// Every byte and line of a small store changed, cut, lost, doubled.
  case mutation

  /// What the store must be able to do for it.
  package var verbs: [LabVerb] {
    switch self {
    case .append, .faults, .processes, .proof, .run: []
    case .checkpoint, .kill, .recovery, .mutation: [.checkpoint]
    case .backup: [.checkpoint, .backup]
    case .restore: [.checkpoint, .backup, .restore]
    }
  }

  /// How much work a point of it is, compared with others: all kinds get the same share of the time, more or less.
  var cost: Int {
    switch self {
    case .append, .proof: 2
    case .faults: 4
    case .processes, .recovery, .backup, .restore: 5
    // It has one row for all profiles.
    case .mutation: 6
    case .checkpoint: 8
    case .run: 26
    case .kill: 100
    }
  }
}
