import DaybookProtocol
import Subscriptions
import Tables
import Testing

@testable import SubscriptionTables

@Suite("Rows with what was and what is planned")
struct HistoryCellTests {
  private static let head =
    "Name,Amount,Currency,Every,Unit,Start,Anchor,Prices,Cycles,Pauses,Charges,Status,Share,Shares\n"
  private static let row = "Some,9.99,EUR,1,month,2026-01-31,2026-01-31"

  private static func row(_ cells: String) throws -> SubscriptionDraft {
    try Some.row(Some.read("\(head)\(row),\(cells),,\n"))
  }

  @Test(
    "A list that cannot be read, or breaks a rule, refuses the row and names its column",
    arguments: [
      ("9.99,,,,", "prices", .malformed), ("\"9.99 EUR, 12\",,,,", "prices", .malformed),
      ("\"9.99 EUR, 0 EUR from 2026-02-01\",,,,", "prices", .outOfRange),
      ("\"9.99 EUR, 1.00001 EUR from 2026-02-01\",,,,", "prices", .tooPrecise),
      ("\"-1 EUR, 9.99 EUR from 2026-02-01\",,,,", "prices", .outOfRange),
      ("\"9.99 EUR, 8 EUR from 2026-03-01, 7 EUR from 2026-02-01\",,,,", "prices", .contradiction),
      ("\"9.99 EUR, 8 EUR from 1899-12-31\",,,,", "prices", .outOfRange),
      (",monthly,,,", "cycles", .malformed),
      (",\"every 0 months on 2026-01-31, every month on 2026-01-31 from 2026-03-01\",,,", "cycles", .outOfRange),
      (",\"every month on 2026-01-31, every year on 2026-01-01 from 2026-01-31\",,,", "cycles", .contradiction),
      (",\"every month on 2026-01-31, once on 2026-01-31 from 2026-03-01\",,,", "cycles", .contradiction),
      (",,2026-02-01,,", "pauses", .malformed), (",,from 2026-02-01 resumed on 2026-02-01,,", "pauses", .contradiction),
      (",,\"from 2026-02-01, from 2026-03-01\",,", "pauses", .missing),
      (",,,2026-02-28,", "charges", .malformed),
      (",,,2026-02-28 skipped paid on 2026-02-28,", "charges", .contradiction),
      (",,,2026-02-28 moved to 2026-04-01,", "charges", .outOfRange),
      (",,,\"2026-02-28 skipped, 2026-02-28 skipped\",", "charges", .repeated),
      (",,,,,,1/3", "shares", .malformed),
      (",,,,,,\"all, 1 of 3 from 2200-12-31, all from 2026-01-01\"", "shares", .contradiction),
      (",,,2026-02-28 paid on 2026-02-28 with -1,", "charges", .outOfRange),
      (",,\"\(String(repeating: "from 2026-02-01,", count: 6500))\",,", "pauses", .tooLong),
    ] as [(String, String, TableProblemKind)])
  func refused(_ cells: String, _ field: String, _ code: TableProblemKind) throws {
    let good = "\(HistoryCellTests.row),,,,,,,\n"
    let table = try Some.read(
      "\(HistoryCellTests.head)\(good)\(HistoryCellTests.row),\(cells)\(cells.hasSuffix(",") ? ",," : "")\n\(good)")
    let problem = try #require(table.problems.first)
    #expect(problem.kind == code && problem.field == field && problem.row == 3, "\(problem)")
    #expect(problem.header?.lowercased() == field && problem.column != nil && problem.allowed != nil)
    #expect(table.refused == 1 && table.rows.count == 3)
  }

  @Test(
    "A value that contradicts its list is refused, as it is unclear which of the two was edited",
    arguments: [
      ("A,8,EUR,1,month,2026-01-31,2026-01-31", "amount"), ("A,9.99,USD,1,month,2026-01-31,2026-01-31", "amount"),
      ("A,9.99,EUR,2,month,2026-01-31,2026-01-31", "unit"), ("A,9.99,EUR,1,month,2026-01-31,2026-01-15", "anchor"),
      ("A,9.99,EUR,1,month,2026-01-31,2026-05-01", "anchor"),
      ("A,9.99,EUR,1,month,2026-01-31,2026-01-31", "share"),
    ])
  func contradiction(_ row: String, _ field: String) throws {
    let share = field == "share" ? "1 of 2" : "1 of 3"
    let lists =
      "\"9.99 EUR, 12 EUR from 2026-04-01\",\"every month on 2026-01-31, every year on 2026-05-01 from 2026-05-01\",,,"
      + ",\(share),\"all, 1 of 3 from 2026-04-01\""
    let problems = try Some.read("\(HistoryCellTests.head)\(row),\(lists)\n").problems
    #expect(problems.map(\.kind) == [.contradiction] && problems.map(\.field) == [field])
  }

