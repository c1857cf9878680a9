import DaybookProtocol
import Subscriptions
import Tables
import Testing

@testable import SubscriptionTables

@Suite("Subscriptions that become what a row says")
struct ReplacedRowTests {
  private static let ours = "Name,Amount,Currency,Every,Unit"
  private static let past = Some.day("2020-01-01")...Some.day("2026-03-09")
  private static let all = Some.day("2020-01-01")...Some.day("2028-12-31")

  @Test(
    "An ended subscription goes on from today, without charges for the time in between",
    arguments: [
      ("Name,Price,Cycle,Status\nSome,\"€9,99\",Monthly,Active\n", nil),
      ("\(ours),End\nSome,9.99,EUR,1,month,\n", nil), ("\(ours),End\nSome,9.99,EUR,1,month,2027-01-01\n", "2027-01-01"),
    ] as [(String, String?)], ["2025-07-01", "2025-01-31", "2026-03-09", "2026-03-10"])
  func over(_ text: (String, String?), _ end: String) throws {
    var subscription = Some.subscription()
    subscription.start = Some.day("2025-01-31")
    subscription.end = Some.day(end)
    let row = try Some.row(Some.read(text.0))
    #expect(row.differences(from: subscription, today: Some.today) == ["end"])
    let applied = row.applied(to: subscription, today: Some.today)
    #expect(applied.charges(in: ReplacedRowTests.past) == subscription.charges(in: ReplacedRowTests.past))
    #expect(applied.status(on: Some.today) == .active && applied.end == text.1.map(Some.day))
    #expect(applied.nextCharge(today: Some.today)?.day == Some.day("2026-03-31"))
    #expect(SubscriptionRules.refusals(of: applied).isEmpty)
    #expect(row.differences(from: applied, today: Some.today) == [])
  }

