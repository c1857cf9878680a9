import Platform

extension Session {
  /// Has the session begin an operation, and waits until it calls `done`, which returns whether the request still
  /// waits. Nil when the request was cancelled first.
  nonisolated func awaitCallback<Value: Sendable>(
    _ begin: @escaping @Sendable (isolated Session, _ done: @escaping @Sendable (Value?) -> Bool) -> Void
  ) async -> Value? {
    let pending = Pending<Value>()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        pending.wait(with: continuation)
        enqueue { begin($0) { pending.end($0) } }
      }
    } onCancel: {
      pending.end(nil)
    }
  }
}

/// A value that is awaited and delivered at most once.
private final class Pending<Value: Sendable>: Sendable {
  private enum State {
    case fresh
    case waiting(CheckedContinuation<Value?, Never>)
    case over
  }

  private let state = Guarded(State.fresh)

  func wait(with continuation: CheckedContinuation<Value?, Never>) {
    let isOver = state.withLock { state in
      guard case .fresh = state else { return true }
      state = .waiting(continuation)
      return false
    }
    // Cancelled before it began to wait.
    if isOver { continuation.resume(returning: nil) }
  }

  /// Delivers the value; returns whether somebody was waiting.
  @discardableResult
  func end(_ value: Value?) -> Bool {
    let continuation = state.withLock { state -> CheckedContinuation<Value?, Never>? in
      defer { state = .over }
      guard case .waiting(let continuation) = state else { return nil }
      return continuation
    }
    continuation?.resume(returning: value)
    return continuation != nil
  }
}
