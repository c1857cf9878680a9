import Foundation
import Synchronization

/// A one-time event that any number of tasks can await.
package final class Once<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var waiting: [Int: CheckedContinuation<Value?, Never>] = [:]
    var next = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// Reports the event.
  package func set(_ value: Value) {
    let waiting = state.withLock { state in
      guard state.value == nil else { return [CheckedContinuation<Value?, Never>]() }
      state.value = value
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume(returning: value) }
  }

  /// The value, if it has happened.
  package var now: Value? { state.withLock { $0.value } }

  /// Waits for the event; throws an error about `what` on a hang.
  ///
  /// - Parameter patience: A factor for the hang guard.
  package func value(_ what: String, patience: Double = 1) async throws -> Value {
    let id = state.withLock { state in
      state.next += 1
      return state.next
    }
    let timer = Task { [self] in
      try await Task.sleep(for: .seconds(HangGuard.seconds * patience))
      state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: nil)
    }
    defer { timer.cancel() }
    let value = await withCheckedContinuation { continuation in
      let ready = state.withLock { state in
        if state.value == nil { state.waiting[id] = continuation }
        return state.value
      }
      if let ready { continuation.resume(returning: ready) }
    }
    guard let value else { throw HarnessError("hangs: \(what)") }
    return value
  }
}
