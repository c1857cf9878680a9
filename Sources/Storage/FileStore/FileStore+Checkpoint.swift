import Platform

extension FileStore {
  /// Whether the journals after the segments have grown enough to justify a checkpoint. Once nobody has written for a
  /// while, a sixteenth is enough: the next start then has little to read.
  func isCheckpointDue(isQuiet: Bool) -> Bool {
    guard let loaded, refusal == nil else { return false }
    if isQuiet, configuration.checkpoints.now &- loaded.attemptedAt >= 20 * configuration.quietTime {
      loaded.attemptedCheckpoint = 0
    }
    let transactions = loaded.memory.revision - max(loaded.memory.snapshot.base.revision, loaded.attemptedCheckpoint)
    // A failed checkpoint is not retried at every write.
    let hasFailed = loaded.attemptedCheckpoint > loaded.memory.snapshot.base.revision
    guard !hasFailed || transactions * 5 >= configuration.checkpointTransactions else { return false }
    // A torn end is long, but nothing to fold.
    guard transactions > 0 || loaded.memory.snapshot.base.isRebuilt else { return false }
    let factor = isQuiet ? 16 : 1
    return transactions * factor >= configuration.checkpointTransactions
      || loaded.tailBytes * factor >= configuration.checkpointBytes
  }

  /// Whether the journals are so long that they slow the start, so that a checkpoint must not be put off any longer.
  private var isCheckpointUrgent: Bool {
    guard let loaded else { return false }
    return loaded.memory.revision - loaded.memory.snapshot.base.revision >= configuration.checkpointTransactions
      * FileStore.urgency || loaded.tailBytes >= configuration.checkpointBytes * FileStore.urgency
  }

  /// The factor by which the journals may exceed the usual thresholds while checkpoints would take more than a tenth
  /// of the time.
  private static let urgency = 64

  /// Makes a checkpoint now, on this thread, unless another process is making one.
  ///
  /// - Throws: Why it could not be made; the store is then unchanged.
  package func checkpoint() throws(StoreError) {
    // After a failed sync, data that reads back well may still not be on the medium, and another sync proves nothing.
    if let refusal { throw refusal }
    guard var checkpoint = try Checkpoint(configuration) else { return }
    // In a simulation no other thread could make progress while this one waits.
    try checkpoint.run { [configuration] in
      guard !configuration.isInline else { return false }
      Threads.rest(milliseconds: 1)
      return true
    }
  }

  /// Starts a checkpoint on its own thread if one is due. One that failed, or found another process at it, is tried
  /// again after a fifth of the usual changes, and in a quiet store after ten minutes.
  ///
  /// - Parameter isQuiet: Whether nobody has written for a while.
  func checkpointIfDue(isQuiet: Bool = false) {
    guard !configuration.isInline, !configuration.isReader, isCheckpointDue(isQuiet: isQuiet),
      configuration.checkpoints.begin(isUrgent: isCheckpointUrgent)
    else { return }
    let revision = loaded?.memory.revision ?? 0
    loaded?.attemptedCheckpoint = revision
    loaded?.attemptedAt = configuration.checkpoints.now
    // It runs at normal priority, because a write may wait for it, but yields to other work.
    let started = Threads.start(yields: true) { [configuration, queue] in
      // Otherwise a large line still being written would be read in part, and be in memory twice.
      while queue.durableRevision < revision, queue.isSettling, !queue.hasFailed,
        !configuration.checkpoints.isStopping
      {
        Threads.rest(milliseconds: 1)
      }
      do throws(StoreError) {
        if var checkpoint = try Checkpoint(configuration) {
          try checkpoint.run {
            Threads.rest(milliseconds: 1)
            return !configuration.checkpoints.isStopping
          }
        }
      } catch {}
      configuration.checkpoints.end()
    }
    if !started { configuration.checkpoints.end() }
  }
}
