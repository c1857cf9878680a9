import DaybookProtocol
import JSONRPC

/// The state of a connection's traffic, as a value: what each step changes, and what it leaves to be done.
struct TrafficState: Sendable {
  // Messages that came in and could not be worked on at once, in order.
  var items: [Item] = []
  var nextItem = 0
  var waitingBytes = 0
  /// Whether somebody is going to take the items.
  var isScheduled = false
  /// Whether a message that was put back is going to be tried again by itself.
  var awaitsRetry = false
  /// Whether no message is taken in any more.
  var isClosed = false
  /// The request that was taken out to be tried, and whether it was cancelled meanwhile.
  var tried: (id: RequestID, isCancelled: Bool)?

  // Requests that outlive the moment they were read in. One that is answered on the spot never enters.
  var requests: [RequestID: Request] = [:]
  var order = 0
  /// Answers on their way to the channel, whose ids are free again.
  var leaving = 0

  // Replies that are ready and must not be sent before a revision or a note is on disk, in order.
  var held: [Reply] = []
  /// Bytes that `held` keeps in memory.
  var heldBytes = 0
  /// Whether somebody waits for most of `held` to leave.
  var awaitsRelease = false
  /// The held bytes up to which new work may start again.
  var lowWater = 1 << 20
  /// The revision up to which replies are let through.
  var durable = 0
  /// The number of the note up to which replies are let through.
  var written = 0
  /// How many openings are about to begin what waited for them.
  var beginning = 0

  /// So many bytes of messages may wait; those beyond are refused.
  static let capacity = 256 << 20
}
