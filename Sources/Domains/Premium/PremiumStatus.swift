import DaybookProtocol

/// What is known about premium. The plan is part of the active state, so that the two cannot disagree.
package enum PremiumStatus: Hashable, Sendable {
  /// Nothing is known and no verification runs; with the reason of the last attempt.
  case unknown(UnknownReason?)
  /// Nothing is known and a verification runs.
  case loading
  case active(Entitlement)
  case inactive(InactiveReason)

  /// The name of the case, for events and logs.
  package var name: String {
    switch self {
    case .unknown: "unknown"
    case .loading: "loading"
    case .active: "active"
    case .inactive: "inactive"
    }
  }

  /// The entitlement in force.
  package var entitlement: Entitlement? {
    guard case .active(let entitlement) = self else { return nil }
    return entitlement
  }
}
