import DomainKit

/// What a write or session request produces besides its result.
struct Call {
  /// The method, which also labels the change.
  let method: Method
  /// The state of the message that it came in.
  var turn: MessageTurn
  /// The client's id of the change, which makes the request repeatable.
  var transaction: EntityID?
  /// The revision that must be on disk before the reply leaves.
  var revision: Int?
  /// How days were counted before the change.
  var daysBefore: DayContext?
  /// Events that follow the reply, in order.
  var events: [Event] = []
  /// Work that follows the reply.
  private(set) var followUps: [@Sendable (isolated Session) -> Void] = []

  /// Whether it is part of a batch, and therefore cannot be suspended.
  var isInBatch = false
  /// Whether it succeeds although nothing can be written.
  var succeedsWithoutDisk = false
  /// Whether the user has just been authenticated for it.
  var isAuthenticated = false
  /// The outcome of the last preparation.
  var preparedOutcome: PreparedOutcome?
  /// The text of the result, when it is passed on rather than written.
  var result: [UInt8]?
  /// The events of the change, if they were computed in advance.
  var prepared: PreparedEvents?

  init(method: Method, turn: MessageTurn = MessageTurn()) {
    self.method = method
    self.turn = turn
  }

  /// The number of preparations so far.
  var attempts: Int { preparedOutcome?.attempts ?? 0 }

  /// Whether it may wait for work outside the session: not in a batch, and not when something else changes all the time.
  var mayWait: Bool { !isInBatch && attempts < Session.maximumAttempts }

  mutating func emit(_ method: StaticString, _ params: some JSONEncodable) { events.append(Event(method, params)) }

  /// Adopts what a service has left in its context.
  mutating func adopt(_ context: Context) {
    turn = context.turn
    guard let made = context.revision else { return }
    revision = made
    daysBefore = daysBefore ?? context.days
  }

  /// Runs `body` once the state that the reply depends on is on disk and the reply has been sent.
  mutating func afterReply(_ body: @escaping @Sendable (isolated Session) -> Void) { followUps.append(body) }
}

extension OutgoingFrames {
  /// Writes an event as a whole notification.
  mutating func notify(_ event: Event) { notify(event.method, text: event.params) }
}
