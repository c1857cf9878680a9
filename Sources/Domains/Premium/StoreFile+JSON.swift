import CivilTime
import JSON

extension StoreFile {
  /// Reads the document; members left out have their defaults, and `mode` and `transactions` have to be there.
  ///
  /// Throws with the place of the first thing wrong. Transactions may share an id, be unverified or name unknown products: the
  /// rules that judge them have to cope, and this is where they are tried.
  package init(json text: [UInt8]) throws(PremiumError) {
    let document = try DocumentObject(json: text)
    try document.refuseMembers(except: ["mode", "delayMilliseconds", "transactions", "pending"])
    mode = try document.required("mode", document.optionalChoice("mode"))
    delayMilliseconds = try document.optionalInteger("delayMilliseconds", in: 0...StoreFile.longestDelay)
    transactions = []
    for (value, pointer) in try document.required("transactions", document.optionalArray("transactions")) {
      transactions.append(try ShopTransaction(DocumentObject(value, at: pointer)))
    }
    pending = []
    for (value, pointer) in try document.optionalArray("pending") ?? [] {
      let ask = try Pending(DocumentObject(value, at: pointer))
      guard !pending.contains(where: { $0.id == ask.id }) else {
        throw PremiumError(.duplicateID, "another purchase waits under this id", at: pointer + "/id")
      }
      pending.append(ask)
    }
  }

  /// The members of the document.
  package var jsonObject: JSONObject {
    var object = JSONObject([("mode", .string(mode.rawValue))])
    object["delayMilliseconds"] = delayMilliseconds.map { .number(JSONNumber($0)) }
    object["transactions"] = .array(transactions.map { .object($0.jsonObject) })
    object["pending"] = .array(pending.map { .object($0.jsonObject) })
    return object
  }

  /// The document's text.
  package var json: [UInt8] { JSONValue.object(jsonObject).json }
}

extension ShopTransaction {
  fileprivate init(_ entry: DocumentObject) throws(PremiumError) {
    try entry.refuseMembers(except: [
      "id", "productId", "purchasedAt", "expiresAt", "trial", "revokedAt", "verified", "billing", "graceEndsAt",
      "isTrial", "isVerified",
    ])
    self.init(
      id: try entry.required("id", entry.optionalString("id")),
      productID: try entry.required("productId", entry.optionalString("productId")),
      purchasedAt: try entry.required("purchasedAt", entry.optionalInstant("purchasedAt")),
      expiresAt: try entry.optionalInstant("expiresAt"),
      isTrial: try entry.optionalBool("trial", formerly: "isTrial") ?? false,
      revokedAt: try entry.optionalInstant("revokedAt"),
      isVerified: try entry.optionalBool("verified", formerly: "isVerified") ?? true,
      billing: try entry.optionalChoice("billing") ?? .ok, graceEndsAt: try entry.optionalInstant("graceEndsAt"))
  }

  fileprivate var jsonObject: JSONObject {
    var object = JSONObject([("id", .string(id)), ("productId", .string(productID))])
    object["purchasedAt"] = .string(purchasedAt.description)
    object["expiresAt"] = expiresAt.map { .string($0.description) }
    object["trial"] = .bool(isTrial)
    object["revokedAt"] = revokedAt.map { .string($0.description) }
    object["verified"] = .bool(isVerified)
    object["billing"] = .string(billing.rawValue)
    object["graceEndsAt"] = graceEndsAt.map { .string($0.description) }
    return object
  }
}

extension StoreFile.Pending {
  fileprivate init(_ entry: DocumentObject) throws(PremiumError) {
    try entry.refuseMembers(except: ["id", "productId", "trial", "isTrial", "askedAt"])
    self.init(
      id: try entry.required("id", entry.optionalString("id")),
      productID: try entry.required("productId", entry.optionalString("productId")),
      isTrial: try entry.optionalBool("trial", formerly: "isTrial") ?? false,
      askedAt: try entry.required("askedAt", entry.optionalInstant("askedAt")))
  }

  fileprivate var jsonObject: JSONObject {
    JSONObject([
      ("id", .string(id)), ("productId", .string(productID)), ("trial", .bool(isTrial)),
      ("askedAt", .string(askedAt.description)),
    ])
  }
}

extension DocumentObject {
  /// True or false, nil when absent; `old` is the name that older files have for it.
  fileprivate func optionalBool(_ name: String, formerly old: String) throws(PremiumError) -> Bool? {
    if let flag = try optionalBool(name) { return flag }
    return try optionalBool(old)
  }
}
