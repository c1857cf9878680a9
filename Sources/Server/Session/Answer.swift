import DomainKit

/// Receives the text of a deferred response, and the events that follow it.
typealias Completion = @Sendable (_ response: OutgoingPieces, _ events: [Event]) -> Void

/// The outcome of one message, besides the text of the response.
struct Answer {
  var method: Method?
  /// Whether the response comes later, and is not written here.
  var isDeferred = false
  /// Starts the work of a deferred response, or the follow-ups; called once the state it depends on is on disk.
  var start: (@Sendable () -> Void)?
  /// The revision that must be on disk before the response leaves.
  var revision = 0
  /// The text of a large result, and its position in the written response.
  var result: (text: [UInt8], place: Int)?
  var events: [Event] = []
  /// The requests answered here, to be registered as in flight if the response is held.
  var answered: [(id: RequestID, method: Method)] = []
  /// The requests whose responses are deferred.
  var deferred: [RequestID] = []
  /// Whether the message may be answered again if the state that the response depends on is lost.
  var isRepeatable = true
  var isInBatch = false
  /// Whether the response may depend on notes: true except for methods that read or write records only, or describe the
  /// protocol.
  var dependsOnNotes = false
  /// What to prepare before the request is retried, and the number of attempts by then; nil when it was answered.
  var preparation: (work: Preparation, attempts: Int)?

  /// Merges the outcome of one member of a batch.
  mutating func merge(_ member: Answer) {
    revision = max(revision, member.revision)
    events += member.events
    answered += member.answered
    deferred += member.deferred
    dependsOnNotes = dependsOnNotes || member.dependsOnNotes
  }
}
