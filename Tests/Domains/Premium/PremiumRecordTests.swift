import DaybookProtocol
import Premium
import Testing

struct PremiumRecordTests {
  private let records = [
    PremiumRecord(
      outcome: .entitled(
        Entitlement(
          plan: .monthly, productID: monthly, isTrial: true, expiresAt: start, graceEndsAt: start + day,
          billingIssueSince: start)), checkedAt: start - day),
    PremiumRecord(outcome: .entitled(entitlement(endingIn: nil)), checkedAt: start),
    PremiumRecord(outcome: .notEntitled(.revoked), checkedAt: start),
  ]

  private func read(_ text: String) throws -> PremiumRecord {
    guard case .object(let object) = try JSONValue(json: Array(text.utf8)) else { throw CancellationError() }
    return try PremiumRecord(object)
  }

  @Test("A record survives a round trip, and members of a later version are ignored")
  func roundTrip() throws {
    for record in records {
      var object = record.jsonObject
      #expect(try PremiumRecord(object) == record)
      object["shoeSize"] = .number(JSONNumber(43))
      #expect(try PremiumRecord(object) == record)
    }
  }

  @Test("An unknown verification makes no record")
  func unknown() {
    #expect(PremiumRecord(.unknown(.unreachable), checkedAt: start) == nil)
  }

  @Test(
    "A record whose members contradict each other is refused",
    arguments: [
      ("\"isPremium\":true,\"productId\":\"p\"", "contradiction /plan"),
      ("\"isPremium\":true,\"plan\":\"yearly\"", "contradiction /productId"),
      ("\"isPremium\":true,\"plan\":\"lifetime\",\"productId\":\"p\"", "invalidValue /plan"),
      ("\"isPremium\":true,\"plan\":\"yearly\",\"productId\":\"p\",\"reason\":\"expired\"", "contradiction /reason"),
      (
        "\"isPremium\":true,\"plan\":\"yearly\",\"productId\":\"p\",\"graceEndsAt\":\"2026-02-12T08:00:00Z\"",
        "contradiction /graceEndsAt"
      ),
      ("\"isPremium\":false", "contradiction /reason"),
      ("\"isPremium\":false,\"reason\":\"expired\",\"plan\":\"yearly\"", "contradiction /plan"),
      ("\"isPremium\":false,\"reason\":\"expired\",\"isTrial\":true", "contradiction /isTrial"),
      ("\"isPremium\":false,\"reason\":\"because\"", "invalidValue /reason"),
      ("\"isPremium\":1", "wrongType /isPremium"),
      ("\"plan\":\"yearly\"", "missingMember /isPremium"),
    ])
  func contradictions(_ members: String, _ expected: String) throws {
    let text = "{\"checkedAt\":\"2026-02-12T08:00:00Z\",\(members)}"
    guard case .object(let object) = try JSONValue(json: Array(text.utf8)) else { return }
    #expect(refusal { () throws(PremiumError) in _ = try PremiumRecord(object) } == expected)
  }

  @Test("A record without the instant of its check is refused")
  func undated() throws {
    let object = JSONObject([("isPremium", .bool(false)), ("reason", .string("expired"))])
    #expect(refusal { () throws(PremiumError) in _ = try PremiumRecord(object) } == "missingMember /checkedAt")
  }

  @Test("A record is stale after seven days, not at seven days, and when it is future-dated")
  func staleness() {
    let record = PremiumRecord(outcome: .notEntitled(.expired), checkedAt: start)
    #expect(!record.isStale(start + 7 * day))
    #expect(record.isStale(start + 7 * day + 1))
    #expect(!record.isStale(start - 5 * minute))
    #expect(record.isStale(start - 5 * minute - 1))
    #expect(record.isFutureDated(start - 5 * minute - 1))
    #expect(record.age(start - day) == -day)
    #expect(record.age(Instant(milliseconds: .min)) == .min)
  }
}
