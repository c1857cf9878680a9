import DomainKit

/// What a client has declared about itself, and its choices, on one connection.
struct ClientState {
  var lifecycle: Lifecycle
  var framing = Framing.header
  /// Whether the framing is known.
  var hasBegun = false
  /// Whether unknown members of params are refused.
  var isStrict = true
  var trace = TraceValue.off
  var abilities = ClientAbilities()
  /// Whether it is a script without a handshake, which receives no events before it subscribes.
  let isScript: Bool
  var hasSubscribed = false
  /// The domains whose events it wants; nil for all.
  var subscribed: Set<EventDomain>?
  /// The day that this connection shows; nil for today.
  var selectedDay: CivilDay?
  var locale: String?
  /// The status to exit with, once “exit” has come.
  var exitStatus: Int32?

  init(skipsHandshake: Bool) {
    isScript = skipsHandshake
    lifecycle = skipsHandshake ? .running(hasConfirmed: true) : .awaitingInitialize
  }

  /// Whether it receives events now.
  var receivesEvents: Bool { lifecycle == .running(hasConfirmed: true) && (!isScript || hasSubscribed) }
}

/// The capabilities that the client declared.
struct ClientAbilities: Equatable {
  var confirms = false
  var knowsEntitlements = false
  var authenticates = false
  var knowsAuthorization = false
  var estimatesMeals = false
  var keepsEstimatorKey = false
  /// It shows reminders, and receives them when they are due.
  var showsReminders = false
  /// It schedules reminders itself.
  var schedules = false
  /// How many reminders it can hold.
  var pendingLimit: Int?

  init() {}

  /// Reads the member `capabilities` of `initialize`. A value that is no object counts as missing.
  init(_ capabilities: JSONValue?) {
    guard case .object(let abilities)? = capabilities else { return }
    func has(_ name: String) -> Bool { if case .object? = abilities[name] { true } else { false } }
    confirms = has("confirm")
    knowsEntitlements = has("entitlements")
    authenticates = has("authenticate")
    knowsAuthorization = has("notificationAuthorization")
    estimatesMeals = has("estimateMeals")
    keepsEstimatorKey = has("estimatorKey")
    showsReminders = has("reminders")
    guard case .object(let scheduler)? = abilities["scheduler"] else { return }
    schedules = true
    if case .number(let number)? = scheduler["pendingLimit"], let limit = number.integer, limit > 0 {
      pendingLimit = limit
    }
  }
}
