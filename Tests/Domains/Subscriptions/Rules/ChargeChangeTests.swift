import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Subscriptions

/// How marks, pauses, ends and new cycles interact.
struct ChargeChangeTests {
  @Test("The new day of a shifted charge decides about pauses and the end")
  func shiftedDayDecides() {
    let shift = { (day: String) in
      ChargeMark(occurrence: Some.day("2026-01-31"), kind: .shifted, shiftedTo: Some.day(day))
    }
    let monthly = Some.subscription("10 EUR", .monthly, "2025-12-31")
    let early = monthly.marking(shift("2026-01-03"))
    let january = Some.day("2026-01-01")...Some.day("2026-02-27")
    for changed in [
      early.cancelled(from: Some.day("2026-01-05")), early.pausing(from: Some.day("2026-01-05")),
    ] {
      #expect(changed.charges(in: january).days == ["2026-01-03"])
      #expect(changed.hasCharge(of: Some.day("2026-01-31")))
    }
    let late = monthly.marking(shift("2026-02-10"))
    #expect(late.cancelled(from: Some.day("2026-02-05")).charges(in: january).isEmpty)
    #expect(late.cancelled(from: Some.day("2026-02-05")).nextCharge(today: Some.day("2026-02-01")) == nil)
    #expect(late.pausing(from: Some.day("2026-02-05")).nextCharge(today: Some.day("2026-02-01")) == nil)
    #expect(late.cancelled(from: Some.day("2026-02-11")).charges(in: january).days == ["2026-02-10"])
  }

  @Test("Another cycle drops no past charge, and keeps a shift only within its bounds")
  func shiftedAndAnotherCycle() {
    let monthly = Some.subscription("10 EUR", .monthly, "2025-12-31")
    let early = monthly.marking(
      ChargeMark(occurrence: Some.day("2026-01-31"), kind: .shifted, shiftedTo: Some.day("2026-01-03")))
    let from = Some.day("2026-01-20")
    let changed = early.changingCycle(to: .weekly, anchor: from, from: from)
    let lost = SubscriptionRules.lostPayment(leftOutOf: changed, since: early)
    #expect(lost?.message == "the charge of 2026-01-31 was shifted to 2026-01-03, before the new cycle")
    #expect(lost?.pointer == "/cycle" && lost?.allowed == "a cycle from 2026-02-01 or a later day on")
    let later = Some.day("2026-02-28")
    let kept = early.changingCycle(to: .weekly, anchor: later, from: later)
    #expect(SubscriptionRules.lostPayment(leftOutOf: kept, since: early) == nil)
    #expect(SubscriptionRules.lostPayment(leftOutOf: kept.unmarked, since: kept) == nil)
    let late = monthly.marking(
      ChargeMark(occurrence: Some.day("2026-01-31"), kind: .shifted, shiftedTo: Some.day("2026-02-20")))
    let weekly = late.changingCycle(to: .weekly, anchor: Some.day("2026-01-31"), from: Some.day("2026-01-31"))
    #expect(weekly.marks == nil && SubscriptionRules.refusals(of: weekly).isEmpty)
    let yearly = late.changingCycle(to: .yearly, anchor: Some.day("2026-01-31"), from: Some.day("2026-01-31"))
    #expect(yearly.nextCharge(today: Some.day("2026-02-01"))?.day == Some.day("2026-02-20"))
  }

  @Test("A charge shifted past its term has the price and share of the term's last day")
  func pricedByItsOwnCycle() {
    let shifted = Some.subscription("15.49 EUR", .monthly, "2025-12-31").marking(
      ChargeMark(occurrence: Some.day("2026-01-31"), kind: .shifted, shiftedTo: Some.day("2026-02-05")))
    let from = Some.day("2026-02-03")
    let yearly = shifted.changingCycle(to: .yearly, anchor: from, from: from)
      .changingPrice(to: Some.money("149 EUR"), from: from)
      .changingShare(to: PayerShare(1, of: 2) ?? .whole, from: from)
    let charges = yearly.charges(in: Some.day("2026-01-31")...Some.day("2026-03-31"))
    #expect(charges.days == ["2026-02-03", "2026-02-05"])
    #expect(charges.map { "\($0.price.amount)" } == ["149", "15.49"])
    #expect(charges.map(\.share) == [PayerShare(numerator: 1, denominator: 2), .whole])
    let dearer = yearly.changingPrice(to: Some.money("17.49 EUR"), from: Some.day("2026-02-01"))
    #expect(dearer.charge(of: Some.day("2026-01-31"))?.price == Some.price("17.49 EUR"))
  }

