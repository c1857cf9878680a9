import DaybookProtocol
import FileStoreTesting
import Premium
import Testing

struct StoreFileTests {
  private func verification(_ file: StoreFile, at now: Instant) throws -> Verification {
    EntitlementRules.evaluate(file.answer, catalogue: try theCatalogue(), now: now).verification
  }

  private func bought(_ product: String = monthly, isTrial: Bool = false) throws -> StoreFile {
    try StoreFile.empty.buying(product, isTrial: isTrial, catalogue: theCatalogue(), now: start)
  }

  @Test("A purchase entitles for its period, a trial for its days")
  func buying() throws {
    #expect(try bought().transactions[0].expiresAt.value?.description == "2026-03-12T08:00:00.000Z")
    #expect(try bought(yearly).transactions[0].expiresAt.value?.description == "2027-02-12T08:00:00.000Z")
    #expect(try bought(isTrial: true).transactions[0].expiresAt.value == start + 7 * day)
    guard case .entitled(let entitlement) = try verification(bought(isTrial: true), at: start) else {
      Issue.record("not entitled")
      return
    }
    #expect(entitlement.isTrial && entitlement.plan == .monthly)
    #expect(try verification(bought(), at: start + 40 * day) == .notEntitled(.expired))
  }

  @Test(
    "A month ends on the same day, or on its last one",
    arguments: [
      ("2026-01-31T08:00:00Z", "2026-02-28T08:00:00.000Z"), ("2026-12-31T23:59:59Z", "2027-01-31T23:59:59.000Z"),
      ("2028-01-30T00:00:00Z", "2028-02-29T00:00:00.000Z"), ("9999-12-31T00:00:00Z", "+10000"),
    ])
  func months(_ from: String, _ to: String) throws {
    let from = try #require(Instant(from))
    let file = try StoreFile.empty.buying(monthly, isTrial: false, catalogue: theCatalogue(), now: from)
    let end = try #require(file.transactions[0].expiresAt.value)
    if to.hasPrefix("+") { #expect(end == from + 30 * day) } else { #expect(end.description == to) }
  }

  @Test("Each operation of the store changes its answer")
  func operations() throws {
    let file = try bought()
    let later = start + hour
    #expect(try verification(file.expiring(monthly, now: later), at: later) == .notEntitled(.expired))
    #expect(try verification(file.refunding(monthly, now: later), at: later) == .notEntitled(.revoked))
    #expect(
      try verification(file.expiring(monthly, isRetrying: true, now: later), at: later) == .notEntitled(.billingRetry))
    guard
      case .entitled(let grace) = try verification(
        file.grantingGrace(monthly, until: later + day, now: later), at: later)
    else {
      Issue.record("not entitled")
      return
    }
    #expect(grace.graceEndsAt == later + day && grace.billingIssueSince == later)
    #expect(try verification(file.behaving(.offline), at: later) == .unknown(.unreachable))
    #expect(try verification(file.behaving(.offline).behaving(.online), at: later) == verification(file, at: later))
    #expect(try file.behaving(.slow, delayMilliseconds: 50).delay == .milliseconds(50))
    #expect(try file.behaving(.slow).delay == .milliseconds(StoreFile.defaultDelay))
    #expect(try file.behaving(.never).delay == .forever)
  }

  @Test("A purchase that awaits approval entitles once approved")
  func asking() throws {
    let catalogue = try theCatalogue()
    let asked = try StoreFile.empty.askingToBuy(yearly, isTrial: false, catalogue: catalogue, now: start)
    #expect(try verification(asked, at: start) == .notEntitled(.neverPurchased))
    let approved = try asked.approvingPending(yearly, catalogue: catalogue, now: start + day)
    #expect(approved.waiting.isEmpty)
    #expect(approved.transactions.map(\.id) == asked.waiting.map(\.id))
    #expect(approved.transactions[0].purchasedAt == start + day)
  }

  @Test("Impossible operations are refused")
  func refuses() throws {
    let catalogue = try theCatalogue()
    let owned = try bought(isTrial: true)
    let gone = try owned.expiring(monthly, now: start + 1)
    let offline = try owned.behaving(.offline)
    let asked = try StoreFile.empty.askingToBuy(yearly, isTrial: false, catalogue: catalogue, now: start)
    func code(_ body: () throws(PremiumError) -> Void) -> String? { refusal(body).map { String($0.dropLast(2)) } }
    func buy(_ file: StoreFile, _ product: String, isTrial: Bool = false) -> String? {
      code { () throws(PremiumError) in
        _ = try file.buying(product, isTrial: isTrial, catalogue: catalogue, now: start + 2)
      }
    }
    #expect(buy(owned, monthly) == "alreadyOwned")
    #expect(buy(owned, "x") == "unknownProduct")
    #expect(buy(owned, yearly, isTrial: true) == "noTrial")
    #expect(buy(offline, yearly) == "unreachable")
    #expect(code { () throws(PremiumError) in _ = try gone.expiring(monthly, now: start + 1) } == "notOwned")
    #expect(code { () throws(PremiumError) in _ = try gone.refunding(monthly, now: start + 1) } == "notOwned")
    #expect(
      code { () throws(PremiumError) in _ = try owned.grantingGrace(monthly, until: start, now: start) }
        == "invalidValue")
    #expect(code { () throws(PremiumError) in _ = try owned.behaving(.slow, delayMilliseconds: -1) } == "invalidValue")
    #expect(
      code { () throws(PremiumError) in
        _ = try asked.askingToBuy(yearly, isTrial: false, catalogue: catalogue, now: start)
      } == "alreadyOwned")
    #expect(
      code { () throws(PremiumError) in
        _ = try owned.approvingPending(yearly, catalogue: catalogue, now: start)
      } == "nothingPending")
    #expect(throws: Never.self) {
      try gone.buying(monthly, isTrial: false, catalogue: catalogue, now: start + 2)
    }
  }
}
