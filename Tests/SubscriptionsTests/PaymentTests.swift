import CivilTime
import Testing
import Values

@testable import Subscriptions

struct PaymentTests {
  private let monthly = Some.subscription("10 EUR", .monthly, "2026-01-15")

  private func paid(_ occurrence: String, shifted: String? = nil) -> ChargeMark {
    ChargeMark(
      occurrence: Some.day(occurrence), kind: shifted.map { .shifted(to: Some.day($0)) } ?? .kept,
      payment: ChargeMark.Payment(day: Some.day("2026-01-01")))
  }

  private func refused(_ new: Subscription, since old: Subscription?) -> String? {
    SubscriptionProblem.payment(leftOutOf: new, since: old).map { "\($0.pointer): \($0.allowed)" }
  }

  @Test(
    "An end is after everything that was marked as paid",
    arguments: [
      ("2026-03-15", "/end: 2026-03-16 or a later day"), ("2026-01-20", "/end: 2026-03-16 or a later day"),
      ("2026-03-16", nil), ("2027-01-01", nil),
    ] as [(String, String?)])
  func end(_ end: String, _ expected: String?) {
    let subscription = monthly.marking(paid("2026-02-15")).marking(paid("2026-03-15"))
    #expect(refused(subscription.cancelled(from: Some.day(end)), since: subscription) == expected)
    #expect(refused(subscription.cancelled(from: Some.day(end)), since: nil) == expected)
    #expect(refused(subscription.cancelled(from: nil), since: subscription) == nil)
  }

  @Test("It is the day a charge comes on that counts; what is not charged is not lost")
  func days() {
    let shifted = monthly.marking(paid("2026-03-15", shifted: "2026-03-20"))
    let over = shifted.cancelled(from: Some.day("2026-03-20"))
    #expect(refused(over, since: shifted) == "/end: 2026-03-21 or a later day")
    let none = monthly.marking(paid("2026-03-14"))
    #expect(refused(none.cancelled(from: Some.day("2026-03-01")), since: none) == nil)
    let paused = monthly.marking(paid("2026-03-15")).pausing(from: Some.day("2026-03-01"))
    #expect(refused(paused.cancelled(from: Some.day("2026-03-10")), since: paused) == nil)
  }

  @Test("What was left out already may stay so, and nothing more can be paid behind the end")
  func before() {
    let over = monthly.marking(paid("2026-03-15")).cancelled(from: Some.day("2026-03-01"))
    #expect(refused(over.with { $0.name = "Other" }, since: over) == nil)
    #expect(refused(over.cancelled(from: Some.day("2026-02-01")), since: over) == nil)
    #expect(refused(over.marking(paid("2026-02-15")), since: over) == nil)
    let behind = over.marking(paid("2026-04-15"))
    #expect(refused(behind, since: over) == "/marks/1/payment: a payment of a charge before that day")
    let both = over.marking(paid("2026-02-15"))
    #expect(refused(both.cancelled(from: Some.day("2026-02-01")), since: both) == "/end: 2026-02-16 or a later day")
  }
}
