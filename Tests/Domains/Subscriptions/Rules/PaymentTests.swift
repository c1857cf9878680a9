import DaybookProtocol
import Testing

@testable import Subscriptions

struct PaymentTests {
  private let monthly = Some.subscription("10 EUR", .monthly, "2026-01-15")

  private func paid(_ occurrence: String, shifted: String? = nil) -> ChargeMark {
    ChargeMark(
      occurrence: Some.day(occurrence), kind: shifted == nil ? .kept : .shifted, shiftedTo: shifted.map(Some.day),
      paidOn: Some.day("2026-01-01"))
  }

  private func refused(_ new: Subscription, since old: Subscription?) -> String? {
    SubscriptionRules.lostPayment(leftOutOf: new, since: old).map { "\($0.pointer): \($0.allowed)" }
  }

  @Test(
    "An end is after every paid charge",
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

  @Test("The day a charge comes on counts; a charge that does not exist is not lost")
  func days() {
    let shifted = monthly.marking(paid("2026-03-15", shifted: "2026-03-20"))
    let over = shifted.cancelled(from: Some.day("2026-03-20"))
    #expect(refused(over, since: shifted) == "/end: 2026-03-21 or a later day")
    let none = monthly.marking(paid("2026-03-14"))
    #expect(refused(none.cancelled(from: Some.day("2026-03-01")), since: none) == nil)
    let paused = monthly.marking(paid("2026-03-15")).pausing(from: Some.day("2026-03-01"))
    #expect(refused(paused.cancelled(from: Some.day("2026-03-10")), since: paused) == nil)
  }

  @Test("Charges already lost may stay lost, and none can be paid from the end on")
  func before() {
    let over = monthly.marking(paid("2026-03-15")).cancelled(from: Some.day("2026-03-01"))
    #expect(refused(over.with { $0.name = "Other" }, since: over) == nil)
    #expect(refused(over.cancelled(from: Some.day("2026-02-01")), since: over) == nil)
    #expect(refused(over.marking(paid("2026-02-15")), since: over) == nil)
    let behind = over.marking(paid("2026-04-15"))
    #expect(refused(behind, since: over) == "/marks/1/paidOn: a payment of a charge before that day")
    let both = over.marking(paid("2026-02-15"))
    #expect(refused(both.cancelled(from: Some.day("2026-02-01")), since: both) == "/end: 2026-02-16 or a later day")
  }

  @Test(
    "A pause removes no paid charge",
    arguments: [
      ("2026-02-01", nil, "/pauses/0/from: 2026-03-16 or a later day"), ("2026-03-16", nil, nil),
      ("2026-02-16", "2026-04-01", "/pauses/0/from: 2026-03-16 or a later day"),
      ("2026-02-16", "2026-03-16", "/pauses/0/until: 2026-03-15 or an earlier day"),
      ("2026-03-15", "2026-03-16", "/pauses/0/from: 2026-03-16 or a later day"), ("2026-02-16", "2026-03-15", nil),
    ] as [(String, String?, String?)])
  func pause(_ from: String, _ until: String?, _ expected: String?) {
    let subscription = monthly.marking(paid("2026-02-15")).marking(paid("2026-03-15"))
    let paused = subscription.pausing(from: Some.day(from), until: until.map(Some.day))
    #expect(refused(paused, since: subscription) == expected)
    #expect(SubscriptionRules.lostPayment(leftOutOf: paused, since: subscription, isCorrection: true) == nil)
    #expect(refused(paused.unmarked, since: subscription) == nil)
    #expect(refused(paused.cancelled(from: Some.day("2026-05-01")), since: paused) == nil)
  }

  @Test(
    "Another cycle removes no paid charge",
    arguments: [
      ("2026-01-20", "2026-01-20", "/cycle: a cycle from 2026-03-16 or a later day on"),
      ("2026-01-20", "2026-03-15", "/cycle: a cycle from 2026-03-16 or a later day on"),
      ("2026-03-16", "2026-03-20", nil),
    ] as [(String, String, String?)])
  func cycle(_ from: String, _ anchor: String, _ expected: String?) {
    let subscription = monthly.marking(paid("2026-02-15")).marking(paid("2026-03-15"))
    let yearly = subscription.changingCycle(to: .yearly, anchor: Some.day(anchor), from: Some.day(from))
    #expect(refused(yearly, since: subscription) == expected)
    #expect(refused(yearly.marking(ChargeMark(occurrence: Some.day("2026-02-15"), kind: .kept)), since: yearly) == nil)
  }

  @Test("A paid and shifted charge stays paid where a new cycle has no room for it")
  func shifted() {
    let subscription = monthly.marking(paid("2026-02-15", shifted: "2026-03-10"))
    let from = Some.day("2026-02-15")
    let weekly = subscription.changingCycle(to: .weekly, anchor: from, from: from)
    #expect(weekly.marks == [paid("2026-02-15")] && refused(weekly, since: subscription) == nil)
    #expect(SubscriptionRules.refusals(of: weekly).isEmpty)
    let early = monthly.marking(paid("2026-02-15", shifted: "2026-01-20"))
    #expect(
      refused(early.changingCycle(to: .weekly, anchor: from, from: from.advanced(by: -7)), since: early)
        == "/cycle: a cycle from 2026-02-16 or a later day on")
  }

