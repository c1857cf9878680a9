import DaybookProtocol
import Subscriptions
import Tables
import Testing

@testable import SubscriptionTables

@Suite("Our own table of subscriptions")
struct RoundTripTests {
  private func export(_ subscriptions: [Subscription], hasMark: Bool = false) -> [UInt8] {
    var export = TableExport.subscriptions(today: Some.today, hasMark: hasMark)
    for subscription in subscriptions { export.append(subscription) }
    return export.take()
  }

  private func read(_ bytes: [UInt8]) throws -> SubscriptionTable {
    try SubscriptionTable.read(bytes, SubscriptionTableOptions(today: Some.today))
  }

  @Test("An exported table is read back unchanged", arguments: 0..<60)
  func random(_ seed: Int) throws {
    var maker = SubscriptionMaker(seed: seed)
    let subscriptions = (0..<25).map { maker.subscription($0) }
    let bytes = export(subscriptions, hasMark: seed % 2 == 0)
    let table = try read(bytes)
    var made: [Subscription] = []
    #expect(table.known.format == .daybook && table.refused == 0, "\(table.problems.first.debugDescription)")
    #expect(table.rows.count == subscriptions.count)
    for (index, subscription) in subscriptions.enumerated() {
      let row = try Some.row(table, index)
      #expect(table.rows[index].id == subscription.id)
      made.append(row.made(id: subscription.id))
      #expect(made[index] == subscription)
      #expect(row.differences(from: subscription, today: Some.today) == [])
      #expect(row.applied(to: subscription, today: Some.today) == subscription)
      // A stored subscription becomes the same.
      let other = subscriptions[(index + 1) % subscriptions.count]
      let replaced = row.applied(to: other, today: Some.today)
      #expect(row.differences(from: replaced, today: Some.today) == [])
    }
    #expect(export(made, hasMark: seed % 2 == 0) == bytes)
  }

  @Test("A currency that is no longer listed is accepted only for the subscription that has it")
  func unlisted() throws {
    let there = Some.subscription("Some", "5 XQX").changingPrice(to: Some.money("6 XQX"), from: Some.day("2026-03-01"))
    for subscription in [Some.subscription("Some", "5 XQX"), there] {
      let bytes = export([subscription])
      var options = SubscriptionTableOptions(today: Some.today)
      options.unlisted = [Some.id(1): [Price(Some.price("5 XQX")).currency]]
      let table = try SubscriptionTable.read(bytes, options)
      #expect(try Some.row(table).made(id: Some.id(1)) == subscription)
      #expect(try Some.row(table).differences(from: subscription, today: Some.today) == [])
      for (id, code) in [(1, "XQY"), (2, "XQX")] {
        options.unlisted = [Some.id(id): [Price(Some.price("5 \(code)")).currency]]
        let problems = try SubscriptionTable.read(bytes, options).problems
        #expect(problems.first?.field == "currency" && problems.first?.kind == .unknownValue)
      }
    }
  }

  @Test(
    "Without the columns of what was and is planned a row has what it is today, and the rest stays", arguments: 0..<30)
  func withoutHistory(_ seed: Int) throws {
    var maker = SubscriptionMaker(seed: seed)
    let subscriptions = (0..<25).map { maker.subscription($0) }
    let rows = try TableReader.rows(export(subscriptions))
    let lists: Set = ["Prices", "Cycles", "Pauses", "Charges", "Shares"]
    for empties in [false, true] {
      var writer = TableWriter()
      for (place, row) in rows.enumerated() {
        for (cell, header) in zip(row, rows[0]) {
          if !lists.contains(header) { writer.plain(cell) } else if empties { writer.plain(place == 0 ? header : "") }
        }
        writer.endRow()
      }
      let table = try read(writer.take())
      for (index, subscription) in subscriptions.enumerated() {
        let row = try Some.row(table, index)
        #expect(row.made(id: subscription.id) == subscription.carried(today: Some.today))
        #expect(row.differences(from: subscription, today: Some.today) == [])
        #expect(row.applied(to: subscription, today: Some.today) == subscription)
      }
    }
  }

  @Test(
    "Commas, quotes, line breaks, emoji and formulas survive in every text",
    arguments: [
      "a,b", "a\"b\"", "\"", "a\nb", "a\r\nb", "🎬🇳🇴", "=1+1", "+1", "-1", "@x", "\tx", "\rx", "'=1", "''@", "'quoted'",
      " spaces ", ";", "\\;", "a; b", "sep=;",
    ])
  func texts(_ text: String) throws {
    var subscription = Some.subscription(text)
    subscription.paymentMethod = text
    subscription.note = text
    subscription.tags = [text, "other"]
    let bytes = export([subscription])
    #expect(try Some.row(read(bytes)).made(id: subscription.id) == subscription)
    // No cell that a spreadsheet would evaluate.
    for cell in try TableReader.rows(bytes)[1] {
      #expect(cell.first.map { !"=+-@\t\r".contains($0) } ?? true, "\(cell)")
    }
  }

