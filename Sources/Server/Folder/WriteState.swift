import CivilTime
import JSONRPC

/// The state of writing into the data folder.
struct WriteState {
  /// The number of changes that are being made off the session.
  var detached = 0
  /// When (monotonic nanoseconds) the first queued message began to wait for the folder's lock; nil when none waits.
  var waitingSince: UInt64?
  /// The number of the last note when the current message came.
  var notesBefore = 0
  /// The reason for refusing writes, while requests are answered again after a failed commit.
  var refusal: RPCError?
  /// Whether the folder was polled since replies last left for the client.
  var hasPolled = false
  /// Preparations of requests that are about to be resumed.
  var preparedOutcome: [RequestID: PreparedOutcome] = [:]
  /// The last day on which a daily backup was considered.
  var backupDay: CivilDay?

  mutating func takePreparedOutcome(_ id: RequestID) -> PreparedOutcome? { preparedOutcome.removeValue(forKey: id) }
}
