import DaybookProtocol
import FileStoreTesting
import Subscriptions
import Tables
import Testing

@testable import SubscriptionTables

@Suite("Layouts of tables of subscriptions")
struct LayoutTests {
  private static let subsum =
    "Name,Amount,Currency,Frequency,Next Charge,Category\n\"Télé\",15.49,USD,Monthly,Feb 12, 2026,Streaming\n"
  private static let repaired = ["Télé|15.49 USD|1 month|2026-02-12|streaming|active"]

  private static func read(_ bytes: [UInt8], _ encoding: TableEncoding? = nil) throws -> SubscriptionTable {
    var options = SubscriptionTableOptions(today: Some.today)
    options.currency = .usd
    options.scan.encoding = encoding
    return try SubscriptionTable.read(bytes, options)
  }

  private static func wide(_ text: String) -> [UInt8] { text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } }

  private static func latin(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  }

  @Test("Headers, Subsum's rows and lists of objects are read in every encoding")
  func encodings() throws {
    for bytes in [Array(LayoutTests.subsum.utf8), LayoutTests.wide(LayoutTests.subsum)] {
      #expect(Some.contents(try LayoutTests.read(bytes)) == LayoutTests.repaired)
    }
    #expect(
      Some.contents(try LayoutTests.read(LayoutTests.latin(LayoutTests.subsum), .windows1252)) == LayoutTests.repaired)
    let german = "Bezeichnung;Betrag;Währung\nTélé;5;EUR\n"
    let table = try LayoutTests.read(LayoutTests.latin(german), .windows1252)
    #expect(table.mapping.headers.map(\.text) == ["Bezeichnung", "Betrag", "Währung"] && table.refused == 0)
    let list = "[{\"name\":\"Télé\",\"price\":\"5 EUR\"}]"
    for (bytes, encoding) in [(LayoutTests.wide(list), nil), (LayoutTests.latin(list), .windows1252)]
      as [([UInt8], TableEncoding?)]
    {
      #expect(Some.contents(try LayoutTests.read(bytes, encoding)).first?.hasPrefix("Télé|5 EUR") == true)
    }
    do throws(TableRefusal) {
      _ = try SubscriptionTable.read(LayoutTests.latin(german), SubscriptionTableOptions(today: Some.today))
      Issue.record("the header was read")
    } catch TableRefusal.unreadable(let error) {
      #expect(error.code == .notText && error.place?.row == 1 && error.place?.column == 3)
    } catch { Issue.record("\(error)") }
  }

  @Test("Subsum's rows are repaired below a title, too")
  func titles() throws {
    let table = try LayoutTests.read(Array("My subscriptions\n\n\(LayoutTests.subsum)".utf8))
    #expect(Some.contents(table) == LayoutTests.repaired && table.skippedLines == ["My subscriptions", ""])
    #expect(table.rows.map(\.number) == [4])
  }

  @Test("Every day of a subscription may be an instant")
  func instants() throws {
    let zone = try TimeZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3")
    let table = try Some.read(
      "Name,Price,Start Date,Next Charge,Trial End,End Date\n"
        + "A,5,2026-01-31T23:00:00Z,2026-04-30T22:00:00.000Z,2026-02-28 23:30:00 UTC,2027-01-01T00:30:00+02:00\n"
    ) { $0.scan.zone = zone }
    let row = try Some.row(table).subscription
    #expect("\(row.start)" == "2026-02-01" && row.trialEnd.map { "\($0)" } == "2026-03-01")
    #expect("\(row.anchor)" == "2026-02-01" && row.end.map { "\($0)" } == "2026-12-31")
  }

  @Test(
    "The end of an Actual schedule is read or refused, never dropped",
    arguments: [
      ("2026-12-31", "2027-01-01"), ("2026-12-31T00:00:00", "2027-01-01"), ("soon", nil), ("2026-13-01", nil),
    ]
      as [(String, String?)])
  func actualEnd(_ text: String, _ expected: String?) throws {
    let table = try Some.read(
      "[{\"name\":\"Power\",\"amount\":-4000,\"amountOp\":\"is\",\"date\":{\"start\":\"2026-01-10\","
        + "\"frequency\":\"monthly\",\"endMode\":\"on_date\",\"endDate\":\"\(text)\"}}]")
    guard let expected else {
      #expect(table.problems.map(\.kind) == [.notADay] && table.problems.first?.field == "end")
      return
    }
    #expect(try Some.row(table).subscription.end.map { "\($0)" } == expected)
  }

  @Test("Words for no value are none, and texts in our own table")
  func noValue() throws {
    let table = try Some.read(
      "Name,Price,Next Charge,Status,Tags,Notes\nA,5,n/a,-,null,--\n-,5,,,,\nB,NaN,,,,\n-,--,,,,\n")
    #expect(table.problems.map(\.kind) == [.missing, .missing] && table.problems.map(\.field) == ["name", "amount"])
    #expect(table.ignored == 1)
    let row = try Some.row(table).subscription
    #expect(row.note == nil && row.tags?.isEmpty != false)
    let ours = try Some.read(
      "Name,Amount,Currency,Every,Unit,Notes,Contract End,Notice\nNaN,5,EUR,1,month,n/a,-,null\nB,5,EUR,-,month,,,\nC,--,EUR,1,month,,,\n"
    )
    #expect(try Some.row(ours).subscription.name == "NaN" && Some.row(ours).subscription.note == "n/a")
    #expect(ours.problems.map(\.kind) == [.missing] && ours.problems.first?.field == "amount" && ours.refused == 1)
  }

  @Test("Mutated tables are read or refused with a problem for each refused row", arguments: 0..<100)
  func mutations(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed), number: 51)
    let tables = [
      "A title\n\(LayoutTests.subsum)",
      "Name,Price,Next Charge,Status,\nA,\"5,00 €\",2026-04-30T22:00:00Z,n/a,\nB,-,,,\n",
      "[{\"name\":\"A\",\"price\":\"5 EUR\",\"start\":\"2026-04-30T22:00:00Z\"}]",
      "Name,Amount,Currency,Every,Unit,Prices,Notice\nA,5,EUR,1,month,,null\n",
    ]
    let pieces = [
      "n/a", "-", ",", ";", "\n", "\"", "Z", "+01:00", "NaN", "2026-01-05 25:00", "01.13.2026", "é", "0", "€", "\0",
    ]
    for _ in 0..<30 {
      var text = Array(tables[random.below(tables.count)].utf8)
      for _ in 0..<random.among(1...5) {
        let at = random.below(text.count)
        switch random.below(3) {
        case 0: text[at] = UInt8(random.below(256))
        case 1: text.remove(at: at)
        default: text.insert(contentsOf: Array(pieces[random.below(pieces.count)].utf8), at: at)
        }
      }
      for encoding in [nil, .windows1252] as [TableEncoding?] {
        guard let table = try? LayoutTests.read(text, encoding) else { continue }
        let refused = table.rows.filter { $0.content == .refused }.map(\.number)
        #expect(Set(table.problems.map(\.row)).isSuperset(of: refused), "\(String(decoding: text, as: UTF8.self))")
        #expect(table.mapping.headers.allSatisfy { !$0.text.unicodeScalars.contains("\u{FFFD}") })
        for row in table.rows {
          guard case .draft(let draft) = row.content else { continue }
          #expect(SubscriptionRules.refusals(of: draft.subscription).isEmpty)
        }
      }
    }
  }
}
