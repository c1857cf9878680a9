import JSON

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
