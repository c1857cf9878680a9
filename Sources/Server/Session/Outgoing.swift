import DomainKit

/// Output that has not been handed to the channel yet.
struct Outgoing: ~Copyable {
  /// Frames to hand over; nil while a message is being processed, which then owns them.
  var frames: OutgoingFrames?
  /// Events that occur while a message is being processed; they follow it.
  var deferredEvents: [Event] = []
  /// Events that follow the reply to a request off the session; nil while none are being collected.
  var collectedEvents: [Event]?
  /// Lines for the client's log pane, sent with the next reply.
  var logLines: [Event] = []
}
