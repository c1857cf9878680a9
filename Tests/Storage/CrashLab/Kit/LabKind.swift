/// The kinds of cases.
package enum LabKind: String, Sendable, CaseIterable {
  /// A short script of commits, with a power cut before each change.
  case append
  /// The same with a misbehaving disk and checkpoints.
  case faults
  /// The same with several processes, some of which are killed.
  case processes
  /// Checkpoints at once and step by step, with others' commits in between, and a power cut before each change.
  case checkpoint
  /// A process is killed during a commit, and another one's call fails while it makes those lines durable before its
  /// answer.
  case proof
  /// As `checkpoint`, with a process killed before each of its calls, the others continuing, and a power cut at the
  /// end.
  case kill
  /// A power cut, then one during the recovery, the first write after it and a checkpoint.
  case recovery
  /// A power cut while backups are made.
  case backup
  /// The same with backups and restores.
  case restore
  /// Long runs of several processes, kills, faults, and successive power cuts.
  case run
  /// Every byte and line of a small store changed, cut, lost, doubled.
  case mutation

  /// What the store must support for it.
  package var verbs: [LabVerb] {
    switch self {
    case .append, .faults, .processes, .proof, .run: []
    case .checkpoint, .kill, .recovery, .mutation: [.checkpoint]
    case .backup: [.checkpoint, .backup]
    case .restore: [.checkpoint, .backup, .restore]
    }
  }

  /// The relative work of a point, so that all kinds get roughly the same share of the time.
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
