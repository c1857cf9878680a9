import DaybookProtocol
import DomainKit
import JSONRPC

/// What to do with the text of a response that is ready later, and with the events that follow it.
typealias Completion = @Sendable (_ response: [UInt8], _ events: [Event]) -> Void

/// What answering one message has led to, beside the text of the response.
struct Answer {
  var method: Method?
  /// The response is not written here: it comes later.
  var isDeferred = false
  /// Begins the work of a response that comes later; to be called once what it rests on is on disk.
  var start: (@Sendable () -> Void)?
  /// The revision that has to be on disk before the response leaves.
  var revision = 0
  /// The text of a large result, and where it belongs in what is written.
  var result: (text: [UInt8], place: Int)?
  /// Events that follow the response.
  var events: [Event] = []
  /// The requests answered here, for the table of those in flight should the response have to wait.
  var answered: [(id: RequestID, method: Method)] = []
  /// The requests answered later.
  var deferred: [RequestID] = []
  /// Whether the message may be answered again if what the response rests on is lost.
  var isRepeatable = true
  var isInBatch = false
  /// Whether it may tell of what is noted beside the store: it does unless it reads or writes records alone, or
  /// tells of the protocol.
  var tellsOfNotes = false
  /// What has to be worked out before the request is tried again, and how often that was done then; nil when it was answered.
  var preparation: (work: Preparation, attempts: Int)?

  /// Takes in what one member of a batch has led to.
  mutating func take(_ member: Answer) {
    revision = max(revision, member.revision)
    events += member.events
    answered += member.answered
    deferred += member.deferred
    tellsOfNotes = tellsOfNotes || member.tellsOfNotes
  }
}
