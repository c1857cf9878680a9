import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Subscriptions

struct RateTableTests {
  private let day = Some.day("2026-03-01")

  private func problem(_ base: String, _ rates: [String: String]) -> String? {
    do throws(Refusal) {
      _ = try RateTable(typedBase: base, date: day, rates: rates.mapValues { Some.decimal($0) })
      return nil
    } catch { return "\(error.pointer) \(error.rule)" }
  }

  @Test("Invalid rates are refused with their pointer")
  func typed() {
    #expect(problem("EUR", ["USD": "1.2", "JPY": "160.123456789", "KWD": "1000000000.0"]) == nil)
    #expect(problem("eur", ["USD": "1.2"]) == "/base form")
    #expect(problem("EUX", ["USD": "1.2"]) == "/base form")
    #expect(problem("EUR", ["usd": "1.2"]) == "/rates/usd form")
    #expect(problem("EUR", ["a/b~c": "1.2"]) == "/rates/a~1b~0c form")
    #expect(problem("EUR", ["USD": "0"]) == "/rates/USD range")
    #expect(problem("EUR", ["USD": "1234.567890123"]) == "/rates/USD precision")
    #expect(problem("EUR", [:]) == "/rates missing")
    #expect(problem("EUR", ["EUR": "1"]) == "/rates missing")
    #expect(problem("EUR", ["EUR": "1.000", "USD": "1.2"]) == nil)
    #expect(problem("EUR", ["EUR": "1.1", "USD": "1.2"]) == "/rates/EUR conflict")
  }

  @Test("The base's own rate is left out")
  func base() throws {
    let table = try RateTable(typedBase: "EUR", date: day, rates: ["EUR": Decimal(1), "USD": Some.decimal("1.2")])
    #expect(table.rates == [.usd: Some.decimal("1.2")])
  }

  @Test("Invalid stored rates are left out")
  func stored() {
    let rates = ["USD": Some.decimal("1.2"), "usd": Decimal(1), "GBP": .zero, "QQQ": Decimal(2)]
    let table = RateTable(ExchangeRates(base: "EUX", date: day, rates: rates))
    #expect(table?.rates == [.usd: Some.decimal("1.2"), Some.currency("QQQ"): Decimal(2)])
    #expect(RateTable(ExchangeRates(base: "eur", date: day, rates: [:])) == nil)
  }

  @Test("A currency needs a listed code in capitals")
  func codes() {
    #expect((try? Currency(listed: "EUR", pointer: "/x")) == .eur)
    let small = Refusal(
      "/x", .form, "“usd” is not a currency code", allowed: "the code in capitals: USD")
    #expect(throws: small) { try Currency(listed: "usd", pointer: "/x") }
    for code in ["", "E", "EURO", "XXX", "XAU", "€€€", String(repeating: "E", count: 100_000)] {
      #expect(throws: Refusal.self) { try Currency(listed: code, pointer: "/x") }
    }
    #expect(Currency.allListed == Set(Currency.allListed).sorted())
    #expect(CurrencyOption.all.allSatisfy { $0.currency.isListed })
  }

  /// A rate of up to twelve digits, anywhere in its range.
  private func rate(_ random: inout SeededGenerator) -> Decimal {
    var digits: Int64 = 0
    for _ in 0...random.below(12) { digits = digits * 10 + Int64(random.below(10)) }
    let rate = Decimal(significand: max(digits, 1), scale: random.below(10)) ?? Decimal(1)
    return rate > RateTable.largestRate ? Decimal(1) : rate
  }

  @Test("A conversion is exact to the twelfth digit, or out of range", arguments: 0..<20)
  func precision(_ seed: Int) throws {
    var random = SeededGenerator(seed: 6, number: seed)
    for _ in 0..<500 {
      let (source, target) = (rate(&random), rate(&random))
      let table = try RateTable(base: .eur, date: day, rates: [.usd: source, Some.currency("JPY"): target])
      let amount = Decimal(significand: Int64(random.below(1_000_000_000)) * 99_999, scale: random.below(5)) ?? .zero
      let exact = try #require(table.convert(ExactAmount(amount), from: .usd, to: Some.currency("JPY")))
      let expected = amount.double * target.double / source.double
      if expected > 1e15 {
        #expect(exact > ExactAmount(Decimal(99_999_999_999_999)), "\(amount) \(source) \(target)")
      } else {
        let found = Double(exact.numerator) / Double(exact.denominator)
        #expect(abs(found - expected) <= 2e-12 + expected * 1e-12, "\(amount) \(source) \(target)")
      }
    }
  }
}
