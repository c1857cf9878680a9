import DaybookProtocol
import Subscriptions
import Tables
import Testing

@testable import SubscriptionTables

@Suite("The day that a row was written on")
struct WrittenDayTests {
  private static let head = "Name,Amount,Currency,Every,Unit,Next Charge,Start,Anchor,Share,Prices,Shares,Charges\n"
  private static let days = "2026-01-15,2026-01-15"

  @Test("A table written on any day and read on any day has no refused row", arguments: 0..<20)
  func anyDay(_ seed: Int) throws {
    var maker = SubscriptionMaker(seed: seed)
    let subscriptions = (0..<25).map { maker.subscription($0) }
    for day in [17_900, 19_000, 20_000, 20_500, 21_000, 22_500].map({ CivilDay(daysSinceEpoch: $0) }) {
      var export = TableExport.subscriptions(today: day)
      for subscription in subscriptions { export.append(subscription) }
      let bytes = export.take()
      for today in [day.advanced(by: 200), Some.today] {
        let table = try SubscriptionTable.read(bytes, SubscriptionTableOptions(today: today))
        #expect(table.refused == 0, "\(day) \(today) \(table.problems.first.debugDescription)")
      }
    }
  }

  @Test(
    "A price or share that its history has only on other days is refused",
    arguments: [
      // Written between the charges of 15 March and 15 April, when the price was 9 and the share a third.
      ("5,EUR,1,month,2026-04-15,\(days),1/3", "amount"), ("12,EUR,1,month,2026-04-15,\(days),1/3", "amount"),
      ("9,EUR,1,month,2026-04-15,\(days),", "share"), ("5,EUR,1,month,2026-04-15,\(days),", "amount"),
      // Nothing states the day, but the two never held together.
      ("5,EUR,1,month,,\(days),1/3", "amount"), ("12,EUR,1,month,,\(days),", "share"),
    ])
  func refused(_ row: String, _ field: String) throws {
    for today in ["2026-01-01", "2026-03-20", "2027-01-01"] {
      let problems = try WrittenDayTests.read(row, "", today).problems
      #expect(problems.map(\.field) == [field] && problems.map(\.kind) == [.contradiction], "\(problems)")
      let noun = field == "amount" ? "price" : "share"
      #expect(problems.first?.reason == "it is the \(noun) of other days than the row's")
    }
  }

  @Test(
    "Values that may have held together on some day are accepted, and the history wins",
    arguments: [
      ("9,EUR,1,month,2026-04-15,\(days),1/3", ""), ("5,EUR,1,month,2026-02-15,\(days),", ""),
      ("12,EUR,1,month,2026-05-15,\(days),1/3", ""),
      // On 14 February with both later charges already paid; on a day without a charge, so that more was edited.
      ("5,EUR,1,month,2026-04-15,\(days),", "2026-02-15 paid on 2026-02-01, 2026-03-15 skipped"),
      ("5,EUR,1,month,2026-04-16,\(days),", ""), ("5,EUR,1,month,,\(days),", ""),
    ])
  func taken(_ row: String, _ marks: String) throws {
    let table = try WrittenDayTests.read(row, marks, "2026-03-20")
    let read = try Some.row(table)
    #expect(Money(read.price) == Some.money("9 EUR") && read.share == PayerShare(1, of: 3))
    #expect(read.subscription.prices.count == 3 && read.subscription.shares?.count == 2)
  }

  private static func read(_ row: String, _ marks: String, _ today: String) throws -> SubscriptionTable {
    let lists =
      "\"5 EUR, 9 EUR from 2026-03-01, 12 EUR from 2026-05-01\",\"all, 1 of 3 from 2026-03-01\",\"\(marks)\"\n"
    return try Some.read("\(head)A,\(row),\(lists)") { $0.today = Some.day(today) }
  }
}
