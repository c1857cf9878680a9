import CivilTime

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
    notes.append(Note(transactionID: transaction.id, productID: transaction.productID, why: why))
  }

  /// Keeps the reason of the transaction bought last. An unverified or unknown one only where there is no other: anybody may
  /// have made it up.
  static func weigh(
    _ transaction: ShopTransaction, _ reason: NotEntitledReason,
    _ latest: inout (transaction: ShopTransaction, reason: NotEntitledReason)?
  ) {
    func weight(_ reason: NotEntitledReason) -> Int {
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
    _ left: ShopTransaction, _ leftPlan: PremiumPlan, than right: ShopTransaction, _ rightPlan: PremiumPlan
  ) -> Bool {
    if leftPlan != rightPlan { return leftPlan.rank > rightPlan.rank }
    let (leftEnd, rightEnd) = (end(left.expiresAt), end(right.expiresAt))
    if leftEnd != rightEnd { return leftEnd > rightEnd }
    if left.purchasedAt != right.purchasedAt { return left.purchasedAt > right.purchasedAt }
    return left.id < right.id
  }

  /// Whether one state of a transaction comes after another. Every member takes part, so that the outcome does not depend on
  /// the order they were told in.
  private static func isLaterState(_ left: ShopTransaction, than right: ShopTransaction) -> Bool {
    func key(_ transaction: ShopTransaction) -> [Int64] {
      [
        transaction.isVerified ? 1 : 0,
        transaction.revokedAt?.milliseconds ?? .min,
        transaction.purchasedAt.milliseconds,
        end(transaction.expiresAt).milliseconds,
        transaction.graceEndsAt?.milliseconds ?? .min,
        transaction.billing == .ok ? 1 : 0,
        transaction.isTrial ? 0 : 1,
      ]
    }
    let (leftKey, rightKey) = (key(left), key(right))
    return leftKey == rightKey
      ? left.productID < right.productID : rightKey.lexicographicallyPrecedes(leftKey)
  }

  /// An end to compare by: what never ends does so last.
  private static func end(_ instant: Instant?) -> Instant { instant ?? Instant(milliseconds: .max) }
}
