import DomainKit
import JSONRPC

/// What is on its way to the client and not handed to the channel yet.
struct Outgoing: ~Copyable {
  /// Frames not handed over yet; nil while a message is being answered, which then has them.
  var frames: OutgoingFrames?
  /// Events that came about while a message was worked on; they follow it.
  var lateEvents: [Event] = []
  /// Events that are to follow the answer to a request worked on away from the session; nil while none are set aside for one.
  var followingEvents: [Event]?
  /// Lines for the client's log pane, sent with the next answer.
  var logLines: [Event] = []
}
