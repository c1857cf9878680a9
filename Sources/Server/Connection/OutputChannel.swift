import Platform
import Synchronization

/// The way out: bytes go to the descriptor at once if it takes them, else they wait for a thread that can wait for it.
/// Sending never blocks, so that reading never waits for writing.
final class OutputChannel: Sendable {
  private struct State {
    /// Bytes nobody has taken yet.
    var pending: [UInt8] = []
    var isWriting = false
    var hasThread = false
    var isBroken = false
    var wantsDrain = false
  }

  private let descriptor: Int32
  private let state = Guarded(State())
  private let parker = Parker()
  private let unsent = Atomic<Int>(0)
  /// Called, from the writing thread, when the backlog has gone after `tellWhenDrained`.
  private let onDrained: @Sendable () -> Void
  /// Above this many unsent bytes the session stops making more.
  static let highWater = 4 << 20
  static let lowWater = 1 << 20

  init(descriptor: Int32, onDrained: @escaping @Sendable () -> Void) {
    self.descriptor = descriptor
    self.onDrained = onDrained
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
    let (startsThread, wakes) = state.withLock { state -> (Bool, Bool) in
      guard !state.isBroken else { return (false, false) }
      var rest = bytes
      if state.pending.isEmpty, !state.isWriting {
        switch StandardStreams.writeWithoutWaiting(descriptor, bytes) {
        case .bytes(let count): rest = UnsafeRawBufferPointer(rebasing: bytes[count...])
        case .broken:
          state.isBroken = true
          return (false, false)
        }
        if rest.isEmpty { return (false, false) }
      }
      state.pending.append(contentsOf: rest)
      unsent.add(rest.count, ordering: .relaxed)
      guard !state.isWriting else { return (false, false) }
      state.isWriting = true
      defer { state.hasThread = true }
      return (!state.hasThread, state.hasThread)
    }
    // Where the system has no thread to give now, the next answer asks again.
    if startsThread, !Threads.start({ [self] in run() }) {
      state.withLock { state in
        state.hasThread = false
        state.isWriting = false
      }
    }
    if wakes { parker.unpark() }
  }

  /// Asks for `onDrained` when the backlog has gone; false when it is gone already.
  func tellWhenDrained() -> Bool {
    state.withLock { state in
      guard state.isWriting, !state.isBroken, unsentBytes > OutputChannel.lowWater else { return false }
      state.wantsDrain = true
      return true
    }
  }

  /// Waits until everything was taken, nobody reads any more, or the time (milliseconds) is up.
  func flush(within limit: Int) {
    let start = Clock.monotonicNanoseconds()
    while unsentBytes > 0, !isBroken, (Clock.monotonicNanoseconds() &- start) / 1_000_000 < UInt64(max(0, limit)) {
      _ = StandardStreams.isReady(-1, 0, timeout: 1)
    }
  }

  /// Sends nothing more: its descriptor may be somebody else's by and by.
  func close() {
    state.withLock { state in
      state.isBroken = true
      unsent.subtract(state.pending.count, ordering: .relaxed)
      state.pending = []
    }
  }

  private func run() {
    while true {
      let batch = state.withLock { state -> [UInt8] in
        let batch = state.pending
        state.pending = []
        state.isWriting = !batch.isEmpty
        return batch
      }
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
        unsent.subtract(batch.count - at, ordering: .relaxed)
        state.withLock { state in
          state.isBroken = true
          unsent.subtract(state.pending.count, ordering: .relaxed)
          state.pending = []
        }
        return drained()
      }
      at += count
      unsent.subtract(count, ordering: .relaxed)
      if unsentBytes <= OutputChannel.lowWater { drained() }
    }
  }

  private func drained() {
    let tells = state.withLock { state in
      defer { state.wantsDrain = false }
      return state.wantsDrain
    }
    if tells { onDrained() }
  }
}
