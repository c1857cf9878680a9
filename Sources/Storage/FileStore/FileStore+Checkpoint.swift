import Platform

extension FileStore {
  /// Whether the journals behind the segments have grown so long that a checkpoint is worth it.
  package var isCheckpointDue: Bool {
    guard let loaded, refusal == nil else { return false }
    let transactions = loaded.memory.revision - max(loaded.memory.snapshot.base.revision, loaded.attemptedCheckpoint)
    // What has just failed is not tried again at every write.
    let hasFailed = loaded.attemptedCheckpoint > loaded.memory.snapshot.base.revision
    guard !hasFailed || transactions * 5 >= configuration.checkpointTransactions else { return false }
    return transactions >= configuration.checkpointTransactions || loaded.tailBytes >= configuration.checkpointBytes
  }

  /// Whether the journals have grown so long that a start would feel it, however busy it is just now.
  private var isCheckpointUrgent: Bool {
    guard let loaded else { return false }
    return loaded.memory.revision - loaded.memory.snapshot.base.revision >= configuration.checkpointTransactions
      * FileStore.urgency || loaded.tailBytes >= configuration.checkpointBytes * FileStore.urgency
  }

  /// How many times as long as usual the journals may grow while changes come so fast that checkpoints would take more than a tenth of
  /// the time.
  private static let urgency = 64

  /// Makes a checkpoint now, on this thread, unless another process is at it.
  ///
  /// - Throws: What kept it from being made; the store is as it was then.
  package func checkpoint() throws(StoreError) {
    // After a failed sync what reads well need not be on the medium, and another sync proves nothing.
    if let refusal { throw refusal }
    guard var checkpoint = try Checkpoint(configuration) else { return }
    // In a simulation nobody else can go on while this one waits.
    try checkpoint.run { [configuration] in
      guard !configuration.isInline else { return false }
      Threads.rest(milliseconds: 1)
      return true
    }
  }

  /// Begins a checkpoint on a thread of its own if one is due. It is told through `onCheckpoint` when it is over.
  func checkpointIfDue() {
    guard !configuration.isInline, !configuration.isReader, isCheckpointDue,
      configuration.checkpoints.begin(isUrgent: isCheckpointUrgent)
    else { return }
    let revision = loaded?.memory.revision ?? 0
    loaded?.attemptedCheckpoint = revision
    // It has the priority of others, for a write may wait for it, but lets them have their turns.
    let started = Threads.start(givesWay: true) { [configuration, queue] in
      // A large line that is being written would be read in part first, and be in memory twice.
      while queue.durableRevision < revision, queue.isSettling, !queue.hasFailed,
        !configuration.checkpoints.isStopping
      {
        Threads.rest(milliseconds: 1)
      }
      var failure: StoreError?
      do throws(StoreError) {
        if var checkpoint = try Checkpoint(configuration) {
          try checkpoint.run {
            Threads.rest(milliseconds: 1)
            return !configuration.checkpoints.isStopping
          }
        }
      } catch { failure = error }
      configuration.checkpoints.end()
      configuration.onCheckpoint(failure)
    }
    if !started { configuration.checkpoints.end() }
  }
}
