import DaybookProtocol
import JSONRPC

extension TrafficState {
  enum Item: Sendable {
    /// A message; for a registered request its id, and once it is taken whether it was cancelled.
    case message([UInt8], RequestID?, isCancelled: Bool = false)
    case fault(MessageFault)
    /// A message over capacity; for a request its id.
    case overload(RequestID?)
  }

  var hasMessages: Bool { nextItem < items.count }

  /// Whether the queue was drained completely: the last drain found no item.
  var isSettled: Bool { !isScheduled }

  mutating func enqueue(
    _ text: UnsafeRawBufferPointer, _ request: (id: RequestID, method: String)?, at now: Instant
  ) -> Bool {
    guard waitingBytes + text.count <= TrafficState.capacity else { return append(.overload(request?.id)) }
    // The request of the current attempt still has its id; it is registered again only if it is requeued.
    let isTaken = request.map { $0.id == attempt?.id } ?? false
    return append(.message(Array(text), isTaken ? nil : registered(request, at: now)))
  }

  /// Queues an item; true when the caller must schedule a drain.
  mutating func append(_ item: Item) -> Bool {
    guard !isClosed else { return false }
    if case .message(let bytes, _, _) = item { waitingBytes += bytes.count }
    items.append(item)
    defer { isScheduled = true }
    return !isScheduled
  }

  /// Requeues a message at the front; true when the caller must schedule a retry.
  mutating func requeue(
    _ text: UnsafeRawBufferPointer, _ request: (id: RequestID, method: String)?, at now: Instant
  ) -> Bool {
    prepend(Array(text), registered(request, at: now))
    defer { isRetryScheduled = true }
    return !isRetryScheduled
  }

  /// Requeues a suspended request, at the front.
  mutating func resume(_ id: RequestID, _ text: [UInt8]) {
    requests[id]?.state = .queued
    requests[id]?.cancel = nil
    prepend(text, id)
  }

  private mutating func prepend(_ text: [UInt8], _ id: RequestID?) {
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

  /// The id under which a queued request can be cancelled; nil when another request has it.
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
    attempt = (id, false)
    return .message(text, id, isCancelled: requests.removeValue(forKey: id)?.isCancelled ?? false)
  }
}
