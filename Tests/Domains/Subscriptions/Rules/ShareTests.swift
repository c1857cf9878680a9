import Calendars
import DaybookProtocol
import Testing

@testable import Subscriptions

struct ShareTests {
  /// 30.00 a month since 15 January, wholly the user's; a third of it from March on.
  private let family = Some.subscription("30.00 EUR", .monthly, "2026-01-15")
    .changingShare(to: PayerShare(1, of: 3) ?? .whole, from: Some.day("2026-03-01"))
  private let april = Some.day("2026-04-01")

  private func costs(_ subscription: Subscription, _ from: String, _ to: String) -> [String] {
    subscription.charges(in: Some.day(from)...Some.day(to)).map { Money(rounding: $0.cost, .eur).amount.description }
  }

  @Test("A charge has the share of its own day, whatever today is")
  func charges() {
    #expect(costs(family, "2026-01-01", "2026-04-30") == ["30.00", "30.00", "10.00", "10.00"])
    #expect(costs(family, "2026-03-01", "2026-03-31") == ["10.00"])
    #expect(family.firstCharge(onOrAfter: Some.day("2026-02-16"))?.share == PayerShare(1, of: 3))
    #expect(family.charge(of: Some.day("2026-02-15"))?.share == .whole)
  }

  @Test("A shifted or differently paid charge has the share of the day it comes on")
  func marked() {
    let shifted = family.marking(
      ChargeMark(occurrence: Some.day("2026-02-15"), kind: .shifted, shiftedTo: Some.day("2026-03-02")))
    #expect(costs(shifted, "2026-01-01", "2026-03-31") == ["30.00", "10.00", "10.00"])
    let day = Some.day("2026-03-15")
    let paid = family.marking(
      ChargeMark(occurrence: day, kind: .kept, paidOn: day, paidAmount: Some.decimal("24")))
    #expect(costs(paid, "2026-01-01", "2026-04-30") == ["30.00", "30.00", "8.00", "10.00"])
  }

  @Test("Spending, months, projection and budgets count each charge by its own share")
  func sums() throws {
    let spend = try #require(Some.insights([family], today: Some.day("2026-03-31")).lifetime.first)
    #expect(spend.totals.brief == ["70.00 EUR"] && spend.charges == 3)
    let trend = Some.insights([family], today: Some.day("2026-03-31")).trend.suffix(3)
    #expect(trend.map(\.totals.brief) == [["30.00 EUR"], ["30.00 EUR"], ["10.00 EUR"]])
    let overview = Some.overview([family], today: Some.day("2026-01-01"))
    #expect(overview.projection?.brief == ["160.00 EUR"])
    #expect(overview.months?.prefix(3).map(\.totals.brief) == [["30.00 EUR"], ["30.00 EUR"], ["10.00 EUR"]])
    #expect(overview.heaviest == [MonthPeak(month: Some.day("2026-01-01"), total: Some.money("30.00 EUR"))])
    let budget = Some.budget("50 EUR", .monthly, "2026-02-01")
    let status = Some.outlook(budget, [family], around: Some.day("2026-02-01"), today: april, periods: 2)
    #expect(status.map(\.spent) == [Some.money("30.00 EUR"), Some.money("10.00 EUR")])
  }

  @Test("Monthly and yearly costs have the share of their day")
  func rates() {
    func monthly(_ day: String) -> [String] {
      Some.overview([family], today: Some.day(day)).monthly.brief
    }
    #expect(monthly("2026-02-28") == ["30.00 EUR"] && monthly("2026-03-01") == ["10.00 EUR"])
    let ranked = RankedSubscription.mostExpensive(of: [family], today: april)
    #expect(ranked.map(\.yearly) == [Some.money("120.00 EUR")])
    func savings(_ end: String) -> [String] {
      RunRates([family.cancelled(from: Some.day(end))], today: april).cancelled.rounded.brief
    }
    #expect(savings("2026-03-01") == ["360.00 EUR"] && savings("2026-03-02") == ["120.00 EUR"])
  }

  @Test("Another share is no price increase, and hides none on the same day")
  func increases() {
    let day = Some.day("2026-03-01")
    #expect(PriceIncrease.all(of: [family], in: day...day) == [])
    let alone = family.changingShare(to: .whole, from: april)
    #expect(PriceIncrease.all(of: [alone], in: day...april) == [])
    let dearer = PriceIncrease.all(of: [family.changingPrice(to: Some.money("36 EUR"), from: day)], in: day...day)
    #expect(dearer.map(\.yearly) == [Some.money("24.00 EUR")])
    #expect(dearer.map(\.percentage) == [Some.decimal("20.0")])
  }

  @Test("The calendar has the user's part from its first day on")
  func feed() {
    let days = Some.day("2026-02-01")...Some.day("2026-03-31")
    let events = ChargeFeed.feed(of: [family], in: days, stamp: Instant(milliseconds: 0)).events
    #expect(events.map(\.details) == [nil, "Your part: €10.00"])
  }

  @Test("An equal share is no change, later ones stay, and one may be planned")
  func changes() {
    let half = PayerShare(1, of: 2) ?? .whole
    #expect(family.changingShare(to: .whole, from: Some.day("2026-02-01")) == family)
    #expect(family.changingShare(to: PayerShare(1, of: 3) ?? .whole, from: Some.day("2026-05-01")) == family)
    let earlier = family.changingShare(to: half, from: Some.day("2026-02-01"))
    #expect(costs(earlier, "2026-01-01", "2026-03-31") == ["30.00", "15.00", "10.00"])
    #expect(family.changingShare(to: .whole, from: Some.day("2026-03-01")).shares == nil)
  }
}
