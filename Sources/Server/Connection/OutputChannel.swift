import JSONRPC
import Platform
import Synchronization

/// The way out: bytes go to the descriptor at once if it takes them, else they wait for a thread that can wait for it.
/// Sending never blocks, so that reading never waits for writing.
final class OutputChannel: Sendable {
  private let descriptor: Int32
  let state = Guarded(OutputState())
  private let parker = Parker()
  private let unsent = Atomic<Int>(0)
  /// Called, from the writing thread, when the backlog has gone after `tellWhenDrained`.
  private let onDrained: @Sendable () -> Void
  /// Above this many unsent bytes the session stops making more.
  static let highWater = 4 << 20

  init(descriptor: Int32, onDrained: @escaping @Sendable () -> Void) {
    self.descriptor = descriptor
    self.onDrained = onDrained
  }

  /// Makes one change, and publishes what is read without the lock.
  private func change<Value: Sendable>(_ body: (inout OutputState) -> Value) -> Value {
    state.withLock { state in
      defer { unsent.store(state.unsent, ordering: .relaxed) }
      return body(&state)
    }
  }

  /// Bytes sent here and not yet taken by the client.
  var unsentBytes: Int { unsent.load(ordering: .relaxed) }

  var isAboveHighWater: Bool { unsentBytes > OutputChannel.highWater }

  /// Whether nobody reads any more.
  var isBroken: Bool { state.withLock { $0.isBroken } }

  /// Whether nobody reads any more, found out without writing.
  var isAbandoned: Bool { isBroken || StandardStreams.isBroken(descriptor) }

  /// Sends whole frames.
  func send(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty else { return }
    let turn: Turn = change { state in
      if state.isBroken { return .others(.nobody) }
      return state.begin(bytes.count) ? .mine : .others(state.append(Array(bytes)))
    }
    if case .mine = turn { put(bytes) }
    finish(turn)
  }

  /// The same; large pieces are left to the thread as they are.
  func send(_ frames: OutgoingPieces) { finish(queue(frames)) }

  /// Who writes what was queued.
  enum Turn: Sendable {
    /// Who queued it, by `finish`.
    case mine
    case others(SleepingThread.Call)
  }

  /// Has frames leave behind those that were sent before, once the caller calls `finish`: they keep their place although no lock is
  /// held while they are written. The client that they wake runs at once, on the same processor if that is the only one, and its next
  /// request would find the lock taken.
  func queue(_ frames: OutgoingPieces) -> Turn {
    guard !frames.isEmpty else { return .others(.nobody) }
    return change { state in
      if state.isBroken { return .others(.nobody) }
      let isMine = state.begin(0)
      return frames.pieces.reduce(.others(.nobody)) { turn, piece in
        let call = state.append(piece)
        if isMine { return .mine }
        return call == .nobody ? turn : .others(call)
      }
    }
  }

  /// Writes what was queued, and what others send meanwhile.
  func finish(_ turn: Turn) {
    if case .others(let call) = turn { return rouse(call) }
    var pieces = 0
    while true {
      // Who writes what others send has work of its own.
      switch change({ $0.next(isOver: pieces >= 8) }) {
      case .write(let piece):
        piece.withUnsafeBytes { put($0) }
        pieces += 1
      case .end(let call): return rouse(call)
      }
    }
  }

  private func put(_ bytes: UnsafeRawBufferPointer) {
    let isDrained =
      switch StandardStreams.writeWithoutWaiting(descriptor, bytes) {
      case .bytes(let count): change { $0.putBack(Array(bytes[count...]), of: bytes.count) }
      case .broken: change { $0.breakOff(rest: bytes.count) }
      }
    if isDrained { onDrained() }
  }

  /// Ensures that what waits is written. Called from time to time: the system may have had no thread to give when it came.
  func callThread() { rouse(change { $0.callThread() }) }

  private func rouse(_ call: SleepingThread.Call) {
    switch call {
    case .nobody: break
    case .wake: parker.unpark()
    case .start: if !Threads.start({ [self] in run() }) { change { $0.threadFailedToStart() } }
    }
  }

  /// Asks for `onDrained` when the backlog has gone; false when it is gone already.
  func tellWhenDrained() -> Bool { change { $0.tellWhenDrained() } }

  /// Waits until everything was taken, nobody reads any more, or the time (milliseconds) is up.
  func flush(within limit: Int) {
    let start = Clock.monotonicNanoseconds()
    while unsentBytes > 0, !isBroken, (Clock.monotonicNanoseconds() &- start) / 1_000_000 < UInt64(max(0, limit)) {
      _ = StandardStreams.isReady(-1, 0, timeout: 1)
    }
  }

  /// Sends nothing more: its descriptor may be another file's later.
  func close() {
    let isWriting = {
      self.change { state in
        state.close()
        return state.isTaken
      }
    }
    // That takes no longer than a call that does not wait.
    while isWriting() { Threads.rest(milliseconds: 1) }
  }

  private func run() {
    while true {
      let batch = change { $0.takeBatch() }
      if batch.isEmpty {
        parker.park()
      } else {
        write(batch)
      }
    }
  }

  private func write(_ batch: [UInt8]) {
    var at = 0
    while at < batch.count {
      let piece = batch[at..<min(at + 65536, batch.count)]
      let written = piece.withUnsafeBytes { StandardStreams.writeWaiting(descriptor, $0) }
      guard case .bytes(let count) = written else {
        if change({ $0.breakOff(rest: batch.count - at) }) { onDrained() }
        return
      }
      at += count
      if change({ $0.take(count) }) { onDrained() }
    }
  }
}
