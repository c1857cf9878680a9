import JSON
import JSONRPC
import Platform

/// The service's own requests to the client, by id. The service never depends on a reply: each request has a timeout
/// and a default.
final class ClientRequests: Sendable {
  enum Answer: Sendable {
    /// The JSON text of the result.
    case result([UInt8])
    /// An error.
    case refused
    /// No reply: the request timed out, was cancelled, or the session ended.
    case none
  }

  private struct State {
    /// Starts above the ids that clients use: Vim 9.0 takes a request of ours whose id equals one of its own for the
    /// reply to its own (vim/vim#13158). Integers, because Vim's channel cannot reply to other ids.
    var nextID = 1 << 30
    var waiting: [Int: @Sendable (Answer) -> Void] = [:]
    var isClosed = false
  }

  private let state = Guarded(State())

  var isAsking: Bool { state.withLock { !$0.waiting.isEmpty } }

  /// Sends a request through `send`, which receives its id, and waits at most `timeout` milliseconds for the reply.
  func ask(timeout: Int, _ send: @Sendable (Int) -> Void) async -> Answer {
    let id = nextID()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Checked under the same lock that registers the continuation: a later cancellation finds it.
        ask(id, timeout: timeout, isWanted: { !Task.isCancelled }, send) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      resume(id, .none)
    }
  }

  /// The same without suspending: `completion` is called once, on the thread that delivers the reply.
  func ask(
    timeout: Int, _ send: @Sendable (Int) -> Void, completion: @escaping @Sendable (Answer) -> Void
  ) {
    ask(nextID(), timeout: timeout, isWanted: { true }, send, completion: completion)
  }

  private func nextID() -> Int {
    state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
  }

  private func ask(
    _ id: Int, timeout: Int, isWanted: () -> Bool, _ send: @Sendable (Int) -> Void,
    completion: @escaping @Sendable (Answer) -> Void
  ) {
    let isWaiting = state.withLock { state in
      guard !state.isClosed, isWanted() else { return false }
      state.waiting[id] = completion
      return true
    }
    guard isWaiting else { return completion(.none) }
    // Registered before the timer starts, so that the timer cannot fire first.
    let hasTimer = Threads.after(milliseconds: Int32(clamping: timeout)) { [weak self] in self?.resume(id, .none) }
    if !hasTimer { return resume(id, .none) }
    send(id)
  }

  /// Delivers a reply; drops it when no request with that id is outstanding.
  func resume(_ id: Int, _ answer: Answer) {
    state.withLock { $0.waiting.removeValue(forKey: id) }?(answer)
  }

  /// Ends every outstanding request without a reply, and refuses new ones.
  func close() {
    let ids = state.withLock { state in
      state.isClosed = true
      return Array(state.waiting.keys)
    }
    for id in ids { resume(id, .none) }
  }
}
