import CivilTime
import DaybookProtocol
import JSON

/// The embedded store of record. A value: every operation makes a new one, and time is an argument.
extension StoreFile {
  /// When an answer comes.
  package enum Delay: Hashable, Sendable {
    case none
    /// After that many milliseconds.
    case milliseconds(Int)
    /// Not at all.
    case forever
  }

  /// A store in which nothing was ever bought.
  package static let empty = StoreFile(mode: .online, transactions: [])

  /// What waits for approval.
  package internal(set) var waiting: [PendingPurchase] {
    get { pending ?? [] }
    set { pending = newValue.isEmpty ? nil : newValue }
  }

  /// The longest delay, milliseconds (ten minutes).
  package static let longestDelay = 600_000
  /// The delay of a slow store that names none, milliseconds.
  package static let defaultDelay = 2000

  /// When its answer comes. The caller does the waiting.
  package var delay: Delay {
    switch mode {
    case .online, .offline: .none
    case .slow: .milliseconds(delayMilliseconds ?? StoreFile.defaultDelay)
    case .never: .forever
    }
  }

  /// The answer, once it comes: all that was bought, for the rules to judge.
  package var answer: StoreAnswer {
    switch mode {
    case .online, .slow: .answered(transactions)
    case .offline: .unavailable(.unreachable)
    case .never: .unavailable(.timedOut)
    }
  }

  /// Reads a file, by the member names of older files too; `mode` and `transactions` have to be there.
  ///
  /// Throws with the place of the first thing wrong. Transactions may share an id, be unverified or name unknown products: the
  /// rules that judge them have to cope, and this is where they are tried.
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

  /// A transaction's decoder passes over members it does not know, as a shop's frontend may be newer. In a file they are typing
  /// errors, and one of them would make an entitlement that never ends.
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

  /// The document with the member names of today and without those that are null; a transaction has what is usual where it says
  /// nothing.
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
