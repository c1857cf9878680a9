import CivilTime

/// One purchase or renewal, as a store of record tells it.
package struct ShopTransaction: Hashable, Sendable {
  /// Whether the store could charge for the next period.
  package enum Billing: String, CaseIterable, Sendable {
    /// Nothing is known to be wrong.
    case ok
    /// A charge failed, and the store tries again.
    case retry
  }

  /// The store's id of it; the same id again is the same transaction, told twice or later.
  package var id: String
  /// The product bought.
  package var productID: String
  /// When it was bought or renewed.
  package var purchasedAt: Instant
  /// When it ends, nil for never.
  package var expiresAt: Instant?
  /// Whether this period is a free trial.
  package var isTrial: Bool
  /// When the store took it back: a refund, or a family member who left.
  package var revokedAt: Instant?
  /// Whether the store's signature of it was checked and holds.
  package var isVerified: Bool
  /// How charging goes.
  package var billing: Billing
  /// Until when it counts although it has ended, while the store tries to charge.
  package var graceEndsAt: Instant?

  package init(
    id: String, productID: String, purchasedAt: Instant, expiresAt: Instant? = nil, isTrial: Bool = false,
    revokedAt: Instant? = nil, isVerified: Bool = true, billing: Billing = .ok, graceEndsAt: Instant? = nil
  ) {
    self.id = id
    self.productID = productID
    self.purchasedAt = purchasedAt
    self.expiresAt = expiresAt
    self.isTrial = isTrial
    self.revokedAt = revokedAt
    self.isVerified = isVerified
    self.billing = billing
    self.graceEndsAt = graceEndsAt
  }
}

/// What a store of record answered when it was asked for its transactions.
package enum StoreAnswer: Hashable, Sendable {
  /// It answered, and this is all there is; an empty list means nothing was ever bought.
  case answered([ShopTransaction])
  /// It did not answer, or not so that it could be understood.
  case unavailable(UnknownReason)
}

/// Why it is not known whether anything is owned.
package enum UnknownReason: String, CaseIterable, Sendable {
  /// The store of record was out of reach.
  case unreachable
  /// It did not answer in time.
  case timedOut
  /// There is no store of record that this process may ask.
  case nobodyToAsk
  /// It answered something that is no answer.
  case malformed
}
