import JSONRPC

/// What a connection has to send, as a value: each step of `OutputChannel` under its lock.
struct OutputState: Hashable, Sendable {
  /// Bytes nobody has taken yet.
  private var pending = OutgoingPieces()
  /// Bytes sent here and not yet taken by the client: those pending, and the rest of what the thread writes.
  private(set) var unsent = 0
  private(set) var isBroken = false
  private(set) var thread = SleepingThread()
  private var wantsDrain = false
  /// Up to so many unsent bytes the backlog counts as gone.
  var lowWater = 1 << 20

  /// Whether nothing waits, so that bytes may go to the descriptor at once.
  var isFree: Bool { pending.isEmpty && !thread.isAwake }

  /// Has bytes wait for the thread.
  mutating func append(_ bytes: [UInt8]) -> SleepingThread.Call {
    pending.append(bytes)
    unsent += bytes.count
    return callThread()
  }

  /// Ensures that the thread writes what is pending.
  mutating func callThread() -> SleepingThread.Call { pending.isEmpty ? .nobody : thread.call() }

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
    guard thread.isAwake, !isBroken, unsent > lowWater else { return false }
    wantsDrain = true
    return true
  }

  private mutating func drain() -> Bool {
    defer { wantsDrain = false }
    return wantsDrain
  }
}
