import CivilTime
import JSONRPC

/// How writing into the data folder stands.
struct WritingRoom {
  /// How many changes are being made away from the session.
  var detached = 0
  /// Since when (monotonic nanoseconds) the first message that waits does so for the folder's lock; nil when none does.
  var waitsSince: UInt64?
  /// The number of the latest note when the message that is worked on came.
  var notesBefore = 0
  /// While answers are given again after a failed commit: why nothing can be written.
  var refusal: RPCError?
  /// Whether others' changes were looked for since answers last left for the client.
  var hasLooked = false
  /// What was worked out for requests that go on with it.
  var workedOut: [RequestID: WorkedOut] = [:]
  /// The day on which a daily backup was last thought of.
  var backupDay: CivilDay?

  /// What was worked out for a request, once.
  mutating func takeWorkedOut(_ id: RequestID) -> WorkedOut? { workedOut.removeValue(forKey: id) }
}