  @Test("A paid charge keeps its amount and currency when the price of its day changes")
  func currency() {
    var mark = paid("2026-02-15")
    let dollars = Some.money("12 USD")
    let plain = monthly.marking(mark).changingPrice(to: dollars, from: Some.day("2026-02-01"))
    #expect(refused(plain, since: monthly.marking(mark)) == nil)
    mark.paidAmount = Some.decimal("8")
    let subscription = monthly.marking(mark)
    let changed = subscription.changingPrice(to: dollars, from: Some.day("2026-02-01"))
    #expect(refused(changed, since: subscription) == nil && changed.marks == subscription.marks)
    #expect(refused(subscription.changingPrice(to: dollars, from: Some.day("2026-02-16")), since: subscription) == nil)
    let first = subscription.with { $0.prices[0] = SubscriptionPrice(dollars) }
    #expect(refused(first, since: subscription) == nil)
    #expect(SubscriptionRules.lostPayment(leftOutOf: first, since: subscription, isCorrection: true) == nil)
  }

  @Test("A later start or a longer trial removes no paid charge")
  func start() {
    let subscription = monthly.marking(paid("2026-02-15"))
    let later = Some.day("2026-03-01")
    #expect(
      refused(subscription.with { $0.start = later }, since: subscription) == "/start: 2026-02-15 or an earlier day")
    #expect(
      refused(subscription.with { $0.trialEnd = later }, since: subscription)
        == "/trialEnd: 2026-02-15 or an earlier day")
  }

  @Test("Without a day, a pause and another cycle begin after charges paid in advance")
  func defaults() {
    let subscription = monthly.marking(paid("2026-02-15", shifted: "2026-02-10")).marking(paid("2026-04-15"))
    let today = Some.day("2026-02-01")
    #expect(subscription.dayKeepingPayments(today) == Some.day("2026-04-16"))
    #expect(subscription.dayKeepingPayments(today, before: Some.day("2026-04-15")) == Some.day("2026-02-11"))
    #expect(subscription.dayKeepingPayments(today, before: Some.day("2026-02-10")) == today)
    #expect(subscription.dayKeepingPayments(Some.day("2026-05-01")) == Some.day("2026-05-01"))
    #expect(subscription.nextCycleDay(today: today) == Some.day("2026-05-15"))
    #expect(subscription.nextCycleDay(today: Some.day("2026-05-20")) == Some.day("2026-06-15"))
    #expect(subscription.cancelled(from: Some.day("2026-05-01")).nextCycleDay(today: today) == Some.day("2026-04-16"))
    #expect(monthly.pausing(from: today).nextCycleDay(today: today) == today)
  }
}
