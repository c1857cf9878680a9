import CivilTime
import DaybookProtocol
import JSONRPC

extension TrafficState {
  /// A request that is queued, running off the session, or being committed.
  struct Request: Sendable {
    var method: String
    var state: ActivityState
    var since: Instant
    var isCancelled = false
    var order = 0
    /// The tokens under which it reports progress.
    var tokens: [Token] = []
    /// Cancels the work.
    var cancel: (@Sendable () -> Void)?
  }

  /// The number of requests that the end of the process waits for.
  var unfinishedRequests: Int { requests.count + outgoingReplies }

  mutating func add(_ id: RequestID, method: String, state: ActivityState, since: Instant) -> Bool {
    guard requests[id] == nil else { return false }
    order += 1
    requests[id] = Request(
      method: method, state: state, since: since, isCancelled: attempt?.id == id && attempt?.isCancelled == true,
      order: order)
    return true
  }

  /// Marks a request as cancelled; returns how to cancel its work.
  mutating func cancel(_ id: RequestID) -> (@Sendable () -> Void)? {
    if requests[id] == nil, attempt?.id == id { attempt?.isCancelled = true }
    guard let request = requests[id], request.state != .committing else { return nil }
    requests[id]?.isCancelled = true
    return request.cancel
  }

  /// Claims progress tokens for a request; false when another request has one of them.
  mutating func claim(_ tokens: [Token], for id: RequestID) -> Bool {
    guard !requests.contains(where: { $0.key != id && !$0.value.tokens.allSatisfy { !tokens.contains($0) } }) else {
      return false
    }
    requests[id]?.tokens = tokens
    return true
  }

  var activities: [Activity] {
    requests.sorted { $0.value.order < $1.value.order }.map { id, request in
      Activity(id: Token(unchecked: id.lexeme), method: request.method, state: request.state, since: request.since)
    }
  }
}
