import CivilTime
import JSON

extension PremiumRecord {
  /// The members of the record; what there is none of is left out.
  package var jsonObject: JSONObject {
    var object = JSONObject([("isPremium", .bool(isPremium))])
    if let entitlement {
      object["plan"] = .string(entitlement.plan.rawValue)
      object["productId"] = .string(entitlement.productID)
      object["isTrial"] = .bool(entitlement.isTrial)
      object["expiresAt"] = entitlement.expiresAt.map { .string($0.description) }
      object["graceEndsAt"] = entitlement.graceEndsAt.map { .string($0.description) }
      object["billingIssueSince"] = entitlement.billingIssueSince.map { .string($0.description) }
    }
    object["reason"] = reason.map { .string($0.rawValue) }
    object["checkedAt"] = .string(checkedAt.description)
    return object
  }

  /// Reads what `jsonObject` makes. Members it does not know are passed over, as a later version may have written them.
  ///
  /// Throws for a member that cannot be read, and `contradiction` for a status that the other members deny: premium without a
  /// plan or product, premium with a reason against it, no premium with a plan, a grace without an expiry or not after it.
  package init(_ object: JSONObject) throws(PremiumError) {
    let document = DocumentObject(object)
    let isPremium = try document.required("isPremium", document.optionalBool("isPremium"))
    let checkedAt = try document.required("checkedAt", document.optionalInstant("checkedAt"))
    let plan: PremiumPlan? = try document.optionalChoice("plan")
    let productID = try document.optionalString("productId")
    let isTrial = try document.optionalBool("isTrial") ?? false
    let expiresAt = try document.optionalInstant("expiresAt")
    let graceEndsAt = try document.optionalInstant("graceEndsAt")
    let billingIssueSince = try document.optionalInstant("billingIssueSince")
    let reason: NotEntitledReason? = try document.optionalChoice("reason")
    func refuse(_ message: String, _ name: String) -> PremiumError {
      PremiumError(.contradiction, message, at: document.place(name))
    }
    guard isPremium else {
      for name in ["plan", "productId", "expiresAt", "graceEndsAt", "billingIssueSince"]
      where document.value(name) != nil { throw refuse("not premium, and yet with this member", name) }
      if isTrial { throw refuse("not premium, and yet on trial", "isTrial") }
      guard let reason else { throw refuse("not premium without a reason", "reason") }
      self.init(outcome: .notEntitled(reason), checkedAt: checkedAt)
      return
    }
    guard let plan else { throw refuse("premium without a plan", "plan") }
    guard let productID else { throw refuse("premium without a product", "productId") }
    if reason != nil { throw refuse("premium with a reason against it", "reason") }
    if let graceEndsAt {
      guard let expiresAt, graceEndsAt > expiresAt else {
        throw refuse("a grace that does not follow an expiry", "graceEndsAt")
      }
    }
    self.init(
      outcome: .entitled(
        Entitlement(
          plan: plan, productID: productID, isTrial: isTrial, expiresAt: expiresAt, graceEndsAt: graceEndsAt,
          billingIssueSince: billingIssueSince)),
      checkedAt: checkedAt)
  }
}
