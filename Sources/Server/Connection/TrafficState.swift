import DaybookProtocol
import JSONRPC

/// The state of a connection's traffic, as a value: what each step changes, and what it leaves to its caller.
struct TrafficState: Sendable {
  // Messages that could not be processed at once, in order.
  var items: [Item] = []
  var nextItem = 0
  var waitingBytes = 0
  /// Whether a drain of the items is scheduled.
  var isScheduled = false
  /// Whether a retry of a requeued message is scheduled.
  var isRetryScheduled = false
  var isClosed = false
  /// The request that was taken and is being processed, and whether it was cancelled meanwhile.
  var attempt: (id: RequestID, isCancelled: Bool)?

  // Requests that outlive the processing of their message. One that is answered at once is never registered.
  var requests: [RequestID: Request] = [:]
  var order = 0
  /// Replies that are being handed to the channel, whose ids are free again.
  var outgoingReplies = 0

  // Replies that must not be sent before a revision or a note is on disk, in order.
  var held: [Reply] = []
  /// The memory that `held` occupies, in bytes.
  var heldBytes = 0
  /// Whether a caller waits for most of `held` to leave.
  var awaitsRelease = false
  /// The held bytes up to which new work may start again.
  var lowWater = 1 << 20
  /// The revision up to which replies are released.
  var durable = 0
  /// The number of the note up to which replies are released.
  var written = 0
  /// The number of releases that have not started their follow-ups yet.
  var runningReleases = 0

  /// The capacity for queued messages, in bytes; further ones are refused.
  static let capacity = 256 << 20
}

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
