import DaybookProtocol
import FileStoreTesting
import Premium
import Testing

struct EntitlementRulesTests {
  private func transaction(
    _ id: String = "1", _ product: String = yearly, bought: Int64 = -day, ends: Int64? = 10 * day,
    _ change: (inout ShopTransaction) -> Void = { _ in }
  ) -> ShopTransaction {
    var transaction = ShopTransaction(
      id: id, productId: product, purchasedAt: start + bought, expiresAt: ends.map { .value(start + $0) } ?? .absent,
      verified: true)
    change(&transaction)
    return transaction
  }

  private func evaluate(_ transactions: ShopTransaction...) throws -> EntitlementRules.Evaluation {
    EntitlementRules.evaluate(.answered(transactions), catalogue: try theCatalogue(), now: start)
  }

  @Test("Without an answer the result is unknown, with the reason", arguments: UnknownReason.known)
  func unavailable(_ reason: UnknownReason) throws {
    let answer = EntitlementRules.evaluate(.unavailable(reason), catalogue: try theCatalogue(), now: start)
    #expect(answer.verification == .unknown(reason))
  }

  @Test("An empty answer is an authoritative no")
  func empty() throws {
    #expect(try evaluate().verification == .notEntitled(.neverPurchased))
  }

  @Test("A transaction entitles while it runs, on trial, without end, and within grace")
  func entitles() throws {
    #expect(try evaluate(transaction()).verification == .entitled(entitlement(endingIn: 10 * day)))
    #expect(
      try evaluate(transaction { $0.trial = true }).verification
        == .entitled(entitlement(endingIn: 10 * day, isTrial: true)))
    #expect(
      try evaluate(transaction(ends: nil) { $0.billing = .retry }).verification == .entitled(entitlement(endingIn: nil))
    )
    let grace = transaction(ends: -hour) {
      $0.billing = .retry
      $0.graceEndsAt = .value(start + day)
    }
    #expect(
      try evaluate(grace).verification
        == .entitled(
          Entitlement(
            plan: .yearly, productID: yearly, expiresAt: start - hour, graceEndsAt: start + day,
            billingIssueSince: start - hour)))
  }

  @Test("A transaction that does not entitle gives its reason and is noted")
  func refuses() throws {
    let cases: [(ShopTransaction, InactiveReason)] = [
      (transaction(ends: 0), .expired), (transaction(ends: -1), .expired),
      (transaction(ends: -hour) { $0.graceEndsAt = .value(start) }, .expired),
      (transaction(ends: -hour) { $0.billing = .retry }, .billingRetry),
      (transaction { $0.revokedAt = .value(start - 1) }, .revoked),
      (transaction { $0.revokedAt = .value(start + day) }, .revoked),
      (transaction { $0.verified = false }, .unverified), (transaction("1", "other"), .unknownProduct),
    ]
    for (transaction, reason) in cases {
      let evaluation = try evaluate(transaction)
      #expect(evaluation.verification == .notEntitled(reason))
      #expect(evaluation.notes.map(\.why.rawValue) == [reason.rawValue])
    }
  }

  @Test("The latest purchase gives the reason; one that anyone may have made up does so only alone")
  func reasons() throws {
    let expired = transaction("1", bought: -3 * day, ends: -day)
    let revoked = transaction("2", bought: -2 * day) { $0.revokedAt = .value(start - day) }
    let unverified = transaction("3") { $0.verified = false }
    let unknown = transaction("4", "other")
    #expect(try evaluate(unverified, revoked, expired, unknown).verification == .notEntitled(.revoked))
    #expect(try evaluate(unverified, unknown).verification == .notEntitled(.unknownProduct))
  }

  @Test("Of several valid transactions, yearly wins, then the later end")
  func ranks() throws {
    let month = transaction("1", monthly, ends: 30 * day)
    let short = transaction("2", ends: 2 * day)
    let long = transaction("3", ends: 5 * day)
    let evaluation = try evaluate(month, short, long)
    #expect(evaluation.verification == .entitled(entitlement(endingIn: 5 * day)))
    #expect(evaluation.notes.map(\.transactionID) == ["1", "2"])
    #expect(evaluation.notes.allSatisfy { $0.why == .outranked })
  }

  @Test("Of two states of a transaction, the later one counts")
  func duplicates() throws {
    let refunded = transaction { $0.revokedAt = .value(start - hour) }
    let renewed = transaction(ends: 40 * day)
    let forged = transaction(ends: nil) { $0.verified = false }
    #expect(try evaluate(transaction(), refunded).verification == .notEntitled(.revoked))
    #expect(try evaluate(renewed, forged, transaction()).verification == .entitled(entitlement(endingIn: 40 * day)))
    #expect(try evaluate(renewed, transaction()).notes.map(\.why) == [.duplicate])
  }

  @Test("The order of the transactions does not matter", arguments: 0..<200)
  func orderless(_ number: Int) throws {
    var random = SeededGenerator(seed: 4, number: number)
    let transactions = (0..<random.among(0...6)).map { _ in
      transaction(
        "\(random.below(3))", [monthly, yearly, "other"][random.below(3)], bought: Int64(random.among(-3...3)) * day,
        ends: random.once(in: 5) ? nil : Int64(random.among(-3...3)) * day
      ) {
        $0.verified = !random.once(in: 4)
        $0.trial = random.once(in: 3)
        $0.billing = random.once(in: 3) ? .retry : .ok
        $0.revokedAt = random.once(in: 4) ? .value(start - hour) : .absent
        $0.graceEndsAt = random.once(in: 4) ? .value(start + Int64(random.among(-1...1)) * hour) : .absent
      }
    }
    let catalogue = try theCatalogue()
    let first = EntitlementRules.evaluate(.answered(transactions), catalogue: catalogue, now: start)
    let again = EntitlementRules.evaluate(
      .answered(transactions.shuffled(using: &random)), catalogue: catalogue, now: start)
    #expect(first == again)
    guard case .entitled(let entitlement) = first.verification else {
      #expect(first.notes.count == transactions.count)
      return
    }
    #expect(entitlement.holds(at: start))
    #expect(first.notes.count == transactions.count - 1)
  }
}
