import Foundation
import Synchronization

/// Items that arrive in order from another thread; receivers wait for matching ones.
package final class Mailbox<Item: Sendable>: Sendable {
  private struct Waiter {
    let id: Int
    let matches: @Sendable (Item) -> Bool
    let continuation: CheckedContinuation<Item?, Never>
  }

  private struct State {
    var items: [Item] = []
    var waiters: [Waiter] = []
    var next = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  package init() {}

  /// Adds an item; the first matching waiter gets it.
  package func put(_ item: Item) {
    let waiter = state.withLock { state -> Waiter? in
      guard let index = state.waiters.firstIndex(where: { $0.matches(item) }) else {
        state.items.append(item)
        return nil
      }
      return state.waiters.remove(at: index)
    }
    waiter?.continuation.resume(returning: item)
  }

  /// Ends the stream.
  package func close() {
    let waiters = state.withLock { state in
      state.isClosed = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.continuation.resume(returning: nil) }
  }

  /// The items not received yet.
  package var waiting: [Item] { state.withLock { $0.items } }

  /// Waits for the first matching item and removes it; earlier items stay. Nil when the stream ends without one.
  package func take(_ what: String, where matches: @escaping @Sendable (Item) -> Bool) async throws -> Item? {
    let id = state.withLock { state in
      state.next += 1
      return state.next
    }
    let late = Once<Bool>()
    let timer = Task { [self] in
      try await Task.sleep(for: .seconds(HangGuard.seconds))
      let waiter = state.withLock { state -> Waiter? in
        guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
        return state.waiters.remove(at: index)
      }
      if waiter != nil { late.set(true) }
      waiter?.continuation.resume(returning: nil)
    }
    defer { timer.cancel() }
    let item = await withCheckedContinuation { continuation in
      let (item, isOver) = state.withLock { state -> (Item?, Bool) in
        if let index = state.items.firstIndex(where: matches) { return (state.items.remove(at: index), true) }
        if state.isClosed { return (nil, true) }
        state.waiters.append(Waiter(id: id, matches: matches, continuation: continuation))
        return (nil, false)
      }
      if isOver { continuation.resume(returning: item) }
    }
    if late.now == true { throw HarnessError("hangs: \(what) did not come") }
    return item
  }

  /// Removes all items after the end of the stream.
  package func rest() async throws -> [Item] {
    _ = try await take("the end of the stream") { _ in false }
    return state.withLock { state in
      defer { state.items = [] }
      return state.items
    }
  }
}