  @Test("Another share holds from today on, and from the start where nothing has begun")
  func share() throws {
    let row = try Some.row(Some.read("\(ReplacedRowTests.ours),Share\nSome,9.99,EUR,1,month,1 of 3\n"))
    let (half, third) = (PayerShare(1, of: 2) ?? .whole, PayerShare(1, of: 3) ?? .whole)
    let june = Some.day("2026-06-01")
    let subscription = Some.subscription().changingShare(to: half, from: june)
    #expect(row.differences(from: subscription, today: Some.today) == ["shares"])
    let applied = row.applied(to: subscription, today: Some.today)
    #expect(applied.charges(in: ReplacedRowTests.past) == subscription.charges(in: ReplacedRowTests.past))
    #expect(
      applied.shares == [
        SubscriptionShare(.whole), SubscriptionShare(third, from: Some.today), SubscriptionShare(half, from: june),
      ])
    #expect(row.differences(from: applied, today: Some.today) == [])
    var later = Some.subscription()
    later.start = Some.day("2026-03-31")
    #expect(row.applied(to: later, today: Some.today).shares == [SubscriptionShare(third)])
  }

  @Test("A row that cancels keeps charges paid in advance")
  func paidAhead() throws {
    let row = try Some.row(Some.read("Name,Price,Cycle,Status\nSome,\"€9,99\",Monthly,Cancelled\n"))
    let day = Some.day("2026-03-31")
    let paid = Some.subscription().marking(ChargeMark(occurrence: day, kind: .kept, paidOn: Some.today))
    #expect(row.applied(to: paid, today: Some.today).end == Some.day("2026-04-01"))
    #expect(row.applied(to: Some.subscription(), today: Some.today).end == Some.today)
  }

  @Test("An end before the start, in the future, is withdrawn as if it had never been")
  func overBeforeItBegins() throws {
    var subscription = Some.subscription()
    (subscription.anchor, subscription.start) = (Some.day("2026-04-30"), Some.day("2026-04-30"))
    subscription.end = subscription.start
    let row = try Some.row(Some.read("Name,Price,Cycle,Status\nSome,\"€9,99\",Monthly,Active\n"))
    let applied = row.applied(to: subscription, today: Some.today)
    #expect(applied.end == nil && applied.pauses == nil)
    #expect(row.differences(from: applied, today: Some.today) == [])
  }

  @Test(
    "The last day of a short month matches a month-end anchor, which stays", arguments: ["2026-02-28", "2026-03-31"])
  func monthEnd(_ anchor: String) throws {
    for text in [
      "\(ReplacedRowTests.ours),Anchor,Notes\nSome,9.99,EUR,1,month,\(anchor),new\n",
      "Name,Price,Cycle,Next Payment,Notes\nSome,\"€9,99\",Monthly,\(anchor),new\n",
    ] {
      for start in ["2026-01-31", "2026-06-30"] {
        var subscription = Some.subscription()
        subscription.start = Some.day(start)
        let row = try Some.row(Some.read(text))
        #expect(row.differences(from: subscription, today: Some.today) == ["note"])
        let applied = row.applied(to: subscription, today: Some.today)
        #expect(applied.charges(in: ReplacedRowTests.all) == subscription.charges(in: ReplacedRowTests.all))
        #expect(applied.formerTerms == nil)
      }
    }
  }

  @Test("Another anchor holds from today on, even where the old one is in its schedule")
  func longerMonth() throws {
    var subscription = Some.subscription()
    (subscription.anchor, subscription.start) = (Some.day("2026-02-28"), Some.day("2026-01-28"))
    let row = try Some.row(Some.read("\(ReplacedRowTests.ours),Anchor\nSome,9.99,EUR,1,month,2026-03-31\n"))
    #expect(row.differences(from: subscription, today: Some.today) == ["anchor"])
    let applied = row.applied(to: subscription, today: Some.today)
    #expect(applied.charges(in: ReplacedRowTests.past) == subscription.charges(in: ReplacedRowTests.past))
    #expect(applied.nextCharge(today: Some.today)?.day == Some.day("2026-03-31"))
    #expect(row.differences(from: applied, today: Some.today) == [])
  }

  @Test("With another cycle, the next charge is a day of the new one")
  func nextOfOtherCycle() throws {
    let subscription = Some.subscription()
    let row = try Some.row(Some.read("Name,Price,Cycle,Next Payment\nSome,\"€9,99\",Yearly,2026-05-31\n"))
    #expect(row.differences(from: subscription, today: Some.today) == ["cycle", "anchor"])
    let applied = row.applied(to: subscription, today: Some.today)
    #expect(applied.nextCharge(today: Some.today)?.day == Some.day("2026-05-31"))
    #expect(row.differences(from: applied, today: Some.today) == [])
  }

  @Test("A planned change of cycle is no difference, stays, and yields to another cycle of the row")
  func planned() throws {
    let subscription = Some.subscription()
      .changingCycle(to: .yearly, anchor: Some.day("2026-06-01"), from: Some.day("2026-06-01"))
    let same = try Some.row(
      Some.read("\(ReplacedRowTests.ours),Anchor,Notes\nSome,9.99,EUR,1,month,2026-01-31,new\n"))
    #expect(Some.isTaken(same, for: subscription))
    #expect(same.differences(from: subscription, today: Some.today) == ["note"])
    let applied = same.applied(to: subscription, today: Some.today)
    #expect(applied.formerTerms == subscription.formerTerms && applied.cycle == .yearly)
    let weekly = try Some.row(Some.read("\(ReplacedRowTests.ours)\nSome,9.99,EUR,1,week\n"))
    #expect(weekly.differences(from: subscription, today: Some.today) == ["cycle"])
    let changed = weekly.applied(to: subscription, today: Some.today)
    #expect(changed.term(on: Some.today).cycle == .weekly && changed.cycle == .weekly)
    #expect(changed.charges(in: ReplacedRowTests.past) == subscription.charges(in: ReplacedRowTests.past))
    #expect(weekly.differences(from: changed, today: Some.today) == [])
  }
}
