import DaybookProtocol

/// The right to premium that a transaction grants.
package struct Entitlement: Hashable, Sendable {
  package let plan: Plan
  package let productID: String
  /// Whether it is in a free trial, which is premium.
  package let isTrial: Bool
  /// Nil for no end.
  package let expiresAt: Instant?
  /// The end of the billing grace, later than `expiresAt`; nil without one.
  package let graceEndsAt: Instant?
  /// Since when charging has failed; nil while it succeeds.
  package let billingIssueSince: Instant?

  /// A grace that does not outlast the expiry is dropped.
  package init(
    plan: Plan, productID: String, isTrial: Bool = false, expiresAt: Instant? = nil,
    graceEndsAt: Instant? = nil, billingIssueSince: Instant? = nil
  ) {
    self.plan = plan
    self.productID = productID
    self.isTrial = isTrial
    self.expiresAt = expiresAt
    self.billingIssueSince = billingIssueSince
    if let graceEndsAt, let expiresAt, graceEndsAt > expiresAt {
      self.graceEndsAt = graceEndsAt
    } else {
      self.graceEndsAt = nil
    }
  }

  /// The first instant at which it no longer holds: the end of the grace or the expiry; nil for never.
  package var endsAt: Instant? { graceEndsAt ?? expiresAt }

  /// Whether it holds at an instant; at its end it does not.
  package func holds(at instant: Instant) -> Bool { endsAt.map { instant < $0 } ?? true }
}

/// The result of a verification. The first two are authoritative; `unknown` never writes anything.
package enum Verification: Hashable, Sendable {
  case entitled(Entitlement)
  case notEntitled(InactiveReason)
  case unknown(UnknownReason)
}
