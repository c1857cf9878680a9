import JSON

/// What the client said it can do.
struct ClientAbilities: Equatable {
  /// It answers `client/confirm`.
  var confirms = false
  /// It answers `shop/currentEntitlements`.
  var knowsEntitlements = false
  /// It answers `device/authenticate`.
  var authenticates = false
  /// It answers `device/notificationAuthorization`.
  var knowsAuthorization = false
  /// It answers `estimator/estimate`.
  var estimatesMeals = false
  /// It answers `estimator/key`.
  var keepsEstimatorKey = false
  /// It shows reminders, and is sent them when they are due.
  var showsReminders = false
  /// It schedules reminders itself.
  var schedules = false
  /// How many reminders it can hold.
  var pendingLimit: Int?

  init() {}

  /// Reads the member `capabilities` of `initialize`. What is no object counts as not there.
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
