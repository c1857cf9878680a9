import JSONRPC

/// What a connection has to send, as a value: each step of `OutputChannel` under its lock.
struct OutputState: Hashable, Sendable {
  /// Bytes nobody has taken yet.
  private var pending = OutgoingPieces()
  /// Bytes sent here and not yet taken by the client: those pending, and the rest of what the thread writes.
  private(set) var unsent = 0
  private(set) var isBroken = false
  private(set) var thread = SleepingThread()
  /// Whether a sender writes just now, outside the lock.
  private(set) var isTaken = false
  /// Whether the descriptor takes nothing more without waiting, which is for the thread.
  private var isFull = false
  private var wantsDrain = false
  /// Up to so many unsent bytes the backlog counts as gone.
  var lowWater = 1 << 20

  /// Takes the right to write to the descriptor, for so many bytes that are not pending; false when something waits or somebody writes.
  mutating func begin(_ count: Int) -> Bool {
    guard pending.isEmpty, !thread.isAwake, !isTaken else { return false }
    isTaken = true
    unsent += count
    return true
  }

  /// Has bytes wait for who writes, or the thread.
  mutating func append(_ bytes: [UInt8]) -> SleepingThread.Call {
    pending.append(bytes)
    unsent += bytes.count
    return callThread()
  }

  /// What the one who has the right to write does next.
  enum Next: Sendable {
    case write([UInt8])
    /// The right is given back.
    case end(SleepingThread.Call)
  }

  /// - Parameter isOver: Whether it has written enough, and leaves the rest to the thread.
  mutating func next(isOver: Bool) -> Next {
    let isLarge = pending.pieces.first.map { $0.count >= OutgoingPieces.large } ?? true
    guard isOver || isFull || isLarge else { return .write(pending.takeFirst()) }
    (isTaken, isFull) = (false, false)
    return .end(callThread())
  }

  /// Of what was written without waiting so much is left; true when somebody has to be told that the backlog has gone.
  mutating func putBack(_ rest: [UInt8], of count: Int) -> Bool {
    if !isBroken {
      pending.putBack(rest)
      isFull = !rest.isEmpty
      return take(count - rest.count)
    }
    return take(count)
  }

  /// Ensures that what is pending is written.
  mutating func callThread() -> SleepingThread.Call { pending.isEmpty || isTaken ? .nobody : thread.call() }

  mutating func threadFailedToStart() { thread.failToStart() }

  /// What the thread writes next; empty when it sleeps next.
  mutating func takeBatch() -> [UInt8] {
    if pending.isEmpty { thread.sleep() }
    return pending.takeFirst()
  }

  /// The client has taken so many bytes; true when somebody has to be told that the backlog has gone.
  mutating func take(_ count: Int) -> Bool {
    unsent -= count
    return unsent <= lowWater && drain()
  }

  /// Nobody reads any more: nothing is sent, and of a batch `rest` bytes are left; true when somebody has to be told.
  mutating func breakOff(rest: Int) -> Bool {
    close()
    unsent -= rest
    return drain()
  }

  /// Nothing is sent any more.
  mutating func close() {
    isBroken = true
    unsent -= pending.count
    pending = OutgoingPieces()
  }

  /// Asks to be told when the backlog has gone; false when it is gone already, or nobody is at it.
  mutating func tellWhenDrained() -> Bool {
    guard thread.isAwake || isTaken, !isBroken, unsent > lowWater else { return false }
    wantsDrain = true
    return true
  }

  private mutating func drain() -> Bool {
    defer { wantsDrain = false }
    return wantsDrain
  }
}
