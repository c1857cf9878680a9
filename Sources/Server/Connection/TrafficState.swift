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
  /// Whether further messages are refused.
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
