/// What is tried.
package enum LabKind: String, Sendable, CaseIterable {
  /// A short script of commits, and a power cut before each of its changes.
  case append
  /// The same while the disk misbehaves.
  case faults
  /// The same by several processes, some of which are killed.
  case processes
  /// A power cut, then one during the recovery and the first write after it.
  case recovery
  /// The same with checkpoints in between.
  case checkpoint
  /// The same with backups.
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
    case .append, .faults, .processes, .recovery, .run, .mutation: []
    case .checkpoint: [.checkpoint]
    case .backup: [.checkpoint, .backup]
    case .restore: [.checkpoint, .backup, .restore]
    }
  }
}