  @Test("A charge moved forward becomes the first of another cycle, at its price")
  func firstOfItsCycle() {
    let shifted = Some.subscription("10 EUR", .monthly, "2026-01-20")
      .marking(ChargeMark(occurrence: Some.day("2026-02-20"), kind: .shifted, shiftedTo: Some.day("2026-02-15")))
    let from = shifted.nextCycleDay(today: Some.day("2026-02-10"))
    #expect(from == Some.day("2026-02-15"))
    let yearly = shifted.changingCycle(to: .yearly, anchor: from, from: from)
      .changingPrice(to: Some.money("100 EUR"), from: from)
    let charges = yearly.charges(in: Some.day("2026-01-01")...Some.day("2027-12-31"))
    #expect(charges.map { "\($0.day) \($0.price.amount)" } == ["2026-01-20 10", "2026-02-15 100", "2027-02-15 100"])
    #expect(SubscriptionRules.lostPayment(leftOutOf: yearly, since: shifted) == nil)
    // One moved back would come beside it.
    let later = Some.subscription("10 EUR", .monthly, "2026-01-20")
      .marking(ChargeMark(occurrence: Some.day("2026-02-20"), kind: .shifted, shiftedTo: Some.day("2026-02-25")))
    #expect(later.nextCycleDay(today: Some.day("2026-02-10")) == Some.day("2026-02-20"))
  }

  @Test("A dropped planned cycle takes the price that begins with it, whatever replaces it")
  func plannedPrice() {
    let (november, december) = (Some.day("2026-11-01"), Some.day("2026-12-01"))
    let monthly = Some.subscription("15 EUR", .monthly, "2026-01-01").with {
      $0 = $0.changingPrice(to: Some.money("16 EUR"), from: Some.day("2026-11-15"))
    }
    let yearly = monthly.changingCycle(to: .yearly, anchor: december, from: december)
      .changingPrice(to: Some.money("149 EUR"), from: december)
    let weekly = yearly.changingCycle(to: .weekly, anchor: november, from: november)
      .changingPrice(to: Some.money("4 EUR"), from: november)
    #expect(weekly.prices.dropFirst().map(\.from) == [november, Some.day("2026-11-15")])
    let back = yearly.changingCycle(to: .monthly, anchor: december, from: december)
    #expect(back.prices == monthly.prices && back.term(on: december).cycle == .monthly)
    #expect(yearly.changingCycle(to: .yearly, anchor: december, from: december) == yearly)
    // A cycle in force keeps its price after any correction.
    let corrected = yearly.changingCycle(to: .every(2, .year), anchor: december, from: december, today: december)
    #expect(corrected.prices == yearly.prices)
    let later = yearly.changingCycle(to: .weekly, anchor: december, from: december.advanced(by: 1))
    #expect(later.prices == yearly.prices)
  }

  @Test(
    "Another cycle that begins on a clamped day is counted from an unclamped one",
    arguments: [
      ("2026-01-31", "2026-02-28", Cycle.every(3, .month), "2026-05-31"),
      ("2026-01-31", "2026-04-30", .every(2, .month), "2026-08-31"),
      ("2026-01-31", "2026-04-30", .every(1, .year), "2026-04-30"),
      ("2024-02-29", "2026-02-28", .every(2, .year), "2028-02-29"),
      ("2026-01-30", "2026-02-28", .every(1, .month), "2026-03-30"),
      ("2026-01-31", "2026-02-28", .every(2, .week), "2026-02-28"),
      ("2026-01-31", "2026-02-27", .every(1, .month), "2026-02-27"),
      ("2026-01-31", "2026-02-28", .lifetime, "2026-02-28"),
      ("2026-01-28", "2026-02-28", .every(1, .year), "2026-02-28"),
    ])
  func wholeAnchor(_ anchor: String, _ from: String, _ cycle: Cycle, _ expected: String) {
    var subscription = Some.subscription("9.99 EUR", .monthly, anchor)
    if anchor == "2024-02-29" { subscription.cycle = .every(1, .year) }
    #expect(subscription.anchor(of: cycle, from: Some.day(from)) == Some.day(expected))
  }

