import Platform
import Synchronization

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

  /// Makes a checkpoint now, on this thread, unless another process is at it.
  ///
  /// - Throws: What kept it from being made; the store is as it was then.
  package func checkpoint() throws(StoreError) {
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
    guard !configuration.isInline, !configuration.isReader, isCheckpointDue, checkpoints.begin() else { return }
    loaded?.attemptedCheckpoint = loaded?.memory.revision ?? 0
    let started = Threads.start { [configuration, checkpoints] in
      var failure: StoreError?
      do throws(StoreError) {
        if var checkpoint = try Checkpoint(configuration) {
          try checkpoint.run {
            Threads.rest(milliseconds: 1)
            return !checkpoints.isStopping
          }
        }
      } catch { failure = error }
      checkpoints.end()
      configuration.onCheckpoint(failure)
    }
    if !started { checkpoints.end() }
  }
}

/// Whether a checkpoint is at work on a thread of this process.
package final class CheckpointState: Sendable {
  private let running = Atomic<Bool>(false)
  private let stopping = Atomic<Bool>(false)

  /// Whether one is at work.
  package var isRunning: Bool { running.load(ordering: .acquiring) }

  /// Whether one that waits should give up.
  var isStopping: Bool { stopping.load(ordering: .acquiring) }

  /// Begins one; false when one is at work, or none should begin any more.
  func begin() -> Bool {
    guard !isStopping else { return false }
    return !running.exchange(true, ordering: .acquiringAndReleasing)
  }

  func end() { running.store(false, ordering: .releasing) }

  /// Lets no further one begin, and none wait.
  package func stop() { stopping.store(true, ordering: .releasing) }
}
