import DaybookProtocol

/// The embedded store of record: a value whose operations return new ones, with time as an argument.
extension StoreFile {
  package enum Delay: Hashable, Sendable {
    case none
    /// After that many milliseconds.
    case milliseconds(Int)
    /// Never.
    case forever
  }

  /// Without purchases.
  package static let empty = StoreFile(mode: .online, transactions: [])

  /// Purchases that await approval.
  package internal(set) var waiting: [PendingPurchase] {
    get { pending ?? [] }
    set { pending = newValue.isEmpty ? nil : newValue }
  }

  /// The longest delay, milliseconds (ten minutes).
  package static let longestDelay = 600_000
  /// The default delay of the slow mode, milliseconds.
  package static let defaultDelay = 2000

  /// When the answer comes; the caller waits.
  package var delay: Delay {
    switch mode {
    case .online, .offline: .none
    case .slow: .milliseconds(delayMilliseconds ?? StoreFile.defaultDelay)
    case .never: .forever
    }
  }

  /// The answer: every transaction, for the rules to judge.
  package var answer: StoreAnswer {
    switch mode {
    case .online, .slow: .answered(transactions)
    case .offline: .unavailable(.unreachable)
    case .never: .unavailable(.timedOut)
    }
  }

  /// Reads a file, including member names of older versions. The error has the pointer of the first problem.
  ///
  /// Transactions may share an id, be unverified or name unknown products, so that the rules can be tried with such
  /// answers.
  package init(file text: [UInt8]) throws(PremiumError) {
    let document: JSONValue
    do throws(JSONError) { document = try JSONValue(json: text) } catch { throw PremiumError(error, in: text) }
    let present = StoreFile.modernized(document)
    try StoreFile.refuseUnknownMembers(present)
    try self.init(document: present.json)
    var ids: Set<String> = []
    for (index, purchase) in waiting.enumerated() where !ids.insert(purchase.id).inserted {
      throw PremiumError(.duplicateID, "another purchase waits under this id", at: "/pending/\(index)/id")
    }
  }

  /// The decoder of a transaction ignores unknown members, as a frontend may be newer. In a file they are typing
  /// errors, one of which could make an entitlement that never ends.
  private static func refuseUnknownMembers(_ document: JSONValue) throws(PremiumError) {
    let known = [
      "id", "productId", "purchasedAt", "expiresAt", "trial", "verified", "revokedAt", "billing", "graceEndsAt",
    ]
    guard case .object(let file) = document, case .array(let transactions)? = file["transactions"] else { return }
    for (index, transaction) in transactions.enumerated() {
      guard case .object(let object) = transaction else { continue }
      for member in object.members where !known.contains(member.name) {
        let hint = Spelling.nearest(to: member.name, among: known).map { ", did you mean “\($0)”?" } ?? ""
        throw PremiumError(
          .unknownMember, "not a member of a transaction\(hint)",
          at: "/transactions/\(index)" + JSONPointer.token(member.name))
      }
    }
  }

  /// The document with present member names, without nulls, and with the defaults of a transaction.
  private static func modernized(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements): return .array(elements.map(modernized))
    case .object(let object):
      let names = ["isTrial": "trial", "isVerified": "verified"]
      var renamed = JSONObject(
        object.members.filter { $0.value != .null }.map { (names[$0.name] ?? $0.name, modernized($0.value)) })
      if object["purchasedAt"] != nil {
        let usual: [JSONObject.Member] = [
          ("trial", .bool(false)), ("verified", .bool(true)), ("billing", .string("ok")),
        ]
        for (name, value) in usual where renamed[name] == nil { renamed[name] = value }
      }
      return .object(renamed)
    default: return value
    }
  }
}
