import DaybookProtocol

/// Evaluates the answers of a store of record.
package enum EntitlementRules {
  package enum Ignored: String, CaseIterable, Sendable {
    /// A later state of the same transaction counts.
    case duplicate
    case unverified
    case unknownProduct
    case revoked
    case expired
    case billingRetry
    /// It is valid, but a better one is used.
    case outranked
  }

  /// A transaction that does not count, for the log.
  package struct Note: Hashable, Sendable {
    package let transactionID: String
    package let productID: String
    package let why: Ignored
  }

  /// The result of a verification and the transactions that did not count.
  package struct Evaluation: Hashable, Sendable {
    package let verification: Verification
    /// Ordered by id.
    package let notes: [Note]
  }

  /// Evaluates an answer at `now`, independent of the order of its transactions.
  ///
  /// Of states with one id the verified one counts, then the latest: revoked, then bought later, then ending later. A
  /// transaction without expiry entitles for ever; one past its expiry entitles within its grace. Of several valid
  /// ones, yearly wins over monthly, then the later expiry. Without one, the latest transaction gives the reason. A
  /// transaction that cannot be read might entitle, so that a partial answer never takes premium away.
  package static func evaluate(_ answer: StoreAnswer, catalogue: ProductCatalogue, now: Instant) -> Evaluation {
    let told: [ShopTransaction]
    switch answer {
    case .answered(let transactions), .partly(let transactions, _): told = transactions
    case .unavailable(let reason): return Evaluation(verification: .unknown(reason), notes: [])
    }
    var notes: [Note] = []
    var valid: [(transaction: ShopTransaction, plan: Plan)] = []
    var latest: (transaction: ShopTransaction, reason: InactiveReason)?
    for transaction in latestStates(told, &notes) {
      switch judge(transaction, catalogue, now) {
      case .valid(let plan): valid.append((transaction, plan))
      case .notValid(let reason):
        note(transaction, Ignored(reason), &notes)
        weigh(transaction, reason, &latest)
      }
    }
    valid.sort { isBetter($0.transaction, $0.plan, than: $1.transaction, $1.plan) }
    for (transaction, _) in valid.dropFirst() { note(transaction, .outranked, &notes) }
    notes.sort { ($0.transactionID, $0.why.rawValue) < ($1.transactionID, $1.why.rawValue) }
    guard let (best, plan) = valid.first else {
      let verification =
        answer.fault == nil ? Verification.notEntitled(latest?.reason ?? .neverPurchased) : .unknown(.malformed)
      return Evaluation(verification: verification, notes: notes)
    }
    return Evaluation(verification: .entitled(entitlement(best, plan, now)), notes: notes)
  }

  private enum Judgement {
    case valid(Plan)
    case notValid(InactiveReason)
  }

  private static func judge(
    _ transaction: ShopTransaction, _ catalogue: ProductCatalogue, _ now: Instant
  ) -> Judgement {
    guard transaction.verified else { return .notValid(.unverified) }
    guard let plan = catalogue.product(transaction.productId)?.plan else { return .notValid(.unknownProduct) }
    guard transaction.revokedAt.value == nil else { return .notValid(.revoked) }
    if entitlement(transaction, plan, now).holds(at: now) { return .valid(plan) }
    return .notValid(transaction.billing == .retry ? .billingRetry : .expired)
  }

  private static func entitlement(_ transaction: ShopTransaction, _ plan: Plan, _ now: Instant) -> Entitlement {
    // A purchase without expiry is charged once, so that no later charge can fail.
    let failedAt = transaction.expiresAt.value.flatMap { $0 <= now ? $0 : nil }
    return Entitlement(
      plan: plan, productID: transaction.productId, isTrial: transaction.trial ?? false,
      expiresAt: transaction.expiresAt.value,
      graceEndsAt: transaction.graceEndsAt.value, billingIssueSince: failedAt)
  }
}

extension EntitlementRules.Ignored {
  init(_ reason: InactiveReason) {
    switch reason {
    case .unverified: self = .unverified
    case .unknownProduct: self = .unknownProduct
    case .revoked: self = .revoked
    case .billingRetry: self = .billingRetry
    case .expired, .neverPurchased, .unknown: self = .expired
    }
  }
}

extension EntitlementRules {
  /// Keeps one state of each transaction, ordered by id, and notes the others as duplicates.
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

  /// Keeps the reason of the latest purchase. Unverified and unknown transactions count only when there is no other:
  /// anyone may have made them up.
  static func weigh(
    _ transaction: ShopTransaction, _ reason: InactiveReason,
    _ latest: inout (transaction: ShopTransaction, reason: InactiveReason)?
  ) {
    func weight(_ reason: InactiveReason) -> Int {
      reason == .unverified ? 0 : reason == .unknownProduct ? 1 : 2
    }
    if let known = latest {
      let old = (weight(known.reason), known.transaction.purchasedAt)
      // Of simultaneous purchases, the one with the lower id came first and stays.
      guard (weight(reason), transaction.purchasedAt) > old else { return }
    }
    latest = (transaction, reason)
  }

  /// Whether one valid transaction is preferred to another.
  static func isBetter(
    _ left: ShopTransaction, _ leftPlan: Plan, than right: ShopTransaction, _ rightPlan: Plan
  ) -> Bool {
    if leftPlan != rightPlan { return leftPlan == .yearly }
    let (leftEnd, rightEnd) = (end(left.expiresAt.value), end(right.expiresAt.value))
    if leftEnd != rightEnd { return leftEnd > rightEnd }
    if left.purchasedAt != right.purchasedAt { return left.purchasedAt > right.purchasedAt }
    return left.id < right.id
  }

  /// Whether one state of a transaction is later than another. Compares every member, so that the order of the answer
  /// does not matter.
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

  /// An end for comparison; no end is the latest.
  private static func end(_ instant: Instant?) -> Instant { instant ?? Instant(milliseconds: .max) }
}
