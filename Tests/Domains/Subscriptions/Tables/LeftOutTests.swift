import DaybookProtocol
import Subscriptions
import Tables
import Testing

@testable import SubscriptionTables

/// Tables that leave out columns.
@Suite("What tables of subscriptions do not say")
struct LeftOutTests {
  @Test(
    "The stated next charge is the next one: none is invented before it",
    arguments: [
      ("2026-03-20,monthly", "2026-03-10", nil), ("2026-04-10,monthly", "2026-03-10", "2026-03-10"),
      ("2026-12-01,monthly", "2026-11-02", nil), ("2026-03-25,weekly", "2026-03-19", nil),
      ("2026-03-10,monthly", "2026-03-10", nil), ("2026-02-20,monthly", "2026-02-20", nil),
      ("2026-05-01,once", "2026-03-10", nil),
    ])
  func nextCharge(_ row: String, _ start: String, _ skipped: String?) throws {
    let table = try Some.read("Name,Price,Next Payment,Cycle\nA,5,\(row)\n")
    let subscription = try Some.row(table).subscription
    #expect(subscription.start == Some.day(start))
    #expect(subscription.marks == skipped.map { [ChargeMark(occurrence: Some.day($0), kind: .skipped)] })
    let named = try #require(CivilDay(String(row.prefix(10))))
    if named >= Some.today { #expect(subscription.nextCharge(today: Some.today)?.day == named) }
  }

  @Test(
    "A subscription starts before its trial or itself ends, whatever the next charge",
    arguments: [
      ("End Date", "2026-08-01", "2026-03-10"), ("End Date", "2027-08-01", "2026-11-02"),
      ("Trial End", "2026-04-01", "2026-03-10"), ("Trial End", "2026-12-01", "2026-11-02"),
    ])
  func endsBefore(_ header: String, _ day: String, _ start: String) throws {
    let table = try Some.read("Name,Price,Next Payment,Cycle,\(header)\nA,5,2026-12-01,monthly,\(day)\n")
    #expect(try Some.row(table).subscription.start == Some.day(start))
  }

  @Test(
    "A partial table of our own is not read as another format, and the refusal names what is missing",
    arguments: [
      ("Name,Amount,Every,Unit,Anchor", ["currency"]),
      ("Name,Price,Currency,Reminder Days", ["amount", "every", "unit"]),
    ])
  func leftOfOurs(_ header: String, _ missing: [String]) throws {
    do throws(TableRefusal) {
      _ = try SubscriptionTable.read(
        Array("\(header)\nA,1,2,3,4\n".utf8), SubscriptionTableOptions(today: Some.today))
      Issue.record("it was read")
    } catch {
      guard case .unrecognized(_, let found) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(found == missing)
    }
  }
}
