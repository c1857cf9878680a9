import JSONRPC

/// The output queue of a connection, as a value: each step of `OutputChannel` under its lock.
struct OutputState: Hashable, Sendable {
  /// Bytes that nobody is writing yet.
  private var pending = OutgoingPieces()
  /// Bytes sent here that the client has not accepted yet: those pending, and the rest of what the thread is writing.
  private(set) var unsent = 0
  private(set) var isBroken = false
  private(set) var thread = SleepingThread()
  /// Whether a sender is writing now, outside the lock.
  private(set) var isSenderWriting = false
  /// Whether the descriptor accepts no more bytes without blocking, so that the thread has to write them.
  private var isFull = false
  private var wantsDrain = false
  /// The number of unsent bytes up to which the backlog counts as drained.
  var lowWater = 1 << 20

  /// Acquires the right to write `count` bytes that are not pending; false when bytes are pending or somebody is
  /// writing.
  mutating func beginWrite(_ count: Int) -> Bool {
    guard pending.isEmpty, !thread.isAwake, !isSenderWriting else { return false }
    isSenderWriting = true
    unsent += count
    return true
  }

  /// Queues bytes for the current writer, or for the thread.
  mutating func append(_ bytes: [UInt8]) -> SleepingThread.Call {
    pending.append(bytes)
    unsent += bytes.count
    return wakeThread()
  }

  /// The next step of the sender that has the right to write.
  enum Next: Sendable {
    case write([UInt8])
    /// The right is released.
    case end(SleepingThread.Call)
  }

  /// - Parameter isOver: Whether the sender has written enough, and leaves the rest to the thread.
  mutating func next(isOver: Bool) -> Next {
    let isLarge = pending.pieces.first.map { $0.count >= OutgoingPieces.large } ?? true
    guard isOver || isFull || isLarge else { return .write(pending.takeFirst()) }
    (isSenderWriting, isFull) = (false, false)
    return .end(wakeThread())
  }

  /// Notes the rest of a non-blocking write of `count` bytes; true when `onDrained` is due.
  mutating func requeue(_ rest: [UInt8], of count: Int) -> Bool {
    if !isBroken {
      pending.putBack(rest)
      isFull = !rest.isEmpty
      return accept(count - rest.count)
    }
    return accept(count)
  }

  /// Ensures that pending bytes are written.
  mutating func wakeThread() -> SleepingThread.Call { pending.isEmpty || isSenderWriting ? .nobody : thread.call() }

  mutating func threadFailedToStart() { thread.failToStart() }

  /// The bytes that the thread writes next; empty when it sleeps next.
  mutating func takeBatch() -> [UInt8] {
    if pending.isEmpty { thread.sleep() }
    return pending.takeFirst()
  }

  /// Notes that the client has accepted `count` bytes; true when `onDrained` is due.
  mutating func accept(_ count: Int) -> Bool {
    unsent -= count
    return unsent <= lowWater && drain()
  }

  /// Notes that the reader is gone, with `rest` bytes of a write left: nothing more is sent. True when `onDrained` is
  /// due.
  mutating func markBroken(rest: Int) -> Bool {
    close()
    unsent -= rest
    return drain()
  }

  mutating func close() {
    isBroken = true
    unsent -= pending.count
    pending = OutgoingPieces()
  }

  /// Requests `onDrained` once the backlog has drained; false when it already has, or when nobody is writing it.
  mutating func notifyWhenDrained() -> Bool {
    guard thread.isAwake || isSenderWriting, !isBroken, unsent > lowWater else { return false }
    wantsDrain = true
    return true
  }

  private mutating func drain() -> Bool {
    defer { wantsDrain = false }
    return wantsDrain
  }
}
