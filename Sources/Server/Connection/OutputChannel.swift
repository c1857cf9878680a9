import JSONRPC
import Platform
import Synchronization

/// The output: writes bytes to the descriptor at once if it accepts them, and otherwise hands them to a thread that may
/// block. Sending never blocks, so reading never waits for writing.
final class OutputChannel: Sendable {
  private let descriptor: Int32
  let state = Guarded(OutputState())
  private let parker = Parker()
  private let unsent = Atomic<Int>(0)
  /// Called on the thread that wrote last when the backlog has drained after `notifyWhenDrained`.
  private let onDrained: @Sendable () -> Void
  /// The number of unsent bytes above which the session produces no more output.
  static let highWater = 4 << 20

  init(descriptor: Int32, onDrained: @escaping @Sendable () -> Void) {
    self.descriptor = descriptor
    self.onDrained = onDrained
  }

  /// Runs one step under the lock, and publishes the values that are read without it.
  private func change<Value: Sendable>(_ body: (inout OutputState) -> Value) -> Value {
    state.withLock { state in
      defer { unsent.store(state.unsent, ordering: .relaxed) }
      return body(&state)
    }
  }

  /// Bytes sent here that the client has not accepted yet.
  var unsentBytes: Int { unsent.load(ordering: .relaxed) }

  var isAboveHighWater: Bool { unsentBytes > OutputChannel.highWater }

  var isBroken: Bool { state.withLock { $0.isBroken } }

  /// Whether the reader is gone, also checked without writing.
  var isAbandoned: Bool { isBroken || StandardStreams.isBroken(descriptor) }

  /// Sends whole frames.
  func send(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty else { return }
    let turn: Turn = change { state in
      if state.isBroken { return .others(.nobody) }
      return state.beginWrite(bytes.count) ? .mine : .others(state.append(Array(bytes)))
    }
    if case .mine = turn { writeNow(bytes) }
    finish(turn)
  }

  /// The same; large pieces are passed to the thread without copying.
  func send(_ frames: OutgoingPieces) { finish(queue(frames)) }

  /// Who writes queued frames.
  enum Turn: Sendable {
    /// The caller that queued them, by calling `finish`.
    case mine
    case others(SleepingThread.Call)
  }

  /// Queues frames after those sent before; they leave when the caller calls `finish`. They keep their place although
  /// no lock is held while they are written: the client that the write wakes may run at once on the only processor, and
  /// its next request would find the lock taken.
  func queue(_ frames: OutgoingPieces) -> Turn {
    guard !frames.isEmpty else { return .others(.nobody) }
    return change { state in
      if state.isBroken { return .others(.nobody) }
      let isMine = state.beginWrite(0)
      return frames.pieces.reduce(.others(.nobody)) { turn, piece in
        let call = state.append(piece)
        if isMine { return .mine }
        return call == .nobody ? turn : .others(call)
      }
    }
  }

  /// Writes the queued frames, and those that others queue meanwhile.
  func finish(_ turn: Turn) {
    if case .others(let call) = turn { return carryOut(call) }
    var pieces = 0
    while true {
      // A sender that writes other senders' frames has work of its own.
      switch change({ $0.next(isOver: pieces >= 8) }) {
      case .write(let piece):
        piece.withUnsafeBytes { writeNow($0) }
        pieces += 1
      case .end(let call): return carryOut(call)
      }
    }
  }

  private func writeNow(_ bytes: UnsafeRawBufferPointer) {
    let isDrained =
      switch StandardStreams.writeWithoutWaiting(descriptor, bytes) {
      case .bytes(let count): change { $0.requeue(Array(bytes[count...]), of: bytes.count) }
      case .broken: change { $0.markBroken(rest: bytes.count) }
      }
    if isDrained { onDrained() }
  }

  /// Ensures that pending bytes are written. Called periodically too, because the system may have had no thread to
  /// start earlier.
  func wakeThread() { carryOut(change { $0.wakeThread() }) }

  private func carryOut(_ call: SleepingThread.Call) {
    switch call {
    case .nobody: break
    case .wake: parker.unpark()
    case .start: if !Threads.start({ [self] in run() }) { change { $0.threadFailedToStart() } }
    }
  }

  /// Requests a call of `onDrained` once the backlog has drained; false when it already has.
  func notifyWhenDrained() -> Bool { change { $0.notifyWhenDrained() } }

  /// Waits until everything is written, the reader is gone, or `limit` milliseconds have passed.
  func flush(within limit: Int) {
    let start = Clock.monotonicNanoseconds()
    while unsentBytes > 0, !isBroken, (Clock.monotonicNanoseconds() &- start) / 1_000_000 < UInt64(max(0, limit)) {
      _ = StandardStreams.isReady(-1, 0, timeout: 1)
    }
  }

  /// Sends nothing more: the descriptor may be reused for another file.
  func close() {
    let isWriting = {
      self.change { state in
        state.close()
        return state.isSenderWriting
      }
    }
    // A non-blocking write ends quickly.
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
        if change({ $0.markBroken(rest: batch.count - at) }) { onDrained() }
        return
      }
      at += count
      if change({ $0.accept(count) }) { onDrained() }
    }
  }
}
