import CivilTime
import DaybookProtocol
import JSONRPC

extension TrafficState {
  /// What waits for its turn.
  enum Item: Sendable {
    /// A message; of a request that is registered, the id, and once it is taken whether it was cancelled.
    case message([UInt8], RequestID?, isCancelled: Bool = false)
    /// Bytes that are no message.
    case fault(MessageFault)
    /// A message for which there was no room; of a request, the id.
    case overload(RequestID?)
  }

  var hasMessages: Bool { nextItem < items.count }

  /// Whether everything that waited was taken and worked on: who takes the items has found none.
  var isSettled: Bool { !isScheduled }

  mutating func enqueue(
    _ text: UnsafeRawBufferPointer, _ request: (id: RequestID, method: String)?, at now: Instant
  ) -> Bool {
    guard waitingBytes + text.count <= TrafficState.capacity else { return append(.overload(request?.id)) }
    // The request that is being tried still has its id, though it is registered again only if it has to wait on.
    let isTaken = request.map { $0.id == tried?.id } ?? false
    return append(.message(Array(text), isTaken ? nil : registered(request, at: now)))
  }

  /// Adds an item; true when the caller has to have the items taken.
  mutating func append(_ item: Item) -> Bool {
    guard !isClosed else { return false }
    if case .message(let bytes, _, _) = item { waitingBytes += bytes.count }
    items.append(item)
    defer { isScheduled = true }
    return !isScheduled
  }

  /// Puts a message back in front; true when the caller has to have it tried again.
  mutating func putBack(
    _ text: UnsafeRawBufferPointer, _ request: (id: RequestID, method: String)?, at now: Instant
  ) -> Bool {
    putInFront(Array(text), registered(request, at: now))
    defer { awaitsRetry = true }
    return !awaitsRetry
  }

  /// Has the message of a request that was put aside wait for its turn again, in front.
  mutating func resume(_ id: RequestID, _ text: [UInt8]) {
    requests[id]?.state = .queued
    requests[id]?.cancel = nil
    putInFront(text, id)
  }

  private mutating func putInFront(_ text: [UInt8], _ id: RequestID?) {
    waitingBytes += text.count
    isScheduled = true
    let item = Item.message(text, id)
    if nextItem > 0 {
      nextItem -= 1
      items[nextItem] = item
    } else {
      items.insert(item, at: 0)
    }
  }

  /// The id under which a waiting request can be cancelled; nil when another one has it.
  private mutating func registered(_ request: (id: RequestID, method: String)?, at now: Instant) -> RequestID? {
    guard let request, add(request.id, method: request.method, state: .queued, since: now) else { return nil }
    return request.id
  }

  mutating func next() -> Item? {
    guard hasMessages else {
      items = []
      nextItem = 0
      isScheduled = false
      return nil
    }
    let item = items[nextItem]
    items[nextItem] = .overload(nil)
    nextItem += 1
    guard case .message(let text, let id, _) = item else { return item }
    waitingBytes -= text.count
    guard let id else { return item }
    tried = (id, false)
    return .message(text, id, isCancelled: requests.removeValue(forKey: id)?.isCancelled ?? false)
  }
}
