import JSONRPC
import Platform

/// What came in and could not be worked on at once, in order.
final class Inbox: Sendable {
  enum Item: Sendable {
    /// A message; of a request, the id.
    case message([UInt8], RequestID?)
    case fault(MessageFault)
    /// A request for which there was no room; its id.
    case overload([UInt8])
  }

  private struct State {
    var items: [Item] = []
    var next = 0
    var bytes = 0
    /// Whether somebody is going to take the items.
    var isScheduled = false
    /// Whether nothing is taken in any more.
    var isClosed = false
  }

  private let state = Guarded(State())
  /// So many bytes may wait; requests beyond are refused.
  let capacity: Int

  init(capacity: Int = 256 << 20) { self.capacity = capacity }

  /// Bytes of messages waiting.
  var bytes: Int { state.withLock { $0.bytes } }

  var isEmpty: Bool { state.withLock { $0.next == $0.items.count } }

  /// Adds an item; true when the caller has to see to it that the items are taken.
  func append(_ item: Item) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      if case .message(let bytes, _) = item { state.bytes += bytes.count }
      state.items.append(item)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
  }

  /// Lets nothing in any more: what waits now is going to be cancelled, and what comes behind it must not be done without it.
  func close() { state.withLock { $0.isClosed = true } }

  /// Puts an item back that was taken and cannot be worked on yet; whoever does so sees to it that it is taken again.
  func putBack(_ item: Item) {
    state.withLock { state in
      if case .message(let bytes, _) = item { state.bytes += bytes.count }
      state.isScheduled = true
      if state.next > 0 {
        state.next -= 1
        state.items[state.next] = item
      } else {
        state.items.insert(item, at: 0)
      }
    }
  }

  /// The next item; nil, and nobody scheduled any more, when there is none.
  func take() -> Item? {
    state.withLock { state in
      guard state.next < state.items.count else {
        state.items = []
        state.next = 0
        state.isScheduled = false
        return nil
      }
      let item = state.items[state.next]
      state.items[state.next] = .fault(MessageFault(.parseError, ""))
      state.next += 1
      if case .message(let bytes, _) = item { state.bytes -= bytes.count }
      return item
    }
  }
}
