import DaybookProtocol
import Subscriptions
import Testing

@testable import SubscriptionTables

@Suite("What was and what is planned, as cells")
struct HistoryTextTests {
  @Test("Prices are a list in which all but the first have a day; a single price has no list")
  func prices() throws {
    let prices = [
      Some.price("13.99 USD"), Some.price("15.49 USD", from: "2025-07-01"), Some.price("14 EUR", from: "2026-04-01"),
    ]
    let text = "13.99 USD, 15.49 USD from 2025-07-01, 14 EUR from 2026-04-01"
    #expect(PricesText.text(prices) == text)
    #expect(try PricesText.prices(text) == prices)
    #expect(PricesText.text([prices[0]]).isEmpty)
    #expect(try PricesText.prices("  5 eur ") == [Some.price("5 EUR")])
    #expect(
      try PricesText.prices("5 EUR,6 EUR  FROM 2026-01-01").dropFirst()
        == [Some.price("6 EUR", from: "2026-01-01")])
  }

  @Test(
    "A list of prices is refused with the item that cannot be read",
    arguments: [
      ("5", "5"), ("EUR 5", "EUR 5"), ("5 EUR from 2026-01-01", "5 EUR from 2026-01-01"), ("5 EUR, 6 EUR", "6 EUR"),
      ("5 EUR, 6 EUR from 2026-02-30", "6 EUR from 2026-02-30"), ("5 EUR, 6 EUR since 2026-01-01", nil),
      ("5 EUR,", ""), (", 5 EUR", ""), ("5 EUR, 6,50 EUR from 2026-01-01", "6"), ("5 XQX", "5 XQX"),
      ("5 EUR, 6 EUR from 2026-01-01 on", nil), ("x EUR", "x EUR"), ("5 EUR; 6 EUR from 2026-01-01", nil),
      (String(repeating: "y", count: 99), String(repeating: "y", count: 60)),
    ] as [(String, String?)])
  func badPrices(_ text: String, _ item: String?) {
    let fault = #expect(throws: ListText.Fault.self) { try PricesText.prices(text) }
    if let item { #expect(fault == .item(item)) }
  }

  @Test(
    "A single share is written as people write it, and as in a list",
    arguments: [
      ("1 of 3", 1, 3), ("1/3", 1, 3), (" 2 / 4", 2, 4), ("1 OF 1", 1, 1), ("50%", 50, 100), ("2 of 1", nil, 0),
      ("1 3", nil, 0), ("/1/3", nil, 0), ("1/3/3", nil, 0), ("101%", nil, 0), ("%", nil, 0),
      ("1/3 from 2026-01-01", nil, 0),
    ] as [(String, Int?, Int)])
  func share(_ text: String, _ numerator: Int?, _ denominator: Int) {
    #expect(ShareText.share(text) == numerator.flatMap { PayerShare($0, of: denominator) })
  }

  @Test("A list has at most as many items as a subscription may have")
  func counts() throws {
    func list(_ count: Int, _ first: String, _ item: String) -> String {
      ([first] + Array(repeating: "\(item) from 2026-01-01", count: count - 1)).joined(separator: ",")
    }
    #expect(try PricesText.prices(list(1000, "5 EUR", "6 EUR")).count == 1000)
    #expect(throws: ListText.Fault.tooMany(1000)) { try PricesText.prices(list(1001, "5 EUR", "6 EUR")) }
    #expect(throws: ListText.Fault.tooMany(1000)) { try SharesText.shares(list(1001, "all", "all")) }
    let term = "once on 2026-01-01"
    #expect(try CyclesText.terms(list(1001, term, term)).count == 1001)
    #expect(throws: ListText.Fault.tooMany(1001)) { try CyclesText.terms(list(1002, term, term)) }
    #expect(throws: ListText.Fault.tooMany(10_000)) {
      try ChargesText.marks(String(repeating: "2026-01-31 skipped,", count: 10_000))
    }
  }

  @Test("Cycles are a list with anchors, in which all but the first have a first day")
  func cycles() throws {
    var subscription = Some.subscription()
    #expect(CyclesText.text(subscription).isEmpty)
    subscription.formerTerms = [
      FormerTerm(cycle: .monthly, anchor: Some.day("2025-01-31"), until: Some.day("2025-06-01")),
      FormerTerm(cycle: .every(2, .week), anchor: Some.day("2025-06-05"), until: Some.day("2025-09-01")),
      FormerTerm(cycle: .once, anchor: Some.day("2025-09-02"), until: Some.day("2026-01-01")),
    ]
    (subscription.cycle, subscription.anchor) = (.lifetime, Some.day("2026-01-02"))
    let text =
      "every month on 2025-01-31, every 2 weeks on 2025-06-05 from 2025-06-01, once on 2025-09-02 from 2025-09-01, "
      + "lifetime on 2026-01-02 from 2026-01-01"
    #expect(CyclesText.text(subscription) == text)
    var read = Some.subscription()
    RowHistory(terms: try CyclesText.terms(text)).apply(to: &read, hasStart: true)
    #expect(read == subscription)
    let terms = try CyclesText.terms("Every 1 Day on 2026-01-01")
    #expect(terms == [CycleTerm(cycle: .every(1, .day), anchor: Some.day("2026-01-01"))])
  }

  @Test(
    "Cycles that cannot be read are refused",
    arguments: [
      "monthly on 2026-01-01", "every month", "every on 2026-01-01", "every 2 on 2026-01-01",
      "every 1001 months on 2026-01-01", "every moon on 2026-01-01", "every month on soon", "twice on 2026-01-01", "",
      "every month on 2026-01-01, every year on 2026-02-01", "every month on 2026-01-01 from 2026-01-01",
    ])
  func badCycles(_ text: String) {
    #expect(throws: ListText.Fault.item(text.split(separator: ", ").last.map(String.init) ?? "")) {
      try CyclesText.terms(text)
    }
  }

  @Test("Shares are a list like prices, and the whole has a word")
  func shares() throws {
    let shares = [
      Some.share(1, of: 1), Some.share(1, of: 3, from: "2026-03-01"), Some.share(1, of: 1, from: "2026-05-01"),
    ]
    let text = "all, 1 of 3 from 2026-03-01, all from 2026-05-01"
    #expect(SharesText.text(shares) == text && SharesText.text([Some.share(1, of: 1)]).isEmpty)
    #expect(try SharesText.shares(text) == shares)
    for bad in ["1/3", "4 of 3", "1 of", "half", "1 of 3", "1 of 3 from soon", "", "0 of 3 from 2026-06-01"] {
      #expect(throws: ListText.Fault.item(bad)) { try SharesText.shares("\(text), \(bad)") }
    }
  }

  @Test("Pauses have a first day, and an end unless they are open")
  func pauses() throws {
    let pauses = [
      Pause(from: Some.day("2025-12-01"), until: Some.day("2026-01-05")), Pause(from: Some.day("2026-03-01")),
    ]
    let text = "from 2025-12-01 resumed on 2026-01-05, from 2026-03-01"
    #expect(PausesText.text(pauses) == text && PausesText.text([]).isEmpty)
    #expect(try PausesText.pauses(text) == pauses)
    for bad in ["2025-12-01", "from", "from 2025-12-01 to 2026-01-05", "from 2025-12-01 resumed on", "in winter"] {
      #expect(throws: ListText.Fault.item(bad)) { try PausesText.pauses("\(text), \(bad)") }
    }
  }

  @Test("Marks state what happened to charges and what was paid; meaningless marks are left out")
  func charges() throws {
    func mark(
      _ day: String, _ kind: ChargeMarkKind, to shifted: String? = nil, paid: String? = nil, _ amount: String? = nil
    ) -> ChargeMark {
      ChargeMark(
        occurrence: Some.day(day), kind: kind, shiftedTo: shifted.map(Some.day), paidOn: paid.map(Some.day),
        paidAmount: amount.flatMap { Decimal($0) })
    }
    let marks = [
      mark("2026-01-31", .kept, paid: "2026-01-30", "12.00"), mark("2026-02-28", .skipped),
      mark("2026-03-31", .shifted, to: "2026-04-02"),
      mark("2026-04-30", .shifted, to: "2026-05-02", paid: "2026-05-02"),
    ]
    let text =
      "2026-01-31 paid on 2026-01-30 with 12.00, 2026-02-28 skipped, 2026-03-31 moved to 2026-04-02, "
      + "2026-04-30 moved to 2026-05-02 paid on 2026-05-02"
    #expect(ChargesText.text(marks + [mark("2026-05-31", .kept)]) == text && ChargesText.text([]).isEmpty)
    #expect(try ChargesText.marks(text) == marks)
    var paid = mark("2026-01-31", .kept, paid: "2026-01-30", "12.00")
    paid.paidCurrency = "EUR"
    #expect(ChargesText.text([paid]) == "2026-01-31 paid on 2026-01-30 with 12.00 EUR")
    #expect(try ChargesText.marks(ChargesText.text([paid])) == [paid])
    for bad in [
      "2026-05-31", "2026-05-31 paid", "2026-05-31 paid on", "2026-05-31 paid on 2026-05-31 with", "skipped",
      "2026-05-31 moved to", "2026-05-31 forgotten", "2026-05-31 with 5", "2026-05-31 paid on 2026-05-31 with 5 EURO",
      "31.5.2026 skipped", "2026-05-31 skipped skipped",
    ] {
      #expect(throws: ListText.Fault.item(bad)) { try ChargesText.marks("\(text), \(bad)") }
    }
  }

  @Test("A text that is longer than any valid list is refused unread")
  func tooLong() {
    let long = String(repeating: "from 2025-12-01, ", count: 6000)
    #expect(throws: ListText.Fault.tooLong(100_000)) { try PausesText.pauses(long) }
    #expect(throws: ListText.Fault.tooLong(100_000)) { try PricesText.prices(long) }
    #expect(throws: ListText.Fault.tooLong(1_000_000)) {
      try ChargesText.marks(String(repeating: "x", count: 1_000_001))
    }
  }
}
