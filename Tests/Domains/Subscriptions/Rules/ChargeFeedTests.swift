import Calendars
import DaybookProtocol
import Testing

@testable import Subscriptions

struct ChargeFeedTests {
  private let days = Some.day("2026-03-01")...Some.day("2026-04-30")

  private func feed(_ subscriptions: [Subscription]) -> CalendarFeed {
    ChargeFeed.feed(of: subscriptions, in: days, stamp: Instant(milliseconds: 0))
  }

  @Test("Every charge is an event on its day")
  func events() {
    let subscription = Some.subscription("15.49 USD", .monthly, "2026-01-31", name: "Netflix").with {
      $0.shareList = [SubscriptionShare(PayerShare(1, of: 2) ?? .whole)]
      $0.tags = ["fun"]
    }
    let events = feed([subscription]).events
    #expect(events.map(\.day) == [Some.day("2026-03-31"), Some.day("2026-04-30")])
    #expect(events.map(\.summary) == ["Netflix — $15.49", "Netflix — $15.49"])
    #expect(events[0].details == "Your part: $7.75")
    #expect(events[0].uid == "\(Some.id(1))-20260331@daybook")
    #expect(events[0].categories == ["other", "fun"])
  }

  @Test("A shifted or paid charge keeps its identity in every feed")
  func stable() {
    let subscription = Some.subscription("10 EUR", .monthly, "2026-01-15")
    let day = Some.day("2026-03-15")
    let shifted = subscription.marking(
      ChargeMark(
        occurrence: day, kind: .shifted, shiftedTo: Some.day("2026-03-20"), paidOn: day))
    #expect(feed([shifted]).events.map(\.uid) == feed([subscription]).events.map(\.uid))
    #expect(feed([shifted]).events[0].day == Some.day("2026-03-20"))
    #expect(feed([shifted]).events[0].details == "Shifted from 2026-03-15\nPaid")
    #expect(feed([shifted]).bytes == feed([shifted]).bytes)
  }

  @Test("Unpaid charges have alarms at the reminder days and time; past or paid ones have none")
  func alarms() throws {
    let subscription = Some.subscription("10 EUR", .monthly, "2026-03-15").with { $0.reminderDays = [0, 2] }
    let alarms = ChargeFeed.Alarms(
      today: Some.day("2026-04-01"), leadDays: [1], time: try #require(WallTime(hour: 9, minute: 30)))
    let feed = ChargeFeed.feed(
      of: [subscription], in: Some.day("2026-03-01")...Some.day("2026-04-30"), stamp: Instant(milliseconds: 0),
      alarms: alarms)
    #expect(feed.events.map(\.alarms) == [[], [570 - 2880, 570]])
    let text = String(decoding: feed.bytes, as: UTF8.self)
    #expect(text.contains("TRIGGER:-PT2310M\r\n") && text.contains("TRIGGER:PT570M\r\n"))
  }

  @Test("Identities are unique")
  func unique() {
    let feed = ChargeFeed.feed(
      of: Some.samples(), in: Some.day("2026-01-01")...Some.day("2030-01-01"), stamp: Instant(milliseconds: 0))
    #expect(Set(feed.events.map(\.uid)).count == feed.events.count)
  }
}
