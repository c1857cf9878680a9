import DaybookProtocol
import DomainKit
import JSON
import JSONRPC
import Values

/// What a write or a session request leaves behind beside its result.
struct Call {
  /// The method called; the label of the change.
  let method: Method
  /// The id that the caller gives the change, so that the request may come again.
  var transaction: EntityID?
  /// The revision that has to be on disk before the answer leaves.
  var revision: Int?
  /// By which clock days were counted before the change.
  var daysBefore: DayContext?
  /// Events that follow the answer, in order.
  var events: [Event] = []
  /// What is done once the answer is on its way.
  private(set) var followUps: [@Sendable (isolated Session) -> Void] = []

  init(method: Method) { self.method = method }

  /// Takes over what a service has left behind.
  mutating func take(_ context: Context) {
    guard let made = context.revision else { return }
    revision = made
    daysBefore = daysBefore ?? context.days
  }

  /// Has something done once the answer is on its way, and what it rests on is on disk.
  mutating func afterwards(_ body: @escaping @Sendable (isolated Session) -> Void) { followUps.append(body) }
}

extension OutgoingFrames {
  /// A whole notification out of an event.
  mutating func notify(_ event: Event) {
    notify(event.method, JSONFragment<JSONValue>(unchecked: event.params))
  }
}
