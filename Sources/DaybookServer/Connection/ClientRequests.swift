import JSON
import JSONRPC
import Platform

/// The requests the service has sent to the client, by id. The service never needs an answer: each has a time limit and a default.
final class ClientRequests: Sendable {
  /// What became of a request.
  enum Answer: Sendable {
    /// The JSON text of the result.
    case result([UInt8])
    /// An error, the end of the time, or the end of the session.
    case none
  }

  private struct State {
    /// Above the numbers that clients begin with: Vim 9.0 takes a request of ours with the id of one of its own for the
    /// answer to that (vim/vim#13158). Integers, as Vim's channel cannot answer others.
    var nextID = 1 << 30
    var waiting: [Int: CheckedContinuation<Answer, Never>] = [:]
    var isClosed = false
  }

  private let state = Guarded(State())

  /// Sends a request through `send`, which is given its id, and waits for the answer, at most `timeout` milliseconds.
  func ask(timeout: Int, _ send: @Sendable (Int) -> Void) async -> Answer {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWaiting = state.withLock { state in
          // Looked at once: a cancellation that comes after this finds the continuation.
          guard !state.isClosed, !Task.isCancelled else { return false }
          state.waiting[id] = continuation
          return true
        }
        guard isWaiting else { return continuation.resume(returning: .none) }
        // Not started before there is something to give up, lest it be over before.
        let hasTimer = Threads.after(milliseconds: Int32(clamping: timeout)) { [weak self] in self?.resume(id, .none) }
        if !hasTimer { return resume(id, .none) }
        send(id)
      }
    } onCancel: {
      resume(id, .none)
    }
  }

  /// An answer has come; one that nobody waits for is dropped.
  func resume(_ id: Int, _ answer: Answer) {
    state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: answer)
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
