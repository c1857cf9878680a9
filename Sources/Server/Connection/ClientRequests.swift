import JSON
import JSONRPC
import Platform

/// The requests the service has sent to the client, by id. The service never needs an answer: each has a time limit and a default.
final class ClientRequests: Sendable {
  /// What became of a request.
  enum Answer: Sendable {
    /// The JSON text of the result.
    case result([UInt8])
    /// An error.
    case refused
    /// No answer: the end of the time, or of the session.
    case none
  }

  private struct State {
    /// Above the numbers that clients begin with: Vim 9.0 takes a request of ours with the id of one of its own for the
    /// answer to that (vim/vim#13158). Integers, as Vim's channel cannot answer others.
    var nextID = 1 << 30
    var waiting: [Int: @Sendable (Answer) -> Void] = [:]
    var isClosed = false
  }

  private let state = Guarded(State())

  /// Whether an answer is awaited.
  var isAsking: Bool { state.withLock { !$0.waiting.isEmpty } }

  /// Sends a request through `send`, which is given its id, and waits for the answer, at most `timeout` milliseconds.
  func ask(timeout: Int, _ send: @Sendable (Int) -> Void) async -> Answer {
    let id = nextID()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Looked at in one step with the waiting: a cancellation that comes after this finds the continuation.
        ask(id, timeout: timeout, isWanted: { !Task.isCancelled }, send) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      resume(id, .none)
    }
  }

  /// The same for somebody who goes on meanwhile: `completion` is called once, on the thread that has the answer.
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
    // Not started before there is something to give up, so that it is not over before.
    let hasTimer = Threads.after(milliseconds: Int32(clamping: timeout)) { [weak self] in self?.resume(id, .none) }
    if !hasTimer { return resume(id, .none) }
    send(id)
  }

  /// An answer has come; one that nobody waits for is dropped.
  func resume(_ id: Int, _ answer: Answer) {
    state.withLock { $0.waiting.removeValue(forKey: id) }?(answer)
  }

  /// Nobody will answer any more.
  func close() {
    let ids = state.withLock { state in
      state.isClosed = true
      return Array(state.waiting.keys)
    }
    for id in ids { resume(id, .none) }
  }
}
