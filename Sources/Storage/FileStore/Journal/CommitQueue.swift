import Platform
import Synchronization

/// What the store's owner and the commit thread share: the lines that wait, what became of them, and the write window.
///
/// A window is open while this process has the folder's lock: from before the first transaction is checked against what
/// others wrote until the last line is safe on disk. The side that finds nothing left to do closes it.
///
/// Every line ends in one of two ways: its revision becomes durable, or a failure is reported, which the owner rolls back.
final class CommitQueue: Sendable {
  /// What the lock guards.
  struct State: Sendable {
    var lines: [PendingLine] = []
    var obstacle: Obstacle?
    /// Everything up to here was synchronized by this process, including what others wrote.
    var proven = 0
    var isWriting = false
    /// Whether the reserve was given up and not made again since.
    var hasReleasedReserve = false
    /// Whether those who wait for a batch are being told what became of it.
    var isTelling = false
    var isClosing = false
    var isOwnerWaiting = false
    /// The lock file, while the window is open.
    var window: Descriptor?
    /// How many times the owner has entered the window and not left it yet.
    var entries = 0
    /// Batches written in this window.
    var batches = 0
    /// Where the first batch of the window begins, until the writer has taken note of it.
    var start: WindowStart?
    /// Where the writer has left the journal, until the owner has taken note of it.
    var written: JournalPosition?
  }

  /// What stands in the way of writing.
  enum Obstacle: Sendable {
    /// A write failed: nothing is taken until the owner has rolled back, nor after that if it is final.
    case failed(StoreError, isFinal: Bool)
    /// No write will ever work again.
    case final(StoreError)

    var error: StoreError {
      switch self {
      case .failed(let error, _), .final(let error): error
      }
    }

    /// Whether something has to be rolled back.
    var isFailure: Bool { if case .failed = self { true } else { false } }
  }

  /// After so many batches a window is closed, so that other processes have their turn.
  static let longestWindow = 128

  let state = Guarded(State())
  private let durable: Atomic<Int>
  private let fileSystem: any FileSystem
  /// Signalled when there is something to write.
  let work = Parker()
  /// Signalled when the waiting owner may go on.
  let idle = Parker()

  init(_ fileSystem: any FileSystem) {
    self.fileSystem = fileSystem
    durable = Atomic(0)
  }

  /// The highest revision that is safe on disk.
  var durableRevision: Int { durable.load(ordering: .acquiring) }

  /// Says how far writing has come.
  func advance(to revision: Int) { durable.store(revision, ordering: .releasing) }

  /// The revision up to which this process has synchronized everything.
  var provenRevision: Int { state.withLock { $0.proven } }

  /// Says how far everything is proven to be on the medium; 0 when it is another store's.
  func prove(_ revision: Int) { state.withLock { $0.proven = revision } }

  // MARK: the window

  /// What the owner finds when it wants to write.
  enum Entrance: Sendable {
    /// The window is open: nobody else has written since it was opened.
    case open
    /// The lock has to be taken first.
    case closed
    /// This process has had the lock for long; others come first.
    case full
  }

  /// Enters the window if it is open.
  func enter() -> Entrance {
    state.withLock { state in
      guard state.window != nil else { return .closed }
      // What has failed has to be rolled back first, under the same lock.
      guard state.batches < CommitQueue.longestWindow || state.obstacle != nil || state.entries > 0 else {
        return .full
      }
      state.entries += 1
      return .open
    }
  }

  /// Opens the window: the lock was taken, and what others wrote was read.
  func open(_ lock: Descriptor, at start: WindowStart) {
    state.withLock { state in
      state.window = lock
      state.start = start
      state.entries = 1
      state.batches = 0
    }
  }

  /// The owner has nothing more to add now.
  func leave() {
    state.withLock { state in
      state.entries = max(0, state.entries - 1)
      closeIfDone(&state)
    }
  }

  /// Whether nothing was written or queued in the window so far.
  var isUnused: Bool { state.withLock { $0.window != nil && $0.batches == 0 && $0.lines.isEmpty && !$0.isWriting } }

  /// Whether the reserve was given up and not made again since.
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

  /// What stands in the way of writing; nil when nothing is known to.
  var obstacle: Obstacle? { state.withLock { $0.obstacle } }

  /// Whether something failed and was not rolled back.
  var hasFailed: Bool { state.withLock { $0.obstacle?.isFailure ?? false } }

  /// Whether something is on its way to the disk, or failed and was not rolled back: then an answer that waits will come.
  var isSettling: Bool {
    state.withLock { state in
      state.isWriting || state.isTelling || !state.lines.isEmpty || state.obstacle?.isFailure ?? false
    }
  }

  /// Queues a line; false when something stands in the way.
  func enqueue(_ line: PendingLine) -> Bool {
    let (isTaken, wasEmpty) = state.withLock { state in
      guard state.obstacle == nil else { return (false, false) }
      state.lines.append(line)
      return (true, state.lines.count == 1)
    }
    if wasEmpty { work.unpark() }
    return isTaken
  }

  /// Where the writer has left the journal, if that is news.
  func takePosition() -> JournalPosition? {
    state.withLock { state in
      defer { state.written = nil }
      return state.written
    }
  }

  /// Lets lines through again after the owner rolled back.
  func clearFailure() {
    state.withLock { state in
      guard case .failed(let error, let isFinal)? = state.obstacle else { return }
      state.obstacle = isFinal ? .final(error) : nil
      closeIfDone(&state)
    }
  }

  /// Lets the thread end once everything queued is written.
  func finish() {
    state.withLock { $0.isClosing = true }
    work.unpark()
  }

  // MARK: the thread's side

  /// Says that what is not durable failed: what is queued goes with it, and nothing is taken until the owner has
  /// rolled back, or never again if `isFinal`.
  func fail(_ error: StoreError, isFinal: Bool) {
    state.withLock { state in
      state.lines = []
      state.obstacle = .failed(error, isFinal: isFinal)
    }
  }

  /// Where a window begins, once.
  func takeStart() -> WindowStart? {
    state.withLock { state in
      defer { state.start = nil }
      return state.start
    }
  }

  /// Says where the journal ends now.
  func note(_ position: JournalPosition?) {
    guard let position else { return }
    state.withLock { $0.written = position }
  }

  /// Says what became of the batch, before anybody is told: who has an answer may count on it that this process does not have
  /// the lock any more because of it.
  func settleBatch() {
    state.withLock { state in
      state.isWriting = false
      state.isTelling = true
      state.batches += 1
      closeIfDone(&state)
    }
  }

  /// Says that everyone has been told.
  func endBatch() {
    let mustWake = state.withLock { state in
      state.isTelling = false
      guard state.isOwnerWaiting, state.lines.isEmpty else { return false }
      state.isOwnerWaiting = false
      return true
    }
    if mustWake { idle.unpark() }
  }

  /// Everything queued by now; empty when there is nothing.
  func takeLines() -> (lines: [PendingLine], isFinished: Bool) {
    state.withLock { state in
      let lines = state.lines
      state.lines = []
      state.isWriting = !lines.isEmpty
      return (lines, state.isClosing)
    }
  }
}
