import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Subscriptions

struct InsightsTests {
  private let today = Some.day("2026-03-10")

  @Test("The samples by category match the reference, and percentages add up")
  func categories() {
    let shares = CategoryCost.all(of: Some.samples(), today: today)
    #expect(shares.map(\.category) == [.streaming, .productivity, .utilities, .music, .cloud, .gaming])
    #expect(
      shares.map(\.monthly.amount.description) == ["29.48", "20.00", "19.95", "9.99", "2.99", "1.67"])
    #expect(shares.map(\.percentage) == [35, 24, 24, 12, 3, 2])
    #expect(shares.map(\.count) == [2, 1, 1, 1, 1, 1])
  }

  @Test(
    "Percentages by largest remainder, ties to the first",
    arguments: [
      ([1, 1, 1], [34, 33, 33]), ([1, 1, 1, 1, 1, 1], [17, 17, 17, 17, 16, 16]), ([1, 0], [100, 0]), ([0, 0], [0, 0]),
      ([], []), ([999, 1], [100, 0]), ([5, 5, 990], [1, 0, 99]), ([Int.max, Int.max], [50, 50]),
    ] as [([Int], [Int])])
  func percentages(_ amounts: [Int], _ expected: [Int]) {
    #expect(LargestRemainder.percentages(of: amounts.map { ExactAmount(Decimal(Int64($0))) }) == expected)
  }

  @Test("Percentages add up to 100 and are off by less than one", arguments: 0..<100)
  func percentagesAddUp(_ seed: Int) {
    var random = SeededGenerator(seed: 3, number: seed)
    let amounts = (0..<random.among(1...20)).map { _ in
      ExactAmount(Decimal(Int64(random.below(100_000)))).multiplied(by: 1, over: Int128(random.among(1...50)))
    }
    let percentages = LargestRemainder.percentages(of: amounts)
    let total = amounts.reduce(.zero, +)
    #expect(percentages.reduce(0, +) == (total.isZero ? 0 : 100))
    for (amount, percentage) in zip(amounts, percentages) where !total.isZero {
      let exact = amount.rounded(toScale: 6).double / total.rounded(toScale: 6).double * 100
      #expect(abs(Double(percentage) - exact) < 1.001)
    }
  }

  @Test("Equal categories keep their order, and currencies stay apart")
  func ties() throws {
    let subscriptions = [
      Some.subscription("5 USD", number: 1, category: .other), Some.subscription("5 USD", number: 2, category: .music),
      Some.subscription("5 EUR", number: 3, category: .news),
    ]
    let shares = CategoryCost.all(of: subscriptions, today: today)
    #expect(shares.map(\.category) == [.news, .music, .other])
    #expect(shares.map(\.percentage) == [100, 50, 50])
    let rates = try RateTable(base: .eur, date: today, rates: [.usd: Decimal(1)])
    let converted = CategoryCost.converted(of: subscriptions, today: today, rates: rates, currency: .eur)
    #expect(converted?.map(\.percentage) == [34, 33, 33])
    #expect(converted?.map(\.category) == [.music, .news, .other])
    #expect(
      CategoryCost.converted(of: subscriptions, today: today, rates: rates, currency: Some.currency("GBP")) == nil)
    #expect(SubscriptionCategory.unknown("nonsense").orOther == .other)
  }

  @Test("The most expensive by month, the first of equal ones")
  func mostExpensive() {
    let ranked = RankedSubscription.mostExpensive(of: Some.samples(), today: today)
    #expect(ranked.first?.subscriptionId == Some.id(4))
    #expect(ranked.count == 5)
    let equal = [Some.subscription("5 USD", number: 1), Some.subscription("5 USD", number: 2)]
    #expect(RankedSubscription.mostExpensive(of: equal, today: today).map(\.subscriptionId.low) == [1, 2])
  }

  @Test("The trend has past charges at the price of their day, ended subscriptions included")
  func trend() {
    let kept = Some.subscription("10 EUR", .monthly, "2025-10-31", number: 1)
      .changingPrice(to: Some.money("12 EUR"), from: Some.day("2026-01-15"))
    let over = Some.subscription("5 EUR", .monthly, "2025-11-05", number: 2).cancelled(from: Some.day("2026-01-05"))
    let insights = Some.insights([kept, over], today: today)
    #expect(insights.trend.map(\.month).first == Some.day("2025-10-01"))
    #expect(
      insights.trend.map(\.totals.brief) == [
        ["10.00 EUR"], ["15.00 EUR"], ["15.00 EUR"], ["12.00 EUR"], ["12.00 EUR"], [],
      ])
    #expect(insights.monthOverMonth.changes.map(\.difference) == [Some.money("0 EUR")])
    #expect(Some.insights([kept], today: today, trend: .twoYears).trend.count == 24)
    #expect(Some.insights([], today: today, trend: .year).trend.allSatisfy { $0.count == 0 })
  }

  @Test("Month over month compares full months")
  func monthOverMonth() throws {
    let monthly = Some.subscription("10 EUR", .monthly, "2026-01-05", number: 1)
    let dearer = monthly.changingPrice(to: Some.money("12.5 EUR"), from: Some.day("2026-02-01"))
    let change = try #require(Some.insights([dearer], today: today).monthOverMonth.changes.first)
    #expect([change.before, change.after, change.difference].brief == ["10.00 EUR", "12.50 EUR", "2.50 EUR"])
    #expect(change.percentage == Some.decimal("25.0"))
    let new = Some.subscription("3 USD", .monthly, "2026-02-20", number: 2)
    #expect(Some.insights([new], today: today).monthOverMonth.changes.first?.percentage == nil)
    let gone = monthly.cancelled(from: Some.day("2026-02-01"))
    #expect(Some.insights([gone], today: today).monthOverMonth.changes.first?.percentage == Some.decimal("-100"))
  }

  @Test("Price increases within a year and ahead, latest first")
  func increases() {
    let old = Some.subscription("10 EUR", .monthly, "2024-01-05", number: 1)
      .changingPrice(to: Some.money("11 EUR"), from: Some.day("2025-03-10"))
      .changingPrice(to: Some.money("12.99 EUR"), from: Some.day("2025-12-01"))
      .changingPrice(to: Some.money("9 EUR"), from: Some.day("2026-01-01"))
      .changingPrice(to: Some.money("9 USD"), from: Some.day("2026-02-01"))
    let ahead = Some.subscription("100 EUR", .yearly, "2024-01-05", number: 2)
      .changingPrice(to: Some.money("120 EUR"), from: Some.day("2027-01-05"))
    let increases = Some.insights([old, ahead], today: today).priceIncreases
    #expect(increases.map(\.from) == [Some.day("2027-01-05"), Some.day("2025-12-01")])
    #expect(increases.map(\.percentage) == [Some.decimal("20.0"), Some.decimal("18.1")])
    #expect(increases.map(\.yearly).brief == ["20.00 EUR", "23.88 EUR"])
  }

  @Test("Rarely used and duplicate subscriptions are suggested")
  func suggestions() {
    let subscriptions = [
      Some.subscription("5 USD", number: 1, name: "Netflix").with { $0.usage = .low },
      Some.subscription("9 USD", number: 2, name: "NETFLIX Premium").with { $0.usage = .low },
      Some.subscription("1 USD", number: 3, name: "Café Nº 1").with { $0.usage = UsageRating.none },
      Some.subscription("1 USD", number: 4, name: "cafe no1").with { $0.usage = .high },
      Some.subscription("1 USD", number: 5, name: "Netflix").cancelled(from: Some.day("2026-01-01")),
      Some.subscription("1 USD", number: 6, name: "YouTube Music"),
      Some.subscription("1 USD", number: 7, name: "YouTube"),
    ]
    let suggestions = Suggestion.all(for: subscriptions, today: today)
    #expect(
      suggestions.map(\.subscriptions).map { $0.map(\.subscriptionId) }
        == [[3], [2], [1], [1, 2], [3, 4]].map {
          $0.map(Some.id)
        })
    #expect(suggestions.map(\.kind) == [.unused, .unused, .unused, .duplicates, .duplicates])
    #expect(suggestions.map(\.usage) == [UsageRating.none, .low, .low, nil, nil])
    #expect(suggestions.compactMap(\.yearly) == ["12 USD", "108 USD", "60 USD"].map(Some.money))
    #expect(suggestions.suffix(2).map(\.subscriptions[0].name) == ["Netflix", "Café Nº 1"])
  }

  @Test(
    "Names are folded",
    arguments: [
      ("Disney +", "disney"), ("ÄÖÜß", "aouss"), ("Łódź Žurnál", "lodzzurnal"), ("Cafe\u{301}", "cafe"),
      ("日本 TV", "日本tv"),
      ("++", "++"), ("Ærø Œuvre", "aerooeuvre"), ("", ""), ("STRASSE 1", "strasse1"),
    ])
  func folding(_ name: String, _ expected: String) {
    #expect(NameFolding.fold(name) == expected)
  }

  @Test("The folding of every character is stable")
  func foldingOfAll() {
    // FNV-1a over the folding of every character of Unicode 15, alone and within a word.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for scalar in (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init) {
      guard let age = scalar.properties.age, age.major <= 15 else { continue }
      for byte in Array(NameFolding.fold("\(scalar)").utf8) + [0xFF] + NameFolding.fold("a\(scalar)b").utf8 + [0xFF] {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
      }
    }
    #expect(hash == 0xD25B_BA18_3010_906A)
  }

  @Test("Lifetime spending is by currency and has the paid amounts")
  func lifetime() throws {
    let subscription = Some.subscription("10 EUR", .monthly, "2025-12-31", number: 1)
      .changingPrice(to: Some.money("11 USD"), from: Some.day("2026-02-01"))
      .marking(
        ChargeMark(
          occurrence: Some.day("2026-01-31"),
          kind: .kept, paidOn: Some.day("2026-01-31"), paidAmount: Some.decimal("8.50")))
    let insights = Some.insights([subscription], today: today)
    #expect(insights.lifetimeTotal.brief == ["18.50 EUR", "11.00 USD"])
    #expect(insights.lifetime.first?.charges == 3)
    #expect(insights.lifetime.first?.days == 70)
    #expect(Some.insights([Some.subscription("1 EUR", .monthly, "2026-04-01")], today: today).lifetime[0].days == 0)
  }

  @Test("Spending has a cost per day, and starts with the subscription")
  func costPerDay() {
    let subscription = Some.subscription("10 EUR", .monthly, "2026-01-01", number: 1)
    #expect(Some.insights([subscription], today: today).lifetime[0].costPerDay.brief == ["0.43 EUR"])
    #expect(Some.insights([subscription], today: Some.day("2025-12-31")).lifetime[0].costPerDay.isEmpty)
  }

  @Test("Subscriptions paid once, or without a monthly cost, have no percentage")
  func onlyWhatRepeats() {
    let subscriptions = [
      Some.subscription("99 EUR", .lifetime, number: 1, category: .productivity),
      Some.subscription("5 EUR", number: 2, category: .music),
    ]
    let insights = Some.insights(subscriptions, today: today)
    #expect(insights.categories.map(\.category) == [.music])
    #expect(insights.exposure.map(\.count) == [1])
    #expect(Some.insights([subscriptions[0]], today: today).categories.isEmpty)
  }

  @Test("Amounts are converted to one currency; one without a rate is named and left out")
  func converted() throws {
    let subscriptions = [
      Some.subscription("30 EUR", number: 1, category: .music), Some.subscription("20 USD", number: 2, category: .news),
      Some.subscription("5 GBP", number: 3).cancelled(from: Some.day("2026-02-01")),
    ]
    let rates = try RateTable(base: .eur, date: Some.day("2026-03-01"), rates: [.usd: Decimal(2)])
    let converted = try #require(Some.insights(subscriptions, today: today, rates: rates, currency: .usd).converted)
    #expect(converted.date == Some.day("2026-03-01"))
    #expect(converted.missing == ["GBP"])
    #expect(converted.categories?.map(\.monthly).brief == ["60.00 USD", "20.00 USD"])
    #expect(converted.categories?.map(\.percentage) == [75, 25])
    #expect(
      converted.trend.map(\.total) == [
        Some.money("0 USD"), Some.money("0 USD"), Some.money("0 USD"), nil, Some.money("80 USD"), Some.money("0 USD"),
      ])
    #expect(Some.insights(subscriptions, today: today, rates: rates).converted == nil)
    #expect(Some.insights(subscriptions, today: today, currency: .usd).converted == nil)
    let francs = Some.insights(subscriptions, today: today, rates: rates, currency: Some.currency("CHF")).converted
    #expect(francs?.categories == nil && francs?.missing == ["CHF"])
  }

  @Test("Exposure has percentages only where currencies can be compared")
  func exposure() throws {
    let subscriptions = [Some.subscription("30 EUR", number: 1), Some.subscription("20 USD", number: 2)]
    #expect(CurrencyExposure.all(of: subscriptions, today: today).map(\.percentage) == [nil, nil])
    let rates = try RateTable(base: .eur, date: today, rates: [.usd: Decimal(2)])
    let exposure = CurrencyExposure.all(of: subscriptions, today: today, rates: rates)
    #expect(exposure.map(\.percentage) == [75, 25])
    #expect(exposure.map(\.monthly).brief == ["30.00 EUR", "20.00 USD"])
  }

  @Test("After any history, percentages of each currency add up and the trend is the charges", arguments: 0..<60)
  func properties(_ seed: Int) {
    var maker = SubscriptionMaker(seed: 900 + seed)
    let subscriptions = maker.subscriptions(30)
    let today = maker.day()
    let insights = Some.insights(subscriptions, today: today, trend: .twoYears)
    for (_, shares) in Dictionary(grouping: insights.categories, by: \.monthly.currency) {
      let sum = shares.map(\.percentage).reduce(0, +)
      #expect(sum == 100 || shares.allSatisfy { $0.monthly.amount == .zero })
    }
    var trend = CurrencyTotals()
    for month in ChargeCalendar.months(24, endingWith: today, of: subscriptions, upTo: today) {
      trend.add(month.totals)
    }
    var charges = CurrencyTotals()
    for charge in ChargeCalendar.charges(of: subscriptions, in: insights.trend[0].month...today) {
      charges.add(charge.cost, charge.price.currency)
    }
    #expect(trend == charges)
    let counts = insights.lifetime.map(\.charges).reduce(0, +)
    #expect(counts == ChargeCalendar.charges(of: subscriptions, in: Some.day("1950-01-01")...today).count)
  }
}