  @Test("A charge is shifted between its neighbours, including shifted ones and those of a former cycle")
  func room() {
    func allowed(_ subscription: Subscription) -> String? {
      SubscriptionRules.refusals(of: subscription).first { $0.pointer.hasSuffix("/shiftedTo") }?.allowed
    }
    func shift(_ occurrence: String, _ day: String) -> ChargeMark {
      ChargeMark(occurrence: Some.day(occurrence), kind: .shifted, shiftedTo: Some.day(day))
    }
    let monthly = Some.subscription("10 EUR", .monthly, "2026-01-15")
    #expect(
      allowed(monthly.marking(shift("2026-01-15", "2026-01-14"))) == "a day after 2026-01-14 and before 2026-02-15")
    let next = monthly.marking(shift("2026-02-15", "2026-02-01"))
    #expect(allowed(next) == nil)
    #expect(allowed(next.marking(shift("2026-01-15", "2026-02-01"))) == "a day after 2026-01-14 and before 2026-02-01")
    let yearly = monthly.changingCycle(to: .yearly, anchor: Some.day("2026-06-10"), from: Some.day("2026-06-01"))
    #expect(
      allowed(yearly.marking(shift("2026-06-10", "2026-05-15"))) == "a day after 2026-05-15 and before 2027-06-10")
    #expect(allowed(yearly.marking(shift("2026-06-10", "2026-05-16"))) == nil)
  }

  @Test("The paid period ends with the trial, at the next charge not paid in advance, or now")
  func periodEnd() {
    let monthly = Some.subscription("10 EUR", .monthly, "2026-01-15")
    let today = Some.day("2026-02-15")
    #expect(monthly.periodEnd(today: today) == Some.day("2026-03-15"))
    #expect(monthly.periodEnd(today: Some.day("2026-01-01")) == Some.day("2026-01-15"))
    let paid = monthly.marking(
      ChargeMark(occurrence: Some.day("2026-03-15"), kind: .kept, paidOn: today))
    #expect(paid.periodEnd(today: today) == Some.day("2026-04-15"))
    let early = monthly.marking(
      ChargeMark(occurrence: Some.day("2026-03-15"), kind: .shifted, shiftedTo: Some.day("2026-03-01")))
    #expect(early.periodEnd(today: today) == Some.day("2026-03-01"))
    #expect(early.cancelled(from: early.periodEnd(today: today)).nextCharge(today: today.advanced(by: 1)) == nil)
    let trial = monthly.with { $0.trialEnd = Some.day("2026-03-01") }
    #expect(trial.periodEnd(today: today) == Some.day("2026-03-01"))
    #expect(monthly.pausing(from: today).periodEnd(today: today) == today)
  }

  @Test("A subscription that ends before its start is over, and a one-off after the actual day of its charge")
  func neverBegun() {
    let later = Some.subscription("10 EUR", .monthly, "2026-05-15").cancelled(from: Some.day("2026-05-15"))
    #expect(later.status(on: Some.day("2026-01-01")) == .cancelled && SubscriptionRules.refusals(of: later).isEmpty)
    let once = Some.subscription("99 EUR", .once, "2026-03-10").with { $0.start = Some.day("2026-02-01") }
    let early = once.marking(
      ChargeMark(occurrence: Some.day("2026-03-10"), kind: .shifted, shiftedTo: Some.day("2026-03-01")))
    #expect(
      early.status(on: Some.day("2026-03-01")) == .active && early.status(on: Some.day("2026-03-02")) == .cancelled)
  }

  @Test("A pause from today on replaces a planned one, even while another holds")
  func plannedPause() {
    let subscription = Some.subscription("1 EUR").with {
      $0.pauses = [
        Pause(from: Some.day("2026-02-01"), until: Some.day("2026-02-20")), Pause(from: Some.day("2026-06-01")),
      ]
    }
    #expect(subscription.pausing(from: Some.day("2026-02-10")).pauses == [Pause(from: Some.day("2026-02-01"))])
  }

  /// `2026-02-01/2026-03-01`, the end optional.
  private func pauses(_ texts: String...) -> [Pause] {
    texts.map { text in
      let days = text.split(separator: "/").map { Some.day(String($0)) }
      return Pause(from: days[0], until: days.count > 1 ? days[1] : nil)
    }
  }

  @Test("A pause with an end merges with those it touches or overlaps, and keeps the others")
  func pauseWithEnd() {
    let planned = Some.subscription("1 EUR").with {
      $0.pauses = pauses("2026-02-01/2026-03-01", "2026-04-01/2026-05-01", "2026-08-01")
    }
    func paused(_ from: String, _ until: String) -> [Pause] {
      planned.pausing(from: Some.day(from), until: Some.day(until)).pauseList
    }
    let (first, second, last) = ("2026-02-01/2026-03-01", "2026-04-01/2026-05-01", "2026-08-01")
    #expect(paused("2026-01-10", "2026-01-20") == pauses("2026-01-10/2026-01-20", first, second, last))
    #expect(paused("2026-03-10", "2026-03-20") == pauses(first, "2026-03-10/2026-03-20", second, last))
    #expect(paused("2026-03-01", "2026-04-01") == pauses("2026-02-01/2026-05-01", last))
    #expect(paused("2026-02-10", "2026-02-20") == planned.pauses)
    #expect(paused("2026-04-10", "2026-06-01") == pauses(first, "2026-04-01/2026-06-01", last))
    #expect(paused("2026-07-01", "2026-08-01") == pauses(first, second, "2026-07-01"))
    #expect(paused("2026-09-01", "2026-10-01") == pauses(first, second, "2026-08-01/2026-10-01"))
    #expect(paused("2026-09-01", "2026-09-01") == planned.pauses)
  }

  @Test("Resuming in the past ends only the pause of that day; from today on it drops planned ones")
  func resumedEarlier() {
    let planned = Some.subscription("1 EUR").with {
      $0.pauses = pauses("2026-02-01/2026-03-01", "2026-04-01/2026-05-01", "2026-08-01")
    }
    func resumed(_ day: String) -> [Pause] {
      planned.resuming(on: Some.day(day), today: Some.day("2026-04-10")).pauseList
    }
    #expect(resumed("2026-02-10") == pauses("2026-02-01/2026-02-10", "2026-04-01/2026-05-01", "2026-08-01"))
    #expect(resumed("2026-02-01") == pauses("2026-04-01/2026-05-01", "2026-08-01"))
    #expect(resumed("2026-03-10") == planned.pauses)
    #expect(resumed("2026-04-10") == pauses("2026-02-01/2026-03-01", "2026-04-01/2026-04-10"))
    #expect(resumed("2026-06-01") == pauses("2026-02-01/2026-03-01", "2026-04-01/2026-05-01"))
  }

  @Test("A reactivated subscription is charged from that day on, even if it was paused")
  func reactivatedPauses() {
    for open in ["2026-02-01", "2026-04-01", "2026-06-01"] {
      let gone = Some.subscription("1 EUR").with { $0.pauses = pauses(open) }.cancelled(from: Some.day("2026-03-01"))
      let back = gone.reactivating(on: Some.day("2026-06-01"))
      #expect(back.status(on: Some.day("2026-06-01")) == .active && back.status(on: Some.day("2026-05-31")) == .paused)
      #expect(SubscriptionRules.refusals(of: back).isEmpty)
    }
  }
}
