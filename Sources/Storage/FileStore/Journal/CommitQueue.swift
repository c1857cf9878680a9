import Platform
import Synchronization

/// The state shared by the store's owner and the commit thread: queued lines, their outcome, and the write window.
///
/// A window is open while this process holds the folder's lock: from before the first transaction is checked against
/// others' writes until the last line is durable. The side that finds nothing left to do closes it.
///
/// Every line ends in one of two ways: its revision becomes durable, or a failure is reported, which the owner rolls
/// back.
final class CommitQueue: Sendable {
  struct State: Sendable {
    var lines: [PendingLine] = []
    var obstacle: Obstacle?
    /// The revision up to which this process has synced everything, including others' writes.
    var proven = 0
    var isWriting = false
    /// Whether the reserve was released and not made again since.
    var hasReleasedReserve = false
    /// Whether the callbacks for a written batch are running.
    var isNotifying = false
    var isClosing = false
    var isOwnerWaiting = false
    /// The lock file, while the window is open.
    var window: Descriptor?
    /// How many times the owner has entered the window without leaving it.
    var entries = 0
    /// The number of batches written in this window.
    var batches = 0
    /// Where the window's first batch begins, until the writer takes it.
    var start: WindowStart?
    /// Where the writer left the journal, until the owner takes it.
    var written: JournalPosition?
  }

  enum Obstacle: Sendable {
    /// A write failed: nothing is accepted until the owner has rolled back, nor after that if it is final.
    case failed(StoreError, isFinal: Bool)
    /// Writing has failed for good.
    case final(StoreError)

    var error: StoreError {
      switch self {
      case .failed(let error, _), .final(let error): error
      }
    }

    /// Whether a rollback is pending.
    var isFailure: Bool { if case .failed = self { true } else { false } }
  }

  /// The number of batches after which a window is closed so that other processes get their turn.
  static let maximumBatches = 128

  let state = Guarded(State())
  private let durable = Atomic(0)
  private let fileSystem: any FileSystem
  /// Unparked when there is something to write.
  let work = Parker()
  /// Unparked when the waiting owner may continue.
  let idle = Parker()

  init(_ fileSystem: any FileSystem) { self.fileSystem = fileSystem }

  /// The highest durable revision.
  var durableRevision: Int { durable.load(ordering: .acquiring) }

  func advance(to revision: Int) { durable.store(revision, ordering: .releasing) }

  /// The revision up to which this process has synced everything.
  var provenRevision: Int { state.withLock { $0.proven } }

  /// Records the revision up to which everything is proven durable; 0 for another store.
  func prove(_ revision: Int) { state.withLock { $0.proven = revision } }

  // MARK: the window

  /// The result of trying to enter the window.
  enum EntryResult: Sendable {
    /// The window is open: nobody else has written since it was opened.
    case open
    /// The lock must be taken first.
    case closed
    /// This process has held the lock for long; others go first.
    case full
  }

  func enter() -> EntryResult {
    state.withLock { state in
      guard state.window != nil else { return .closed }
      // A failure must be rolled back first, under the same lock.
      guard state.batches < CommitQueue.maximumBatches || state.obstacle != nil || state.entries > 0 else {
        return .full
      }
      state.entries += 1
      return .open
    }
  }

  /// Opens the window, after the lock was taken and others' writes were read.
  func open(_ lock: Descriptor, at start: WindowStart) {
    state.withLock { state in
      state.window = lock
      state.start = start
      state.entries = 1
      state.batches = 0
    }
  }

  /// Leaves the window: the owner has nothing more to add now.
  func leave() {
    state.withLock { state in
      state.entries = max(0, state.entries - 1)
      closeIfDone(&state)
    }
  }

  /// Whether nothing was written or queued in the window so far.
  var isUnused: Bool { state.withLock { $0.window != nil && $0.batches == 0 && $0.lines.isEmpty && !$0.isWriting } }

  var hasReleasedReserve: Bool { state.withLock { $0.hasReleasedReserve } }

  func note(hasReleasedReserve: Bool) { state.withLock { $0.hasReleasedReserve = hasReleasedReserve } }

  /// Whether the window is open, so that no other process can have written.
  var hasWindow: Bool { state.withLock { $0.window != nil } }

  private func closeIfDone(_ state: inout State) {
    guard let lock = state.window, state.entries == 0, !state.isWriting, state.lines.isEmpty,
      state.obstacle?.isFailure != true
    else { return }
    state.window = nil
    fileSystem.unlock(lock)
  }

  // MARK: the owner's side

  var obstacle: Obstacle? { state.withLock { $0.obstacle } }

  /// Whether something failed and was not rolled back.
  var hasFailed: Bool { state.withLock { $0.obstacle?.isFailure ?? false } }

  /// Whether a commit is in flight, or failed and was not rolled back: an outcome will be reported.
  var isSettling: Bool {
    state.withLock { state in
      state.isWriting || state.isNotifying || !state.lines.isEmpty || state.obstacle?.isFailure ?? false
    }
  }

  /// Queues a line; false when something blocks writing.
  func enqueue(_ line: PendingLine) -> Bool {
    let (isTaken, wasEmpty) = state.withLock { state in
      guard state.obstacle == nil else { return (false, false) }
      state.lines.append(line)
      return (true, state.lines.count == 1)
    }
    if wasEmpty { work.unpark() }
    return isTaken
  }

  /// Where the writer left the journal, if that has changed.
  func takePosition() -> JournalPosition? {
    state.withLock { state in
      defer { state.written = nil }
      return state.written
    }
  }

  /// Accepts lines again after the owner rolled back.
  func clearFailure() {
    state.withLock { state in
      guard case .failed(let error, let isFinal)? = state.obstacle else { return }
      state.obstacle = isFinal ? .final(error.forLaterWrites) : nil
      closeIfDone(&state)
    }
  }

  /// Lets the thread end once everything queued is written.
  func finish() {
    state.withLock { $0.isClosing = true }
    work.unpark()
  }

  // MARK: the thread's side

  /// Records that everything not yet durable failed: queued lines are dropped, and none are accepted until the owner
  /// has rolled back, or ever if `isFinal`.
  func fail(_ error: StoreError, isFinal: Bool) {
    state.withLock { state in
      state.lines = []
      state.obstacle = .failed(error, isFinal: isFinal)
    }
  }

  /// Where a window begins, returned once.
  func takeStart() -> WindowStart? {
    state.withLock { state in
      defer { state.start = nil }
      return state.start
    }
  }

  /// Records where the journal ends now.
  func note(_ position: JournalPosition?) {
    guard let position else { return }
    state.withLock { $0.written = position }
  }

  /// Ends writing a batch, before its callbacks run: a client that gets an answer may rely on this process no longer
  /// holding the lock because of it.
  func settleBatch() {
    state.withLock { state in
      state.isWriting = false
      state.isNotifying = true
      state.batches += 1
      closeIfDone(&state)
    }
  }

  /// Ends a batch after its callbacks have run.
  func endBatch() {
    let mustWake = state.withLock { state in
      state.isNotifying = false
      guard state.isOwnerWaiting, state.lines.isEmpty else { return false }
      state.isOwnerWaiting = false
      return true
    }
    if mustWake { idle.unpark() }
  }

  /// Takes everything queued; empty when there is nothing.
  func takeLines() -> (lines: [PendingLine], isFinished: Bool) {
    state.withLock { state in
      let lines = state.lines
      state.lines = []
      state.isWriting = !lines.isEmpty
      return (lines, state.isClosing)
    }
  }
}
