import DaybookProtocol
import DomainKit
import JSON
import JSONRPC
import Values

/// The events of a change, and whether it moves reminders.
struct PreparedEvents: Sendable {
  let events: [Event]
  let movesReminders: Bool
  /// Whether meals are among what changed, which moves reminders where they are reminded of.
  let hasMeals: Bool
}

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

  /// Whether it is answered together with others, so that it cannot go on later.
  var isInBatch = false
  /// Whether its answer is right although nothing can be written.
  var holdsWithoutDisk = false
  /// What is worked out before the request goes on, away from the session; nil when it was answered.
  private(set) var preparation: Preparation?
  /// What a service has left to be worked out away from the session.
  var planned: PlannedChange?
  /// Whether the user has just proven for it who they are.
  var isAuthenticated = false
  /// What that came to the last time.
  var workedOut: WorkedOut?
  /// The text of the result, where it is handed over rather than written.
  var result: [UInt8]?
  /// The events of the change, if they were worked out before.
  var prepared: PreparedEvents?

  init(method: Method) { self.method = method }

  /// How often something was worked out for it.
  var attempts: Int { workedOut?.attempts ?? 0 }

  /// Has something worked out away from the session, and the request then go on with what `body` returns: others are answered
  /// meanwhile. What is returned is to be thrown.
  mutating func setAside(_ body: Preparation) -> RPCError {
    preparation = body
    return RPCError(.internalError, "the request goes on later")
  }

  /// Takes over what a service has left behind.
  mutating func take(_ context: Context) {
    planned = context.planned
    guard let made = context.revision else { return }
    revision = made
    daysBefore = daysBefore ?? context.days
  }

  /// Has something done once the answer is on its way, and what it rests on is on disk.
  mutating func afterwards(_ body: @escaping @Sendable (isolated Session) -> Void) { followUps.append(body) }
}

extension OutgoingFrames {
  /// A whole notification out of an event.
  mutating func notify(_ event: Event) { notify(event.method, text: event.params) }
}
