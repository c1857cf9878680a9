import DaybookProtocol
import FileStoreTesting
import Premium
import Testing

@testable import Subscriptions

struct OverviewTests {
  private let today = Some.day("2026-03-10")

  private func overview(
    _ subscriptions: [Subscription], hasAccess: Bool = true, conversion: (rates: RateTable, currency: Currency)? = nil
  ) -> OverviewGetResult {
    Some.overview(subscriptions, today: today, conversion: conversion, hasAccess: hasAccess)
  }

  /// Without the year's 52 weeks: what a subscription comes to a month and a year.
  @Test(
    "Yearly is amount × (365, 52, 12, 1)/N, monthly a twelfth of it",
    arguments: [
      ("120 USD", Cycle.yearly, "10.00", "120.00"), ("5 USD", .weekly, "21.67", "260.00"),
      ("142 USD", .monthly, "142.00", "1704.00"), ("184 USD", .monthly, "184.00", "2208.00"),
      ("1 USD", .every(1, .day), "30.42", "365.00"), ("30 USD", .quarterly, "10.00", "120.00"),
      ("10 USD", .every(2, .week), "21.67", "260.00"), ("100 USD", .every(3, .year), "2.78", "33.33"),
      ("99 USD", .lifetime, nil, nil), ("1000 JPY", .weekly, "4333", "52000"),
    ] as [(String, Cycle, String?, String?)])
  func rates(_ price: String, _ cycle: Cycle, _ monthly: String?, _ yearly: String?) throws {
    let result = overview([Some.subscription(price, cycle, "2026-03-01")])
    #expect(result.monthly.first?.amount.description == monthly)
    #expect(result.yearly?.first?.amount.description == yearly)
  }

