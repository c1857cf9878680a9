import Platform
import Synchronization

/// A journal line on its way to the disk.
struct PendingLine: Sendable {
  let revision: Int
  let bytes: [UInt8]
}

/// What the store's owner and the commit thread share: the lines that wait, and what became of them.
final class CommitQueue: Sendable {
  /// What the lock guards.
  struct State: Sendable {
    var lines: [PendingLine] = []
    /// Set from a failure on until the owner has rolled back.
    var failure: StoreError?
    /// Set when no write will ever work again.
    var refusal: StoreError?
    var isWriting = false
    var isClosing = false
    var isOwnerWaiting = false
  }

  let state = Guarded(State())
  private let durable: Atomic<Int>
  /// Signalled when there is something to write.
  let work = Parker()
  /// Signalled when the waiting owner may go on.
  let idle = Parker()

  init(durable revision: Int) { durable = Atomic(revision) }

  /// The highest revision that is safe on disk.
  var durableRevision: Int { durable.load(ordering: .acquiring) }

  // MARK: the owner's side

  /// The failure that has to be rolled back, or that refuses every write.
  var obstacle: StoreError? { state.withLock { $0.failure ?? $0.refusal } }

  /// Whether something failed and was not rolled back.
  var hasFailed: Bool { state.withLock { $0.failure != nil } }

  /// Queues a line; false when a failure came before it.
  func enqueue(_ line: PendingLine) -> Bool {
    let (isTaken, wasEmpty) = state.withLock { state in
      guard state.failure == nil, state.refusal == nil else { return (false, false) }
      state.lines.append(line)
      return (true, state.lines.count == 1)
    }
    if wasEmpty { work.unpark() }
    return isTaken
  }

  /// Lets lines through again after the owner rolled back.
  func clearFailure() { state.withLock { $0.failure = nil } }

  /// Lets the thread end once everything queued is written.
  func finish() {
    state.withLock { $0.isClosing = true }
    work.unpark()
  }

  // MARK: the thread's side

  /// Says how far writing has come.
  func advance(to revision: Int) { durable.store(revision, ordering: .releasing) }

  /// Says that what is not durable failed: what is queued goes with it, and nothing is taken until the owner has
  /// rolled back, or never again if `isFinal`.
  func fail(_ error: StoreError, isFinal: Bool) {
    state.withLock { state in
      state.lines = []
      state.failure = error
      if isFinal { state.refusal = error }
    }
  }

  /// Says that the batch is dealt with and everyone has been told.
  func endBatch() {
    let mustWake = state.withLock { state in
      state.isWriting = false
      guard state.isOwnerWaiting, state.lines.isEmpty else { return false }
      state.isOwnerWaiting = false
      return true
    }
    if mustWake { idle.unpark() }
  }
}
