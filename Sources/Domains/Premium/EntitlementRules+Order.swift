import CivilTime
import DaybookProtocol

extension EntitlementRules {
  /// One state of each transaction, in the order of ids; the others are noted as duplicates.
  static func latestStates(_ told: [ShopTransaction], _ notes: inout [Note]) -> [ShopTransaction] {
    let ordered = told.sorted { $0.id != $1.id ? $0.id < $1.id : isLaterState($0, than: $1) }
    var states: [ShopTransaction] = []
    for transaction in ordered {
      if states.last?.id == transaction.id {
        note(transaction, .duplicate, &notes)
      } else {
        states.append(transaction)
      }
    }
    return states
  }

  static func note(_ transaction: ShopTransaction, _ why: Ignored, _ notes: inout [Note]) {
    notes.append(Note(transactionID: transaction.id, productID: transaction.productId, why: why))
  }

  /// Keeps the reason of the transaction bought last. An unverified or unknown one only where there is no other: anybody may
  /// have made it up.
  static func weigh(
    _ transaction: ShopTransaction, _ reason: InactiveReason,
    _ latest: inout (transaction: ShopTransaction, reason: InactiveReason)?
  ) {
    func weight(_ reason: InactiveReason) -> Int {
      reason == .unverified ? 0 : reason == .unknownProduct ? 1 : 2
    }
    if let known = latest {
      let old = (weight(known.reason), known.transaction.purchasedAt)
      // Of two bought at once the one of the lower id came first here, and stays.
      guard (weight(reason), transaction.purchasedAt) > old else { return }
    }
    latest = (transaction, reason)
  }

  /// Whether one valid transaction is used rather than another.
  static func isBetter(
    _ left: ShopTransaction, _ leftPlan: Plan, than right: ShopTransaction, _ rightPlan: Plan
  ) -> Bool {
    if leftPlan != rightPlan { return leftPlan == .yearly }
    let (leftEnd, rightEnd) = (end(left.expiresAt.value), end(right.expiresAt.value))
    if leftEnd != rightEnd { return leftEnd > rightEnd }
    if left.purchasedAt != right.purchasedAt { return left.purchasedAt > right.purchasedAt }
    return left.id < right.id
  }

  /// Whether one state of a transaction comes after another. Every member takes part, so that the outcome does not depend on
  /// the order they were told in.
  private static func isLaterState(_ left: ShopTransaction, than right: ShopTransaction) -> Bool {
    func key(_ transaction: ShopTransaction) -> [Int64] {
      [
        transaction.verified ? 1 : 0,
        transaction.revokedAt.value?.milliseconds ?? .min,
        transaction.purchasedAt.milliseconds,
        end(transaction.expiresAt.value).milliseconds,
        transaction.graceEndsAt.value?.milliseconds ?? .min,
        transaction.billing != .retry ? 1 : 0,
        transaction.trial == true ? 0 : 1,
      ]
    }
    let (leftKey, rightKey) = (key(left), key(right))
    return leftKey == rightKey
      ? left.productId < right.productId : rightKey.lexicographicallyPrecedes(leftKey)
  }

  /// An end to compare by: what never ends does so last.
  private static func end(_ instant: Instant?) -> Instant { instant ?? Instant(milliseconds: .max) }
}