  @Test("The seven samples cost 84.08 a month and 1008.91 a year")
  func samples() throws {
    let samples = Some.samples()
    #expect(
      samples.map { $0.prices[0].amount.description } == [
        "15.49", "9.99", "2.99", "20.00", "13.99", "19.95", "19.99",
      ])
    #expect(samples.allSatisfy { SubscriptionRules.refusals(of: $0).isEmpty })
    #expect(samples.map(\.anchor) == (1...7).map { today.advanced(by: $0) })
    let result = overview(samples)
    #expect(result.monthly.brief == ["84.08 USD"])
    #expect(result.yearly?.brief == ["1008.91 USD"])
    #expect(result.costPerDay?.brief == ["2.76 USD"])
    #expect(result.counts.active == 7)
    #expect(result.upcoming.count == 7)
    #expect(result.heaviest?.map(\.total).brief == ["102.40 USD"])
    #expect(result.heaviest?.first?.month == Some.day("2026-03-01"))
  }

  @Test("Trials, pauses and ended subscriptions do not count; the cost after trials is separate")
  func statuses() throws {
    let trial = Some.subscription("10 EUR", .monthly, "2026-03-20", number: 1).with {
      $0.start = Some.day("2026-03-01")
      $0.trialEnd = Some.day("2026-03-20")
    }
    let paused = Some.subscription("20 EUR", number: 2).pausing(from: Some.day("2026-02-01"))
    let over = Some.subscription("30 EUR", number: 3)
      .changingPrice(to: Some.money("35 EUR"), from: Some.day("2026-02-01")).cancelled(from: today)
    let ending = Some.subscription("40 EUR", number: 4).cancelled(from: today.advanced(by: 1))
    let later = Some.subscription("50 EUR", .monthly, "2026-04-01", number: 5)
    let result = overview([trial, paused, over, ending, later])
    #expect(result.monthly.brief == ["40.00 EUR"])
    #expect(result.monthlyAfterTrials.brief == ["10.00 EUR"])
    #expect(result.counts == StatusCounts(trial: 1, active: 2, paused: 1, cancelled: 1))
    #expect(result.savings?.brief == ["420.00 EUR"])
  }

  @Test("The projection follows the calendar: 52 or 53 weeks, and no charge after the end")
  func projection() throws {
    let weekly = Some.subscription("5 USD", .weekly, "2026-03-10")
    // From 10 March 2026 to 9 March 2027 there are 53 Tuesdays: the first and the last day are one.
    #expect(overview([weekly]).projection?.brief == ["265.00 USD"])
    #expect(overview([Some.subscription("5 USD", .weekly, "2026-03-11")]).projection?.brief == ["260.00 USD"])
    let ending = Some.subscription("5 USD", .monthly, "2026-03-10").cancelled(from: Some.day("2026-06-10"))
    #expect(overview([ending]).projection?.brief == ["15.00 USD"])
    let dearer = Some.subscription("5 USD", .monthly, "2026-03-10")
      .changingPrice(to: Some.money("6 USD"), from: Some.day("2026-09-10"))
    #expect(overview([dearer]).projection?.brief == ["66.00 USD"])
  }

  @Test("The heaviest month is found for each currency, the first of equal ones")
  func heaviest() {
    let result = overview([
      Some.subscription("10 EUR", .monthly, "2026-01-31", number: 1),
      Some.subscription("100 EUR", .yearly, "2025-11-05", number: 2),
      Some.subscription("1 USD", .weekly, "2026-03-03", number: 3),
    ])
    #expect(result.heaviest?.map(\.month) == [Some.day("2026-11-01"), Some.day("2026-03-01")])
    #expect(result.heaviest?.map(\.total).brief == ["110.00 EUR", "5.00 USD"])
    #expect(result.months?.count == 12)
  }

  @Test("Currencies are never added; a converted total has the date of its rates")
  func currencies() throws {
    let subscriptions = [Some.subscription("10 EUR", number: 1), Some.subscription("1000 JPY", number: 2)]
    let rates = try RateTable(base: .eur, date: Some.day("2026-03-09"), rates: [Some.currency("JPY"): Decimal(160)])
    let result = overview(subscriptions, conversion: (rates, .eur))
    #expect(result.monthly.brief == ["10.00 EUR", "1000 JPY"])
    #expect(result.monthlyConverted?.amount == Some.money("16.25 EUR"))
    #expect(result.monthlyConverted?.date == Some.day("2026-03-09"))
    #expect(overview(subscriptions).monthlyConverted == nil)
    let missing = overview(subscriptions, conversion: (rates, .usd)).monthlyConverted
    #expect(missing?.amount == nil && missing?.missing == ["USD"])
  }

  @Test("The user's own part counts")
  func share() throws {
    let shared = Some.subscription("10 EUR").with { $0.shareList = [SubscriptionShare(PayerShare(1, of: 3) ?? .whole)] }
    let result = overview([shared, shared, shared])
    #expect(overview([shared]).monthly.brief == ["3.33 EUR"])
    #expect(result.monthly.brief == ["10.00 EUR"])
    #expect(PayerShare(0, of: 1) == nil && PayerShare(3, of: 2) == nil && PayerShare(1, of: 1001) == nil)
    #expect(PayerShare(1, of: 0) == nil && PayerShare(.max, of: .max) == nil)
  }

  @Test("Without premium there are the monthly total, upcoming charges, and a hint from three subscriptions on")
  func gates() {
    let result = overview(Some.samples(), hasAccess: false)
    #expect(result.monthly.brief == ["84.08 USD"])
    #expect(result.upcoming.count == 7)
    #expect(result.yearly == nil && result.projection == nil && result.months == nil && result.heaviest == nil)
    #expect(result.yearlyConverted == nil && result.savings == nil && result.costPerDay == nil)
    #expect(
      result.gatedFields.map(\.name) == [
        "yearly", "yearlyConverted", "projection", "months", "heaviest", "savings", "costPerDay",
      ])
    #expect(result.gatedFields.allSatisfy { !$0.feature.isFree })
    #expect(result.showsUnlockHint)
    #expect(overview(Some.samples()).gatedFields.isEmpty && !overview(Some.samples()).showsUnlockHint)
    #expect(!overview(Array(Some.samples().prefix(2)), hasAccess: false).showsUnlockHint)
  }

  @Test(
    "Reminder days by premium",
    arguments: [
      ([7, 3, 3, 1], true, [1, 3, 7]), ([7, 3], false, [1]), ([], false, []), ([], true, []),
      ([0, 31, 2], true, [0, 2]),
    ])
  func reminderDays(_ wished: [Int], _ hasAccess: Bool, _ expected: [Int]) {
    #expect(SubscriptionGates.reminderDays(wished: wished, hasAccess: hasAccess) == expected)
  }

  @Test("After any history, an overview names every currency once and agrees with its parts", arguments: 0..<60)
  func properties(_ seed: Int) throws {
    var maker = SubscriptionMaker(seed: 500 + seed)
    let subscriptions = maker.subscriptions(40)
    let today = maker.day()
    let result = Some.overview(subscriptions, today: today)
    let premium = try #require(result.months)
    for list in [result.monthly, result.yearly, result.projection, result.savings, result.costPerDay].compactMap({ $0 })
    {
      #expect(list.map(\.currency) == Set(list.map(\.currency)).sorted())
      #expect(list.allSatisfy { $0.amount.scale == Currency($0.currency)?.minorDigits })
    }
    #expect(result.upcoming.allSatisfy { DueLabel($0.day, today: today) != nil })
    // The months add up to the charges of their days.
    let first = try #require(premium.first?.month)
    let last = try #require(premium.last?.month.month.upperBound)
    var total = CurrencyTotals()
    for charge in ChargeCalendar.charges(of: subscriptions, in: first...last) {
      total.add(charge.cost, charge.price.currency)
    }
    var months = CurrencyTotals()
    for month in ChargeCalendar.months(12, from: today, of: subscriptions).months { months.add(month.totals) }
    #expect(months == total)
    #expect(
      premium.map(\.count).reduce(0, +) == ChargeCalendar.charges(of: subscriptions, in: first...last).count)
  }

  @Test("A subscription without a yearly cost names no currency and blocks no conversion")
  func nothingAYear() throws {
    let rates = try RateTable(base: .eur, date: today, rates: [.usd: Decimal(2)])
    let subscriptions = [
      Some.subscription("10 USD", number: 1), Some.subscription("99 GBP", .lifetime, number: 2),
      Some.subscription("0 GBP", number: 3),
    ]
    let result = overview(subscriptions, conversion: (rates, .eur))
    #expect(result.monthly.brief == ["10.00 USD"] && result.counts.active == 3)
    #expect(result.monthlyConverted?.amount == Some.money("5.00 EUR"))
    #expect(result.yearlyConverted?.amount == Some.money("60.00 EUR"))
  }

  @Test("A total that is too large is left out")
  func tooLarge() throws {
    let rates = try RateTable(base: .eur, date: today, rates: [.usd: RateTable.largestRate])
    let dear = (1...31).map { Some.subscription("9999999999 EUR", .every(1, .day), number: $0) }
    let result = overview(dear, conversion: (rates, .usd))
    #expect(result.monthlyConverted == ConvertedTotal(amount: nil, date: today, missing: []))
    #expect(result.yearlyConverted?.amount == nil && result.yearly?.count == 1)
    let insights = ConvertedInsights(
      dear, today: today, trend: ChargeCalendar.months(1, from: today, of: dear).months, rates: rates, currency: .usd)
    #expect(insights.categories == nil && insights.trend.map(\.total) == [nil] && insights.missing.isEmpty)
    let bearable = overview(Array(dear.prefix(1)), conversion: (rates, .eur))
    #expect(bearable.yearlyConverted?.amount == Some.money("3649999999635.00 EUR"))
  }
}