  @Test("The table is RFC 4180 with ISO days, the name first")
  func form() {
    var subscription = Some.subscription("Film, \"best\"")
      .changingPrice(to: Some.money("12.50 EUR"), from: Some.day("2026-02-01"))
      .pausing(from: Some.day("2026-05-01"), until: Some.day("2026-06-01"))
    subscription.marks = [ChargeMark(occurrence: Some.day("2026-02-28"), kind: .skipped)]
    subscription.shares = [Some.share(1, of: 1), Some.share(1, of: 2, from: "2026-02-10")]
    subscription.contract = Contract(
      end: Some.day("2026-12-31"), notice: CalendarSpan(3, .month), renewal: CalendarSpan(1, .year))
    subscription.reminderDays = [1, 3]
    subscription.tags = ["tv", "home; work"]
    #expect(
      String(decoding: export([subscription]), as: UTF8.self)
        == """
        Name,Amount,Currency,Every,Unit,Next Charge,Category,Status,Active,Monthly,Start,Anchor,Trial End,End,Contract End,Notice,\
        Renewal,Share,Payment Method,Tags,Notes,URL,Usage,Reminder Days,Id,Prices,Cycles,Pauses,Charges,Shares,Rule,\
        Own Category,Paid By,Household,Cancel By,Replaced By\r
        "Film, ""best\""",12.50,EUR,1,month,2026-03-31,other,active,true,6.25,2026-01-31,2026-01-31,,,2026-12-31,3 months,\
        1 year,1 of 2,,tv; home\\; work,,,,1; 3,00000000-0000-4000-8000-000000000001,"9.99 EUR, 12.50 EUR \
        from 2026-02-01",,from 2026-05-01 resumed on 2026-06-01,2026-02-28 skipped,"all, \
        1 of 2 from 2026-02-10",,,,,,\r

        """)
  }

  @Test("With a planned change, the row has today's cycle, price and next charge")
  func plannedCycle() throws {
    let day = Some.day("2026-03-20")
    let subscription = Some.subscription().changingCycle(to: .yearly, anchor: day, from: day)
      .changingPrice(to: Some.money("99 EUR"), from: day)
    let bytes = export([subscription])
    let cells = try TableReader.rows(bytes)[1]
    #expect(Array(cells[1...5]) == ["9.99", "EUR", "1", "month", "2026-03-31"] && cells[11] == "2026-01-31")
    #expect(cells[25] == "9.99 EUR, 99 EUR from 2026-03-20")
    #expect(cells[26] == "every month on 2026-01-31, every year on 2026-03-20 from 2026-03-20")
    #expect(try Some.row(read(bytes)).made(id: subscription.id) == subscription)
  }

  @Test("Where a cycle that is charged once was planned away before it is charged, the row tells what comes")
  func plannedAway() throws {
    var subscription = Some.subscription()
    (subscription.start, subscription.trialEnd) = (Some.day("2026-03-01"), Some.day("2026-04-01"))
    (subscription.anchor, subscription.cycle) = (Some.day("2026-05-01"), .yearly)
    subscription.formerTerms = [
      FormerTerm(cycle: .once, anchor: Some.day("2026-03-05"), until: Some.day("2026-04-15"))
    ]
    #expect(SubscriptionRules.refusals(of: subscription).isEmpty)
    let table = try read(export([subscription]))
    let row = try Some.row(table)
    #expect(row.subscription.cycle == .yearly && row.differences(from: subscription, today: Some.today) == [])
    #expect(row.applied(to: subscription, today: Some.today) == subscription)
  }

  @Test("Without an id, rows of one name, currency and cycle may be versions of one subscription")
  func keys() throws {
    let head = "Name,Amount,Currency,Every,Unit\n"
    let first = try Some.read(head + "A,1,EUR,1,month\nB,2,EUR,1,month\nA,3,EUR,1,month\n")
    let second = try Some.read(head + "a ,9,EUR,1,month\nA,4,EUR,1,month\nA,5,USD,1,month\n")
    let keys = first.rows.map(\.identity?.key), others = second.rows.map(\.identity?.key)
    #expect(Set(keys).count == 2 && keys[0] == others[0] && keys[2] == others[1] && !keys.contains(others[2]))
    #expect(first.rows.allSatisfy { $0.id == nil && $0.identity != nil })
    #expect(first.rows[0].identity != first.rows[2].identity)
  }

  @Test("A repeated id is refused the second time")
  func repeated() throws {
    let row = "A,1,EUR,1,month,11111111-1111-4111-8111-111111111111\n"
    let table = try Some.read("Name,Amount,Currency,Every,Unit,Id\n\(row)\(row)")
    #expect(table.problems.map(\.kind) == [.repeatedId] && table.problems.first?.row == 3)
  }

  @Test("Members without a column stay; another price holds from the day on")
  func applied() throws {
    var subscription = Some.subscription()
    subscription.note = "mine"
    subscription.marks = [ChargeMark(occurrence: Some.day("2026-02-28"), kind: .skipped)]
    let row = try Some.row(
      Some.read("Name,Amount,Currency,Every,Unit,Category,Usage\nSome,12,EUR,1,month,news,high\n"))
    #expect(row.differences(from: subscription, today: Some.today) == ["category", "prices", "usage"])
    let applied = row.applied(to: subscription, today: Some.today)
    #expect(applied.note == "mine" && applied.marks == subscription.marks && applied.usage == .high)
    #expect(Money(applied.price(on: Some.day("2026-03-09"))) == Some.money("9.99 EUR"))
    #expect(Money(applied.price(on: Some.today)) == Some.money("12 EUR"))
    #expect(row.differences(from: applied, today: Some.today) == [])
  }

  @Test("Another cycle holds from the day on, and an empty cell removes a value")
  func cycleAndEmpty() throws {
    var subscription = Some.subscription()
    subscription.note = "mine"
    let row = try Some.row(
      Some.read(
        "Name,Amount,Currency,Every,Unit,Anchor,Notes\nSome,9.99,EUR,1,year,2026-05-01,\n"))
    #expect(row.differences(from: subscription, today: Some.today) == ["cycle", "anchor", "note"])
    let applied = row.applied(to: subscription, today: Some.today)
    #expect(applied.cycle == .yearly && applied.note == nil)
    #expect(
      applied.formerTerms == [FormerTerm(cycle: .monthly, anchor: Some.day("2026-01-31"), until: Some.today)])
    #expect(row.differences(from: applied, today: Some.today) == [])
  }
}
