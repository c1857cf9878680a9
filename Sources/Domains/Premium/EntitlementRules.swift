import CivilTime
import DaybookProtocol

/// What a store's answer means.
package enum EntitlementRules {
  /// Why a transaction did not count.
  package enum Ignored: String, CaseIterable, Sendable {
    /// Another state of the same transaction counts.
    case duplicate
    case unverified
    case unknownProduct
    case revoked
    case expired
    case billingRetry
    /// It is valid; a better one is used.
    case outranked
  }

  /// A transaction that did not count, for the log.
  package struct Note: Hashable, Sendable {
    /// The transaction's id.
    package let transactionID: String
    /// The product it names.
    package let productID: String
    /// Why it did not count.
    package let why: Ignored
  }

  /// What a verification found, with what it passed over.
  package struct Evaluation: Hashable, Sendable {
    /// The answer of three kinds.
    package let verification: Verification
    /// The transactions that did not count, each with the reason, by id.
    package let notes: [Note]
  }

  /// Judges an answer at `now`. The order of the transactions does not matter.
  ///
  /// Of the same id the verified state counts, and of several the latest: revoked, then bought later, then ending later. One
  /// that never expires entitles without end, in any state of billing; one past its expiry entitles within its grace. Of several
  /// valid ones yearly comes before monthly, then the later expiry. With none, the latest transaction gives the reason. What could not
  /// be read might have entitled, so that an answer read in part never takes premium away.
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

  /// What one transaction gives.
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
    // What never expires is charged once, so that there is nothing to fail later.
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
