import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Subscriptions

struct BudgetTests {
  @Test(
    "Periods run from pay day to pay day",
    arguments: [
      (BudgetPeriod.monthly, "2026-01-01", "2026-02-10", "2026-02-01", "2026-02-28"),
      (.monthly, "2026-01-31", "2026-02-27", "2026-01-31", "2026-02-27"),
      (.monthly, "2026-01-31", "2026-02-28", "2026-02-28", "2026-03-30"),
      (.monthly, "2026-03-25", "2026-03-01", "2026-02-25", "2026-03-24"),
      (.weekly, "2026-03-06", "2026-03-05", "2026-02-27", "2026-03-05"),
      (.fortnightly, "2026-03-06", "2026-03-19", "2026-03-06", "2026-03-19"),
      (.fortnightly, "2026-03-06", "2026-03-20", "2026-03-20", "2026-04-02"),
    ])
  func periods(_ period: BudgetPeriod, _ anchor: String, _ day: String, _ first: String, _ last: String) {
    #expect(Some.budget("1 EUR", period, anchor).days(around: Some.day(day)) == Some.day(first)...Some.day(last))
  }

  @Test("Periods follow each other without gap or overlap", arguments: BudgetPeriod.known)
  func seamless(_ period: BudgetPeriod) throws {
    let budget = Some.budget("1 EUR", period, "2026-01-31")
    var day = Some.day("2023-12-15")
    for _ in 0..<100 {
      let days = try #require(budget.days(around: day))
      #expect(days.contains(day) && budget.days(around: days.upperBound) == days)
      #expect(budget.days(around: days.upperBound.advanced(by: 1))?.lowerBound == days.upperBound.advanced(by: 1))
      day = days.upperBound.advanced(by: 1)
    }
  }

  @Test(
    "The standing is near from four fifths of the limit on, and over above it",
    arguments: [
      ("31.26 EUR", BudgetStanding.within, 79), ("31.25 EUR", .near, 80), ("25 EUR", .near, 100),
      ("24.99 EUR", .over, 101),
      ("12.50 EUR", .over, 200),
    ])
  func standing(_ limit: String, _ standing: BudgetStanding, _ percentage: Int) {
    let subscriptions = [
      Some.subscription("10 EUR", .monthly, "2026-03-05", number: 1),
      Some.subscription("15 EUR", .monthly, "2026-03-20", number: 2),
    ]
    let status = Some.outlook(Some.budget(limit), subscriptions, today: Some.day("2026-03-10"))[0]
    #expect([status.spent, status.committed].brief == ["10.00 EUR", "15.00 EUR"])
    #expect(status.standing == standing)
    #expect(status.percentage == percentage)
    #expect((status.crossing == nil) == (standing != .over))
  }

  @Test("A charge in another currency is converted, or reported without a rate")
  func currencies() throws {
    let subscriptions = [Some.subscription("10 EUR", number: 1), Some.subscription("10 USD", number: 2)]
    let today = Some.day("2026-03-10")
    let without = Some.outlook(Some.budget("12 EUR"), subscriptions, today: today)[0]
    #expect(without.standing == .near && without.uncounted == ["USD"])
    let rates = try RateTable(base: .usd, date: today, rates: [.eur: Some.decimal("0.5")])
    let with = Some.outlook(Some.budget("12 EUR"), subscriptions, today: today, rates: rates)[0]
    #expect(with.standing == .over && with.uncounted.isEmpty)
    #expect(with.remaining == Some.money("-3 EUR"))
  }

  @Test("The outlook covers later periods")
  func outlook() {
    let subscriptions = [
      Some.subscription("10 EUR", .monthly, "2026-01-05", number: 1),
      Some.subscription("100 EUR", .yearly, "2025-06-05", number: 2),
    ]
    let outlook = Some.outlook(Some.budget("50 EUR"), subscriptions, today: Some.day("2026-03-10"), periods: 12)
    #expect(outlook.count == 12)
    #expect(outlook.filter { $0.standing == .over }.map(\.days.lowerBound) == [Some.day("2026-06-01")])
    #expect(outlook[3].crossing?.subscriptionId == Some.id(2))
  }

  @Test("A charge paid in advance is spent")
  func paidAhead() {
    let march = Some.day("2026-03-20")
    let subscription = Some.subscription("10 EUR", .monthly, "2026-01-20", number: 1)
      .marking(ChargeMark(occurrence: march, kind: .kept, paidOn: Some.day("2026-03-02")))
    let status = Some.outlook(Some.budget("50 EUR"), [subscription], today: Some.day("2026-03-10"))[0]
    #expect([status.spent, status.committed].brief == ["10.00 EUR", "0.00 EUR"])
  }

  @Test("A budget is above 0")
  func problems() {
    #expect(Some.budget("0 EUR").ruleProblem?.pointer == "/amount")
    #expect(Some.budget("0 EUR").ruleProblem?.allowed == "a decimal above 0, at most 9999999999")
    #expect(Some.budget("0.0001 EUR").ruleProblem == nil)
  }

  @Test("Spent and committed are the charges of the period", arguments: 0..<60)
  func properties(_ seed: Int) {
    var maker = SubscriptionMaker(seed: 700 + seed)
    let subscriptions = maker.subscriptions(20)
    let today = maker.day()
    let period = BudgetPeriod.known[maker.random.below(3)]
    let limit = maker.price()
    let budget = Some.budget("\(limit.amount) \(limit.currency)", period, "\(maker.day())")
    let status = Some.outlook(budget, subscriptions, today: today)[0]
    let currency = budget.limit.currency
    var sum = ExactAmount.zero
    for charge in ChargeCalendar.charges(of: subscriptions, in: status.days) where charge.price.currency == currency {
      sum += charge.cost
    }
    #expect(status.remaining == Money(rounding: ExactAmount(budget.amount) - sum, currency))
    #expect((status.standing == .over) == (ExactAmount(budget.limit.amount) < sum))
  }
}
