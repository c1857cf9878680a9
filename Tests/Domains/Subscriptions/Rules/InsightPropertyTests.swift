import DaybookClientCodecs
import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Subscriptions

struct InsightPropertyTests {
  @Test("All percentages add up to 100", arguments: 0..<60)
  func percentages(_ seed: Int) throws {
    var maker = SubscriptionMaker(seed: 1300 + seed)
    let subscriptions = maker.subscriptions(maker.random.among(1...25))
    let rates = try table(&maker)
    let insights = Some.insights(subscriptions, today: maker.day(), rates: rates, currency: .eur)
    for (_, shares) in Dictionary(grouping: insights.categories, by: \.monthly.currency) {
      #expect(shares.map(\.percentage).reduce(0, +) == 100)
    }
    let converted = try #require(insights.converted?.categories)
    #expect(converted.isEmpty || converted.map(\.percentage).reduce(0, +) == 100)
    let exposure = insights.exposure.compactMap(\.percentage)
    #expect(exposure.count == insights.exposure.count)
    #expect(exposure.isEmpty || exposure.reduce(0, +) == 100)
  }

  @Test("A month of the trend is the sum of its charges at their own prices", arguments: 0..<60)
  func trend(_ seed: Int) {
    var maker = SubscriptionMaker(seed: 1400 + seed)
    let subscriptions = maker.subscriptions(20)
    let today = maker.day()
    let length = TrendLength.allCases[maker.random.below(3)]
    let insights = Some.insights(subscriptions, today: today, trend: length)
    #expect(insights.trend.count == length.rawValue)
    #expect(insights.trend.last?.month == today.month.lowerBound)
    for month in insights.trend {
      var totals: [Currency: ExactAmount] = [:]
      var count = 0
      for subscription in subscriptions {
        for charge in subscription.charges(in: month.month...min(month.month.month.upperBound, today)) {
          // Price and share come from the histories again, unless another amount was paid.
          let paid = subscription.markList.first { $0.occurrence == charge.occurrence }?.paidAmount
          let price = subscription.price(on: charge.day)
          totals[price.currency, default: .zero] += subscription.share(on: charge.day).of(paid ?? price.amount)
          count += 1
        }
      }
      #expect(month.count == count)
      #expect(
        month.totals == totals.filter { !$0.value.isZero }.sorted { $0.key < $1.key }.map { Money(rounding: $1, $0) })
    }
  }

  @Test("The order of the subscriptions has no effect", arguments: 0..<60)
  func order(_ seed: Int) throws {
    var maker = SubscriptionMaker(seed: 1500 + seed)
    // Few names, prices and days, so that many are equal.
    let subscriptions = maker.subscriptions(25).map { subscription in
      var equal = subscription
      equal.name = ["Netflix", "NETFLIX Premium", "Gym"][maker.random.below(3)]
      equal.usage = UsageRating.known[maker.random.below(4)]
      if maker.random.once(in: 2) { equal.prices = [SubscriptionPrice(Some.money("5 EUR"))] }
      return equal
    }
    let today = maker.day()
    let rates = try table(&maker)
    let insights = Some.insights(subscriptions, today: today, rates: rates, currency: .usd).json
    for _ in 0..<5 {
      let shuffled = maker.shuffled(subscriptions)
      #expect(Some.insights(shuffled, today: today, rates: rates, currency: .usd).json == insights)
    }
  }

  @Test("Spent and committed are the charges of a period, whatever today is; paid ones are spent", arguments: 0..<60)
  func budgets(_ seed: Int) throws {
    var maker = SubscriptionMaker(seed: 1600 + seed)
    let subscriptions = maker.subscriptions(20)
    let (day, today) = (maker.day(), maker.day())
    let period = BudgetPeriod.known[maker.random.below(3)]
    let limit = maker.price()
    let budget = Some.budget("\(limit.amount) \(limit.currency)", period, "\(maker.day())")
    let currency = budget.limit.currency
    var next = try #require(budget.days(around: day)).lowerBound
    for status in Some.outlook(budget, subscriptions, around: day, today: today, periods: 5) {
      #expect(status.days == budget.days(around: next))
      next = status.days.upperBound.advanced(by: 1)
      var (spent, committed) = (ExactAmount.zero, ExactAmount.zero)
      for charge in ChargeCalendar.charges(of: subscriptions, in: status.days)
      where charge.price.currency == currency {
        if charge.day <= today || charge.isPaid { spent += charge.cost } else { committed += charge.cost }
      }
      #expect(status.spent == Money(rounding: spent, currency))
      #expect(status.committed == Money(rounding: committed, currency))
    }
  }

  private func table(_ maker: inout SubscriptionMaker) throws -> RateTable {
    var rates: [Currency: Decimal] = [:]
    for code in ["USD", "JPY", "KWD"] {
      rates[Some.currency(code)] = Decimal(significand: Int64(maker.random.among(1...99_999)), scale: 3)
    }
    return try RateTable(base: .eur, date: Some.day("2026-01-01"), rates: rates)
  }
}

extension SubscriptionMaker {
  /// The subscriptions in another order.
  mutating func shuffled(_ subscriptions: [Subscription]) -> [Subscription] {
    var rest = subscriptions
    var shuffled: [Subscription] = []
    while !rest.isEmpty { shuffled.append(rest.remove(at: random.below(rest.count))) }
    return shuffled
  }
}
