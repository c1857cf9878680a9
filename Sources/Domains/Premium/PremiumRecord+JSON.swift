import CivilTime
import DaybookProtocol
import JSON

extension PremiumFile {
  /// The members of the record; what there is none of is left out.
  package init(_ record: PremiumRecord) {
    let entitlement = record.entitlement
    self.init(
      isPremium: record.isPremium, plan: entitlement?.plan, productId: entitlement?.productID,
      isTrial: entitlement?.isTrial, expiresAt: entitlement?.expiresAt, graceEndsAt: entitlement?.graceEndsAt,
      billingIssueSince: entitlement?.billingIssueSince, reason: record.reason, checkedAt: record.checkedAt)
  }

  /// The first member that another one denies, and how.
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
    if let (name, _) = members.first(where: \.1) { return (name, "not premium, and yet with this member") }
    return reason == nil ? ("reason", "not premium without a reason") : nil
  }
}

extension PremiumRecord {
  /// Reads the members of a record. Members it does not know are passed over, as a later version may have written them.
  ///
  /// Throws for a member that cannot be read, and `contradiction` for a status that the other members deny: premium without a
  /// plan or product, premium with a reason against it, no premium with a plan, a grace without an expiry or not after it.
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

  /// The members of the record; what there is none of is left out.
  package var jsonObject: JSONObject { PremiumFile(self).jsonObject }
}
