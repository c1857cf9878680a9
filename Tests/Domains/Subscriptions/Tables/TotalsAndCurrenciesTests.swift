import DaybookProtocol
import Subscriptions
import Tables
import Testing

@testable import SubscriptionTables

@Suite("Rows of totals, and currencies that are only numbered")
struct TotalsAndCurrenciesTests {
  @Test(
    "A row of a total is ignored, and told; a subscription called “Total” is one",
    arguments: [
      ("Name,Price,Currency\nA,5,EUR\nB,6,EUR\nTotal,11,EUR\n", [4]),
      ("Name,Price,Currency\nA,5,EUR\nB,6,EUR\nTotal,89,EUR\n", []),
      ("Name,Price,Currency\nTotal,40,EUR\nA,5,EUR\n", []), ("Name,Price,Currency\nA,5,EUR\nTotal Wine,5,EUR\n", []),
      ("Name,Price,Cycle,Next Payment\nA,5,Monthly,2026-04-01\nB,120,Yearly,2026-05-01\nSumme,15,,\n", [4]),
      ("Name,Price,Cycle,Next Payment\nA,5,Monthly,2026-04-01\nTotal,15,Monthly,2026-04-02\n", []),
    ] as [(String, [Int])])
  func totals(_ text: String, _ expected: [Int]) throws {
    let table = try Some.read(text)
    #expect(table.ignoredRows == expected.map { TableIgnoredRow(row: $0, reason: .total) })
    #expect(table.ignored == expected.count && table.refused == 0)
  }

  private func wallos(_ members: [String], beside: String = "") -> String {
    let items = members.enumerated().map { number, members in
      #"{"name":"S\#(number)","price":5,"cycle":3,"frequency":1,"next_payment":"2026-04-01"\#(members)}"#
    }
    return #"{"success":true\#(beside),"subscriptions":[\#(items.joined(separator: ","))]}"#
  }

  private func currencies(_ table: SubscriptionTable) -> [String] {
    table.rows.map { row in
      if case .draft(let draft) = row.content { "\(draft.price.currency)" } else { "!" }
    }
  }

  @Test("Wallos' currencies are those of its list, or stated, or asked for where they differ")
  func numbered() throws {
    let ids = [#","currency_id":1"#, #","currency_id":4"#]
    let unknown = try Some.read(wallos(ids))
    #expect(currencies(unknown) == ["!", "!"])
    #expect(unknown.problems.allSatisfy { $0.kind == .missingUnit && $0.field == "currencyId" && $0.column != nil })
    let list = #","currencies":[{"id":1,"code":"EUR"},{"id":4,"code":"JPY"}]"#
    #expect(currencies(try Some.read(wallos(ids, beside: list))) == ["EUR", "JPY"])
    #expect(currencies(try Some.read(wallos([#","currency_id":1,"currency":"JPY""#, ids[1]]))) == ["JPY", "!"])
    #expect(currencies(try Some.read(wallos([ids[0], ids[0]]))) == ["USD", "USD"])
    #expect(currencies(try Some.read("Name,Price,Currency Id\nA,5,1\nB,€6,4\nC,7,4\n")) == ["!", "EUR", "!"])
  }
}
