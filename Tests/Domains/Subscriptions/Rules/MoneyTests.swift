import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Subscriptions

struct MoneyTests {
  @Test(
    "Rounding is half away from zero, to the digits of the currency",
    arguments: [
      ("0.125", "USD", "0.13"), ("0.135", "USD", "0.14"), ("-0.125", "USD", "-0.13"), ("0.1249", "USD", "0.12"),
      ("0.5", "JPY", "1"), ("1234.4999", "JPY", "1234"), ("1.0005", "KWD", "1.001"), ("1.00005", "CLF", "1.0001"),
      ("84.0758", "USD", "84.08"),
    ])
  func rounding(_ amount: String, _ currency: String, _ expected: String) {
    #expect(Money(rounding: ExactAmount(Some.decimal(amount)), Some.currency(currency)).amount.description == expected)
  }

  @Test("Thirds, twelfths and sevenths are exact")
  func exact() {
    let third = ExactAmount(Decimal(10)).multiplied(by: 1, over: 3)
    #expect(third + third + third == ExactAmount(Decimal(10)))
    var sum = ExactAmount.zero
    for divisor in 1...12 { sum += ExactAmount(Decimal(1)).multiplied(by: 1, over: Int128(divisor)) }
    for divisor in 1...12 { sum = sum - ExactAmount(Decimal(1)).multiplied(by: 1, over: Int128(divisor)) }
    #expect(sum == .zero)
    // 120 a year is 10 a month, and 5 a week is 260 a year: not 9.99 and 259.98.
    #expect(ExactAmount(Decimal(120)).multiplied(by: 1, over: 12).rounded(toScale: 9).description == "10.000000000")
    #expect(
      ExactAmount(Decimal(5)).multiplied(by: 52).multiplied(by: 1, over: 12).rounded(toScale: 4).description
        == "21.6667")
  }

  @Test("Sums of fractions without a common denominator are exact to the twelfth digit")
  func coarse() {
    var sum = ExactAmount.zero
    var approximation = 0.0
    for divisor in 1...1000 {
      sum += ExactAmount(Decimal(1)).multiplied(by: 1, over: Int128(divisor))
      approximation += 1 / Double(divisor)
    }
    #expect(abs(sum.rounded(toScale: 9).double - approximation) < 1e-8)
  }

  @Test("Extreme amounts saturate and do not trap")
  func extremes() {
    let all = [Decimal(.max), Decimal(.min), Decimal(significand: .max, scale: 9) ?? .zero, .zero, Decimal(1)]
    let amounts = all.map { ExactAmount($0) }
    for left in amounts {
      for right in amounts {
        var product = left
        for _ in 0..<8 {
          product = product.multiplied(by: Int128(Int64.max), over: 7) + right - left
          #expect(!(product < product))
          _ = product.rounded(toScale: 9)
          _ = product < left
        }
        #expect((left + right) - right == left)
      }
      #expect(left.multiplied(by: 1, over: 0) == .zero)
    }
    #expect(ExactAmount(Decimal(.max)).multiplied(by: 1000).rounded(toScale: 2).significand == .max)
    #expect(ExactAmount(Decimal(.min)).multiplied(by: 1000).rounded(toScale: 2).significand == .min)
  }

  @Test("The ten currencies are in order, and others have their decimals")
  func table() {
    #expect(
      CurrencyOption.all.map { "\($0.currency) \($0.symbol)" } == [
        "USD $", "EUR €", "GBP £", "JPY ¥", "CAD CA$", "AUD A$", "SEK kr", "NOK kr", "DKK kr", "CHF CHF",
      ])
    #expect(["JPY", "KRW", "USD", "KWD", "CLF", "XYZ"].map { Some.currency($0).minorDigits } == [0, 0, 2, 3, 4, 2])
    #expect(Currency("usd") == nil && Currency("EURO") == nil && Currency("E1R") == nil && Currency("") == nil)
    #expect(Some.currency("ZAR").symbol == "ZAR" && Some.currency("SEK").symbol(beside: nil) == "SEK")
    #expect(Some.currency("XYZ").isListed == false && Some.currency("UYW").isListed)
  }

  @Test(
    "A shared symbol means the currency of the locale, when written and when read",
    arguments: [
      ("en-CA", "CAD", "$"), ("en-CA", "USD", "US$"), ("fr-CA", "CAD", "$"), ("es-MX", "MXN", "$"),
      ("es-MX", "USD", "US$"),
      ("en-US", "USD", "$"), ("en-US", "CAD", "CA$"), ("en-AU", "AUD", "$"), ("sv", "SEK", "kr"),
      ("nb-NO", "NOK", "kr"),
      ("nb-NO", "SEK", "SEK"), ("ja", "JPY", "¥"), ("zh-CN", "CNY", "¥"), ("zh-CN", "JPY", "JPY"),
      ("de-DE", "SEK", "SEK"), ("en-GB", "GBP", "£"),
    ])
  func home(_ locale: String, _ code: String, _ symbol: String) throws {
    let style = try #require(AmountStyle(locale: locale))
    #expect(Some.currency(code).symbol(beside: style.home) == symbol)
    let written = style.text(Price(Decimal(5), Some.currency(code)))
    guard case .amount(let read) = AmountReader.read(written, style: style, preferred: [style.home].compactMap { $0 })
    else {
      Issue.record("“\(written)” cannot be read")
      return
    }
    #expect(read.currency == Some.currency(code), "\(written)")
  }

  @Test("A shared symbol without a currency of the locale is ambiguous")
  func shared() throws {
    let style = try #require(AmountStyle(locale: "de-DE"))
    #expect(Some.currency("USD").symbol(beside: style.home) == "$")
    for text in ["5,00 $", "500 ¥"] {
      guard case .amount(let read) = AmountReader.read(text, style: style, preferred: [style.home].compactMap { $0 })
      else {
        Issue.record("“\(text)” cannot be read")
        continue
      }
      #expect(read.currency == nil)
    }
  }

  @Test("Totals keep currencies apart, in any order", arguments: 0..<50)
  func totals(_ seed: Int) {
    var maker = SubscriptionMaker(seed: seed)
    var totals = CurrencyTotals()
    var sums: [Currency: Int128] = [:]
    for _ in 0..<40 {
      let money = maker.price()
      totals.add(ExactAmount(money.amount), money.currency)
      sums[money.currency, default: 0] += ExactAmount(money.amount).units(of: 10_000)
    }
    #expect(totals.currencies == sums.keys.sorted())
    for entry in totals.entries { #expect(entry.amount.units(of: 10_000) == sums[entry.currency]) }
  }

  @Test("Rates convert both ways, and a missing one leaves out the total")
  func rates() throws {
    let rates = try RateTable(
      base: .eur, date: Some.day("2026-03-01"), rates: [.usd: Some.decimal("1.25"), Some.currency("JPY"): Decimal(160)])
    var totals = CurrencyTotals()
    totals.add(ExactAmount(Decimal(10)), .eur)
    totals.add(ExactAmount(Decimal(25)), .usd)
    totals.add(ExactAmount(Decimal(1600)), Some.currency("JPY"))
    #expect(rates.total(totals, in: .eur).amount == Some.money("40 EUR"))
    #expect(rates.total(totals, in: .usd).amount == Some.money("50 USD"))
    #expect(rates.total(totals, in: Some.currency("JPY")).amount == Some.money("6400 JPY"))
    #expect(rates.total(totals, in: .eur).date == Some.day("2026-03-01"))
    totals.add(ExactAmount(Decimal(1)), Some.currency("GBP"))
    #expect(rates.total(totals, in: .eur).amount == nil)
    #expect(rates.total(totals, in: .eur).missing == ["GBP"])
  }

  @Test(
    "A rate is above nothing, and has at most twelve digits", arguments: ["0", "-1", "1000000001", "1234.567890123"])
  func badRates(_ rate: String) {
    #expect(throws: Refusal.self) {
      try RateTable(base: .eur, date: Some.day("2026-03-01"), rates: [.usd: Some.decimal(rate)])
    }
  }
}
