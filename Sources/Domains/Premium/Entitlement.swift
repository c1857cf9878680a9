import CivilTime
import DaybookProtocol

/// The right to premium that one transaction gives.
package struct Entitlement: Hashable, Sendable {
  /// The plan of the product.
  package let plan: Plan
  /// The product owned.
  package let productID: String
  /// Whether it is a free trial now; a live trial is premium.
  package let isTrial: Bool
  /// When it ends, nil for never.
  package let expiresAt: Instant?
  /// The end of a known billing grace, later than `expiresAt`; nil without one.
  package let graceEndsAt: Instant?
  /// Since when charging fails, nil when it does not.
  package let billingIssueSince: Instant?

  /// A grace that does not reach past the expiry, or of something that never ends, says nothing and is dropped.
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

  /// The first instant at which it no longer holds: the end of the grace, else the expiry; nil for never.
  package var endsAt: Instant? { graceEndsAt ?? expiresAt }

  /// Whether it holds at that instant. The end itself is outside.
  package func holds(at instant: Instant) -> Bool { endsAt.map { instant < $0 } ?? true }
}

/// What a verification found. Only the first two are authoritative; the third never writes anything.
package enum Verification: Hashable, Sendable {
  case entitled(Entitlement)
  case notEntitled(InactiveReason)
  case unknown(UnknownReason)
}
