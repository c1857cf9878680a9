import DaybookProtocol

/// The last authoritative answer, cached for the next start: status and plan in one value, so that they cannot
/// disagree.
package struct PremiumRecord: Hashable, Sendable {
  package enum Outcome: Hashable, Sendable {
    case entitled(Entitlement)
    case notEntitled(InactiveReason)
  }

  package let outcome: Outcome
  /// When it was given.
  package let checkedAt: Instant

  package init(outcome: Outcome, checkedAt: Instant) {
    self.outcome = outcome
    self.checkedAt = checkedAt
  }

  /// The record of a verification; nil for `unknown`, which is never cached.
  package init?(_ verification: Verification, checkedAt: Instant) {
    switch verification {
    case .entitled(let entitlement): self.init(outcome: .entitled(entitlement), checkedAt: checkedAt)
    case .notEntitled(let reason): self.init(outcome: .notEntitled(reason), checkedAt: checkedAt)
    case .unknown: return nil
    }
  }

  /// The age above which a record is reported stale, milliseconds (7 days); it is still used.
  package static let staleAge: Int64 = 7 * 86_400_000
  /// The clock difference above which `checkedAt` counts as future-dated, milliseconds (5 minutes).
  package static let clockTolerance: Int64 = 5 * 60_000

  /// The status flag exactly as stored; age and expiry are ignored.
  package var isPremium: Bool { entitlement != nil }

  package var entitlement: Entitlement? {
    guard case .entitled(let entitlement) = outcome else { return nil }
    return entitlement
  }

  package var reason: InactiveReason? {
    guard case .notEntitled(let reason) = outcome else { return nil }
    return reason
  }

  /// The age in milliseconds; negative when `now` is earlier.
  package func age(_ now: Instant) -> Int64 {
    now.milliseconds.subtractingReportingOverflow(checkedAt.milliseconds).overflow
      ? (now > checkedAt ? .max : .min) : now.milliseconds - checkedAt.milliseconds
  }

  /// Whether `checkedAt` is ahead of the clock by more than the tolerance.
  package func isFutureDated(_ now: Instant) -> Bool {
    checkedAt > now.advanced(by: PremiumRecord.clockTolerance)
  }

  /// Whether it is older than seven days, or future-dated.
  package func isStale(_ now: Instant) -> Bool { age(now) > PremiumRecord.staleAge || isFutureDated(now) }
}

/// The cached record found at the start.
package enum CachedPremium: Hashable, Sendable {
  case missing
  /// It cannot be trusted.
  case damaged
  case record(PremiumRecord)

  package var record: PremiumRecord? {
    guard case .record(let record) = self else { return nil }
    return record
  }
}

extension PremiumFile {
  /// The stored form of a record.
  package init(_ record: PremiumRecord) {
    let entitlement = record.entitlement
    self.init(
      isPremium: record.isPremium, plan: entitlement?.plan, productId: entitlement?.productID,
      isTrial: entitlement?.isTrial, expiresAt: entitlement?.expiresAt, graceEndsAt: entitlement?.graceEndsAt,
      billingIssueSince: entitlement?.billingIssueSince, reason: record.reason, checkedAt: record.checkedAt)
  }

  /// The first member that contradicts another one, and how.
  fileprivate var contradiction: (name: String, message: String)? {
    if isPremium {
      if plan == nil { return ("plan", "premium without a plan") }
      if productId == nil { return ("productId", "premium without a product") }
      if reason != nil { return ("reason", "premium with a reason against it") }
      guard let graceEndsAt else { return nil }
      let isLater = expiresAt.map { graceEndsAt > $0 } ?? false
      return isLater ? nil : ("graceEndsAt", "a grace that does not follow an expiry")
    }
    let members: [(String, Bool)] = [
      ("plan", plan != nil), ("productId", productId != nil), ("expiresAt", expiresAt != nil),
      ("graceEndsAt", graceEndsAt != nil), ("billingIssueSince", billingIssueSince != nil),
      ("isTrial", isTrial == true),
    ]
    if let (name, _) = members.first(where: \.1) { return (name, "this member is not allowed without premium") }
    return reason == nil ? ("reason", "not premium without a reason") : nil
  }
}

extension PremiumRecord {
  /// Reads the members of a record and ignores unknown ones, which a later version may have written.
  ///
  /// Throws for an invalid member, and `contradiction` for a status that other members contradict.
  package init(_ object: JSONObject) throws(PremiumError) {
    let file = try PremiumFile(document: JSONValue.object(object).json)
    if let (name, message) = file.contradiction { throw PremiumError(.contradiction, message, at: "/\(name)") }
    if let plan = file.plan, let productID = file.productId {
      self.init(
        outcome: .entitled(
          Entitlement(
            plan: plan, productID: productID, isTrial: file.isTrial ?? false, expiresAt: file.expiresAt,
            graceEndsAt: file.graceEndsAt, billingIssueSince: file.billingIssueSince)),
        checkedAt: file.checkedAt)
    } else {
      self.init(outcome: .notEntitled(file.reason ?? .neverPurchased), checkedAt: file.checkedAt)
    }
  }

  /// The stored form.
  package var jsonObject: JSONObject { PremiumFile(self).jsonObject }
}