  @Test("A table means the same on a later day, when its planned changes have taken effect")
  func later() throws {
    let text =
      "\(HistoryCellTests.head)\(HistoryCellTests.row),\"9.99 EUR, 12 EUR from 2026-04-01\","
      + "\"every month on 2026-01-31, every year on 2026-05-01 from 2026-05-01\","
      + "\"from 2026-02-01 resumed on 2026-03-20\",2026-03-31 skipped,paused,1 of 3,\"1 of 3, all from 2026-04-01\"\n"
    let now = try Some.row(Some.read(text)).made(id: Some.id(1))
    for day in ["2026-04-10", "2026-06-01"].map(Some.day) {
      let row = try Some.row(Some.read(text) { $0.today = day })
      #expect(row.made(id: Some.id(1)) == now)
      #expect(row.differences(from: now, today: day) == [] && row.applied(to: now, today: day) == now)
      let target = SubscriptionTarget(today: day)
      #expect(target.likeness(of: row) == target.likeness(of: now))
    }
  }

  @Test("A list states today's price and share, with or without a cell of its own for them")
  func today() throws {
    let lists = "\"5 EUR, 9.99 EUR from 2026-03-01, 12 EUR from 2026-04-01\",\"all, 1 of 3 from 2026-03-01\"\n"
    let tables = [
      "Name,Amount,Currency,Every,Unit,Prices,Shares\nSome,9.99,EUR,1,month,\(lists)",
      "Name,Amount,Currency,Every,Unit,Share,Prices,Shares\nSome,9.99,EUR,1,month,1/3,\(lists)",
    ]
    for (day, price, share) in [
      ("2026-02-28", "5 EUR", PayerShare.whole), ("2026-03-10", "9.99 EUR", PayerShare(1, of: 3)),
      ("2026-04-01", "12 EUR", PayerShare(1, of: 3)),
    ] {
      for table in tables {
        let row = try Some.row(Some.read(table) { $0.today = Some.day(day) })
        #expect(Money(row.price) == Some.money(price) && row.share == share)
      }
    }
  }

  @Test("A list replaces the stored one; an empty one keeps it")
  func replaced() throws {
    let there = Some.subscription("Some", "5 EUR")
      .changingPrice(to: Some.money("9.99 EUR"), from: Some.day("2026-02-01"))
      .pausing(from: Some.day("2026-04-01"), until: Some.day("2026-04-10"))
      .marking(ChargeMark(occurrence: Some.day("2026-02-28"), kind: .skipped))
    let empty = try HistoryCellTests.row(",,,,active")
    #expect(empty.differences(from: there, today: Some.today) == [])
    #expect(empty.applied(to: there, today: Some.today) == there)
    let row = try HistoryCellTests.row(
      "\"4 EUR, 9.99 EUR from 2026-02-01\",\"every year on 2025-01-01, every month on 2026-01-31 from 2026-02-01\","
        + "from 2026-03-01,2026-01-31 paid on 2026-01-30,active")
    let names = ["prices", "formerTerms", "pauses", "marks"]
    #expect(row.differences(from: there, today: Some.today) == names)
    let applied = row.applied(to: there, today: Some.today)
    #expect(applied == row.made(id: there.id) && row.differences(from: applied, today: Some.today) == [])
  }

  @Test("A paused row pauses after the charges paid in advance, and then nothing differs")
  func paused() throws {
    let paid = ChargeMark(
      occurrence: Some.day("2026-03-31"), kind: .kept, paidOn: Some.day("2026-02-01"))
    let there = Some.subscription("Some", "9.99 EUR").marking(paid)
    let row = try HistoryCellTests.row(",,,,paused")
    #expect(row.differences(from: there, today: Some.today) == ["pauses"])
    let applied = row.applied(to: there, today: Some.today)
    #expect(applied.pauses == [Pause(from: Some.day("2026-04-01"))])
    #expect(row.differences(from: applied, today: Some.today) == [])
    #expect(row.applied(to: applied, today: Some.today) == applied)
    #expect(row.differences(from: applied.unmarked, today: Some.today) == ["pauses"])
    #expect(row.applied(to: there.unmarked, today: Some.today).pauses == [Pause(from: Some.today)])
  }

  @Test("Without a start, a subscription starts on the first known day")
  func start() throws {
    let text =
      "Name,Amount,Currency,Every,Unit,Cycles\nSome,9.99,EUR,1,year,"
      + "\"every month on 2024-01-31, every year on 2026-05-01 from 2026-02-01\"\n"
    #expect(try Some.row(Some.read(text)).subscription.start == Some.day("2024-01-31"))
  }
}
