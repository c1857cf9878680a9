import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Subscriptions

struct ChargeTests {
  private let year = Some.day("2026-01-01")...Some.day("2026-12-31")

  @Test("A charge due today stays until the day ends, and a past one is never shown")
  func today() throws {
    let subscription = Some.subscription("10 EUR", .monthly, "2026-03-20")
    for (today, expected) in [("2026-03-20", "2026-03-20"), ("2026-03-21", "2026-04-20"), ("2027-01-01", "2027-01-20")]
    {
      let next = try #require(subscription.nextCharge(today: Some.day(today)))
      #expect(next.day == Some.day(expected))
      #expect(DueLabel(next.day, today: Some.day(today)) != nil)
    }
  }

  @Test("Charges go back to the start, even from a later anchor")
  func backToStart() {
    let subscription = Some.subscription("10 EUR", .monthly, "2026-05-31").with { $0.start = Some.day("2026-02-10") }
    #expect(
      subscription.charges(in: Some.day("2020-01-01")...Some.day("2026-06-30")).days == [
        "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31", "2026-06-30",
      ])
  }

  @Test("Trial, pauses and end remove charges and move none")
  func gaps() {
    let subscription = Some.subscription("10 EUR", .monthly, "2026-01-31").with {
      $0.trialEnd = Some.day("2026-02-14")
      $0.pauses = [Pause(from: Some.day("2026-03-01"), until: Some.day("2026-05-01"))]
      $0.end = Some.day("2026-08-31")
    }
    #expect(subscription.charges(in: year).days == ["2026-02-28", "2026-05-31", "2026-06-30", "2026-07-31"])
    #expect(subscription.nextCharge(today: Some.day("2026-03-01"))?.day == Some.day("2026-05-31"))
    #expect(subscription.nextCharge(today: Some.day("2026-08-01")) == nil)
    #expect(subscription.pausing(from: Some.day("2026-06-01")).nextCharge(today: Some.day("2026-06-01")) == nil)
  }

  @Test("The day the trial ends may be the day of the first charge")
  func trialEnd() {
    let subscription = Some.subscription("10 EUR", .monthly, "2026-01-08").with {
      $0.start = Some.day("2026-01-01")
      $0.trialEnd = Some.day("2026-01-08")
    }
    #expect(subscription.nextCharge(today: Some.day("2026-01-01"))?.day == Some.day("2026-01-08"))
  }

  @Test("Skipped, shifted and paid charges")
  func marks() {
    let subscription = Some.subscription("10 EUR", .monthly, "2026-01-15")
      .marking(ChargeMark(occurrence: Some.day("2026-02-15"), kind: .skipped))
      .marking(ChargeMark(occurrence: Some.day("2026-03-15"), kind: .shifted, shiftedTo: Some.day("2026-03-17")))
      .marking(
        ChargeMark(
          occurrence: Some.day("2026-04-15"),
          kind: .kept, paidOn: Some.day("2026-04-14"), paidAmount: Some.decimal("12.34")))
    #expect(SubscriptionRules.refusals(of: subscription).isEmpty)
    let charges = subscription.charges(in: Some.day("2026-01-01")...Some.day("2026-05-31"))
    #expect(charges.days == ["2026-01-15", "2026-03-17", "2026-04-15", "2026-05-15"])
    #expect(charges.map(\.isPaid) == [false, false, true, false])
    #expect(charges.map(\.isShifted) == [false, true, false, false])
    #expect(charges[2].price == Some.price("12.34 EUR"))
    #expect(subscription.charges(in: Some.day("2026-03-17")...Some.day("2026-03-17")).count == 1)
    #expect(subscription.charges(in: Some.day("2026-03-15")...Some.day("2026-03-15")).isEmpty)
    // The charge of the 15th was moved; that of April is paid.
    #expect(subscription.nextCharge(today: Some.day("2026-03-16"))?.day == Some.day("2026-03-17"))
    #expect(subscription.nextCharge(today: Some.day("2026-04-01"))?.day == Some.day("2026-05-15"))
    #expect(subscription.firstCharge(onOrAfter: Some.day("2026-04-01"))?.day == Some.day("2026-04-15"))
  }

  @Test("A change of cycle or price keeps the past")
  func history() {
    let subscription = Some.subscription("10 EUR", .monthly, "2026-01-31")
      .changingPrice(to: Some.money("12 EUR"), from: Some.day("2026-03-01"))
      .changingCycle(to: .every(3, .month), anchor: Some.day("2026-06-10"), from: Some.day("2026-05-01"))
      .changingPrice(to: Some.money("30 EUR"), from: Some.day("2026-05-01"))
    let charges = subscription.charges(in: year)
    #expect(
      charges.days == [
        "2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30", "2026-06-10", "2026-09-10", "2026-12-10",
      ])
    #expect(charges.map(\.price.amount) == [10, 10, 12, 12, 30, 30, 30].map { Decimal($0) })
    #expect(subscription.term(on: Some.day("2026-04-30")).cycle == .monthly)
    #expect(subscription.yearlyCost(on: Some.day("2026-04-30")).amount == ExactAmount(Decimal(144)))
    #expect(subscription.yearlyCost(on: Some.day("2026-05-01")).amount == ExactAmount(Decimal(120)))
  }

  @Test("An equal price is no change, and a later one may be planned")
  func prices() {
    var history = Some.subscription("10 EUR")
    history = history.changingPrice(to: Some.money("10.00 EUR"), from: Some.day("2026-02-01"))
    #expect(history.prices.count == 1)
    history = history.changingPrice(to: Some.money("12 EUR"), from: Some.day("2026-06-01"))
    history = history.changingPrice(to: Some.money("11 EUR"), from: Some.day("2026-03-01"))
    #expect(history.prices.dropFirst().map(\.amount) == [Decimal(11), Decimal(12)])
    #expect(history.price(on: Some.day("2026-02-28")).amount == Decimal(10))
    #expect(history.price(on: Some.day("2026-05-31")).amount == Decimal(11))
  }

  @Test("Pausing is idempotent; resuming ends the pause")
  func pausing() {
    let subscription = Some.subscription("1 EUR").pausing(from: Some.day("2026-03-01"))
    #expect(subscription.pausing(from: Some.day("2026-04-01")) == subscription)
    #expect(subscription.status(on: Some.day("2026-03-01")) == .paused)
    let resumed = subscription.resuming(on: Some.day("2026-05-01"), today: Some.day("2026-04-01"))
    #expect(resumed.pauses == [Pause(from: Some.day("2026-03-01"), until: Some.day("2026-05-01"))])
    #expect(resumed.status(on: Some.day("2026-05-01")) == .active)
    #expect(subscription.resuming(on: Some.day("2026-03-01"), today: Some.day("2026-04-01")).pauses == nil)
    #expect(resumed.pausing(from: Some.day("2026-04-01")).pauses == [Pause(from: Some.day("2026-03-01"))])
  }

  @Test(
    "Status by day",
    arguments: [
      ("2025-12-01", SubscriptionStatus.active), ("2026-01-01", .trial), ("2026-01-14", .trial),
      ("2026-01-15", .active),
      ("2026-03-01", .paused),
      ("2026-04-01", .active), ("2026-06-01", .cancelled), ("2030-01-01", .cancelled),
    ])
  func status(_ day: String, _ expected: SubscriptionStatus) {
    let subscription = Some.subscription("1 EUR", .monthly, "2026-01-01").with {
      $0.trialEnd = Some.day("2026-01-15")
      $0.pauses = [Pause(from: Some.day("2026-03-01"), until: Some.day("2026-04-01"))]
      $0.end = Some.day("2026-06-01")
    }
    #expect(subscription.status(on: Some.day(day)) == expected)
  }

  @Test(
    "A one-off is over the day after its charge, a lifetime licence never",
    arguments: [(Cycle.once, SubscriptionStatus.cancelled), (.lifetime, .active)])
  func chargedOnce(_ cycle: Cycle, _ after: SubscriptionStatus) {
    let subscription = Some.subscription("99 EUR", cycle, "2026-03-10")
    #expect(subscription.status(on: Some.day("2026-03-10")) == .active)
    #expect(subscription.status(on: Some.day("2026-03-11")) == after)
    let later = subscription.marking(
      ChargeMark(occurrence: Some.day("2026-03-10"), kind: .shifted, shiftedTo: Some.day("2026-04-01")))
    #expect(later.status(on: Some.day("2026-04-01")) == .active)
    #expect(later.status(on: Some.day("2026-04-02")) == after)
  }

  @Test("A weekly item comes four or five times in thirty days")
  func window() {
    let weekly = Some.subscription("1 EUR", .weekly, "2026-03-10", number: 1)
    let monthly = Some.subscription("2 EUR", .monthly, "2026-03-17", number: 2)
    let charges = ChargeCalendar.upcoming(of: [weekly, monthly], today: Some.day("2026-03-10"))
    #expect(
      charges.days == ["2026-03-10", "2026-03-17", "2026-03-17", "2026-03-24", "2026-03-31", "2026-04-07"])
    #expect(charges.map(\.subscription.low) == [1, 1, 2, 1, 1, 1])
  }

  @Test("After any history, charges ascend, stay in their range, and are found from any day", arguments: 0..<300)
  func properties(_ seed: Int) throws {
    var maker = SubscriptionMaker(seed: seed)
    let subscription = maker.subscription(seed)
    #expect(SubscriptionRules.refusals(of: subscription) == [])
    let all = subscription.charges(in: Some.day("2015-01-01")...Some.day("2032-12-31"))
    #expect(zip(all, all.dropFirst()).allSatisfy { PlannedCharge.precedes($0, $1) })
    #expect(Set(all.map(\.occurrence)).count == all.count)
    let plan = ChargePlan(subscription)
    for charge in all {
      let first = max(subscription.start, subscription.trialEnd ?? subscription.start)
      let (due, decides) = (plan.dueDay(of: charge), plan.decidingDay(of: charge))
      #expect(due >= first && decides >= first && subscription.end.map { decides < $0 } ?? true)
      #expect(
        !subscription.pauseList.contains { $0.contains(decides) }
          && subscription.charge(of: charge.occurrence) == charge)
      let term = subscription.term(on: due)
      #expect(term.contains(charge.occurrence) || charge.occurrence == due)
      // A charge has the price of its day, but never that of another cycle's time.
      let terms = subscription.formerTermList
      let former = terms.firstIndex { due < $0.until }
      let firstPriced = former.map { $0 > 0 ? terms[$0 - 1].until : charge.day } ?? terms.last?.until ?? charge.day
      let priced = min(
        max(charge.day, firstPriced), former.map { terms[$0].until.advanced(by: -1) } ?? charge.day.advanced(by: 400))
      if !charge.isPaid { #expect(charge.price == subscription.price(on: priced)) }
      #expect(charge.share == subscription.share(on: priced))
    }
    for _ in 0..<20 {
      let low = maker.day(17_000, 4500)
      let range = low...low.advanced(by: maker.random.below(200))
      #expect(subscription.charges(in: range) == all.filter { range.contains($0.day) })
    }
    for _ in 0..<4 {
      let low = maker.day(17_000, 4500)
      let later = subscription.charges(in: low...Some.day("2200-12-31"))
      #expect(subscription.firstCharge(onOrAfter: low) == later.first)
      #expect(subscription.nextCharge(today: low) == later.first { !$0.isPaid })
    }
  }

  @Test("A weekend rule moves charges, and removes and adds none", arguments: 0..<300)
  func weekendRules(_ seed: Int) {
    var maker = SubscriptionMaker(seed: 3000 + seed)
    var ruled = maker.subscription(seed).with { $0.marks = nil }
    for place in ruled.formerTermList.indices { maker.rule(&ruled.formerTermList[place].cycle) }
    maker.rule(&ruled.cycle)
    let plain = ruled.with {
      $0.cycle.weekend = nil
      for place in $0.formerTermList.indices { $0.formerTermList[place].cycle.weekend = nil }
    }
    let days = Some.day("2015-01-01")...Some.day("2040-12-31")
    let due = plain.charges(in: days)
    let moved = ruled.charges(in: days.lowerBound.advanced(by: -2)...days.upperBound.advanced(by: 2))
      .filter { days.contains(ChargePlan(ruled).dueDay(of: $0)) }
    let expected = due.map { ruled.term(on: $0.day).cycle.weekend?.day(for: $0.day) ?? $0.day }
    #expect(moved.map(\.day) == expected.sorted())
    #expect(Set(moved.map(\.occurrence)).count == moved.count)
    for charge in moved { #expect(ruled.charge(of: charge.occurrence) == charge) }
    for charge in moved.prefix(40) {
      #expect(ruled.firstCharge(onOrAfter: charge.day)?.day == charge.day)
      // A mark finds it again, and no other.
      let skipped = ruled.marking(ChargeMark(occurrence: charge.occurrence, kind: .skipped)).charges(in: days)
      #expect(skipped == ruled.charges(in: days).filter { $0 != charge })
    }
  }

  @Test("The first charge may come before the start, the last one from the end on, and neither is lost")
  func movedOverBounds() {
    var cycle = Cycle.yearly
    cycle.weekend = .before
    // 1 February 2026 is a Sunday.
    let yearly = Some.subscription("10 EUR", cycle, "2026-02-01")
    #expect(yearly.nextCharge(today: Some.day("2026-01-05"))?.day == Some.day("2026-01-30"))
    let trial = yearly.with { ($0.start, $0.trialEnd) = (Some.day("2026-01-01"), Some.day("2026-02-01")) }
    #expect(trial.charges(in: Some.day("2026-01-01")...Some.day("2026-12-31")).days == ["2026-01-30"])
    cycle = .monthly
    cycle.weekend = .after
    // 1 August 2026 is a Saturday.
    let monthly = Some.subscription("10 EUR", cycle, "2026-07-01").with { $0.end = Some.day("2026-08-02") }
    #expect(monthly.charges(in: Some.day("2026-07-02")...Some.day("2026-12-31")).days == ["2026-08-03"])
    let paused = monthly.with { $0.end = nil }.pausing(from: Some.day("2026-08-02"), until: Some.day("2026-08-20"))
    #expect(paused.charges(in: Some.day("2026-07-02")...Some.day("2026-08-31")).days == ["2026-08-03"])
    let due = paused.with { $0.pauses = [Pause(from: Some.day("2026-08-01"), until: Some.day("2026-08-02"))] }
    #expect(due.charges(in: Some.day("2026-07-02")...Some.day("2026-08-31")).days == [])
  }

  @Test("The end of a paid period and another cycle take the charge with them that is due from then on")
  func periodsOfMovedCharges() {
    var cycle = Cycle.monthly
    cycle.weekend = .after
    let monthly = Some.subscription("10 EUR", cycle, "2026-07-01")
    let days = Some.day("2026-07-02")...Some.day("2026-09-30")
    for (today, end, left) in [
      ("2026-07-20", "2026-08-01", []), ("2026-08-02", "2026-09-01", ["2026-08-03"]),
      ("2026-08-03", "2026-09-01", ["2026-08-03"]),
    ] {
      let day = monthly.periodEnd(today: Some.day(today))
      #expect(day == Some.day(end))
      #expect(monthly.cancelled(from: day).charges(in: days).days == left)
      #expect(monthly.nextCycleDay(today: Some.day(today)) == day)
      let changed = monthly.changingCycle(to: .monthly, anchor: day, from: day, today: Some.day(today))
      #expect(changed.charges(in: days).count == 2)
    }
  }

  @Test("Two cycles may charge on one day, and each charge has a mark of its own")
  func onOneDay() {
    var cycle = Cycle.monthly
    cycle.weekend = .after
    let day = Some.day("2026-08-03")
    let monthly = Some.subscription("10 EUR", cycle, "2026-07-01")
      .changingCycle(to: .weekly, anchor: day, from: Some.day("2026-08-02"))
    let both = monthly.charges(in: day...day)
    #expect(both.map(\.occurrence) == [Some.day("2026-08-01"), day])
    let paid = monthly.marking(ChargeMark(occurrence: both[0].occurrence, kind: .kept, paidOn: day))
    #expect(paid.charges(in: day...day).map(\.isPaid) == [true, false])
    #expect(paid.nextCharge(today: day)?.occurrence == day)
  }

  @Test("The charges of several subscriptions are merged in order", arguments: 0..<20)
  func calendar(_ seed: Int) {
    var maker = SubscriptionMaker(seed: 1000 + seed)
    let subscriptions = maker.subscriptions(seed * 2)
    let low = maker.day()
    let range = low...low.advanced(by: maker.random.below(800))
    let charges = ChargeCalendar.charges(of: subscriptions, in: range)
    let expected = subscriptions.flatMap { $0.charges(in: range) }.sorted { $0.day < $1.day }
    #expect(charges == expected)
  }

  @Test("The days of a calendar add up to its charges", arguments: 0..<20)
  func days(_ seed: Int) {
    var maker = SubscriptionMaker(seed: 7000 + seed)
    let subscriptions = maker.subscriptions(seed * 2)
    let low = maker.day()
    let range = low...low.advanced(by: maker.random.below(3000))
    var sums: [CivilDay: (count: Int, totals: CurrencyTotals)] = [:]
    for charge in ChargeCalendar.charges(of: subscriptions, in: range) {
      sums[charge.day, default: (0, CurrencyTotals())].count += 1
      sums[charge.day]?.totals.add(charge.cost, charge.price.currency)
    }
    let days = ChargeCalendar.days(of: subscriptions, in: range)
    #expect(days.map(\.day) == sums.keys.sorted())
    for day in days {
      #expect(day.count == sums[day.day]?.count)
      #expect(
        day.totals.rounded.filter { $0.amount != .zero } == sums[day.day]?.totals.rounded.filter { $0.amount != .zero })
    }
  }

  @Test("Extreme days do not trap")
  func extremes() {
    let ends = [CivilDay(daysSinceEpoch: .min), CivilDay(daysSinceEpoch: .max)]
    for day in ends {
      var subscription = Some.subscription("99999999999999 EUR", .every(.max, .day)).with {
        $0.start = day
        $0.anchor = day
        $0.trialEnd = ends[0]
        $0.end = ends[1]
        $0.pauses = [Pause(from: ends[1], until: ends[0]), Pause(from: ends[0], until: ends[0])]
        $0.formerTerms = [FormerTerm(cycle: .every(.min, .year), anchor: ends[1], until: ends[0])]
        $0.marks = [ChargeMark(occurrence: ends[0], kind: .shifted, shiftedTo: ends[1])]
        $0.contract = Contract(end: day, notice: CalendarSpan(.max, .year), renewal: CalendarSpan(1, .day))
        $0.prices = [SubscriptionPrice(amount: Decimal(.max), currency: "EUR")]
      }
      for today in ends + [Some.day("2026-01-01")] {
        _ = subscription.nextCharge(today: today)
        _ = subscription.charges(in: ends[0]...ends[1]).count
        _ = subscription.contract?.deadline(onOrAfter: today)
        _ = Some.insights([subscription], today: today).lifetime
        subscription = subscription.changingCycle(to: .once, anchor: today, from: today).pausing(from: today)
      }
      #expect(!SubscriptionRules.refusals(of: subscription).isEmpty)
    }
  }
}
