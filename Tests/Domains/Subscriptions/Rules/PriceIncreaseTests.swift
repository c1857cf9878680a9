import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Subscriptions

struct PriceIncreaseTests {
  @Test("Yearly costs are compared, so that another cycle is an increase only if a year costs more")
  func increasesWithCycle() {
    let day = Some.day("2026-03-01")
    func increase(_ price: String, _ cycle: Cycle, to next: String, _ nextCycle: Cycle) -> PriceIncrease? {
      let half = PayerShare(1, of: 2) ?? .whole
      let changed = Some.subscription(price, cycle, "2024-03-01").with { $0.shareList = [SubscriptionShare(half)] }
        .changingPrice(to: Some.money(next), from: day).changingCycle(to: nextCycle, anchor: day, from: day)
      return PriceIncrease.all(of: [changed], in: day...day).first
    }
    #expect(increase("10 EUR", .monthly, to: "100 EUR", .yearly) == nil)
    #expect(increase("10 EUR", .once, to: "11 EUR", .monthly) == nil)
    let dearer = increase("120 EUR", .yearly, to: "12 EUR", .monthly)
    #expect(dearer?.yearly == Some.money("12 EUR") && dearer?.percentage == Some.decimal("20.0"))
    #expect(dearer?.before == Some.money("120 EUR") && dearer?.after == Some.money("12 EUR"))
    #expect(increase("10 EUR", .monthly, to: "10 EUR", .weekly)?.yearly == Some.money("200 EUR"))
    #expect(increase("10 EUR", .weekly, to: "10 EUR", .monthly) == nil)
  }
}
