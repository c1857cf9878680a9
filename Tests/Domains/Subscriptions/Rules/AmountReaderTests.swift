import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Subscriptions

struct AmountReaderTests {
  private static let german = AmountStyle(locale: "de-DE")
  private static let swiss = AmountStyle(locale: "de_CH")

  /// The amount and currency, or the fault.
  private func read(_ text: String, _ style: AmountStyle? = nil, preferred: Currency? = nil) -> String {
    func brief(_ amount: ReadAmount) -> String {
      amount.currency.map { "\(amount.amount) \($0)" } ?? amount.amount.description
    }
    switch AmountReader.read(text, style: style, preferred: preferred.map { [$0] } ?? []) {
    case .amount(let amount): return brief(amount)
    case .ambiguous(let decimal, let grouped): return "\(brief(decimal)) or \(brief(grouped))"
    case .unreadable(let fault): return fault.rawValue
    }
  }

  @Test(
    "Amounts are read as people type them, without a locale",
    arguments: [
      ("12,50", "12.50"), ("12.50", "12.50"), ("1.234,56", "1234.56"), ("1,234.56", "1234.56"), ("5 USD", "5 USD"),
      ("5usd", "5 USD"), ("USD 5", "5 USD"), ("€ 9,99", "9.99 EUR"), ("9,99 €", "9.99 EUR"), ("$5", "5"),
      ("1 234,50", "1234.50"), ("1\u{202F}234,50", "1234.50"), ("1'234.50", "1234.50"), ("1’234’567", "1234567"),
      ("1,234", "1.234 or 1234"), ("1.234", "1.234 or 1234"), ("1.234 EUR", "1.234 EUR or 1234 EUR"),
      ("1,234,567", "1234567"), ("1.234.567", "1234567"), ("0.123", "0.123"), ("0,123", "0.123"),
      ("1234.567", "1234.567"), ("1.2345", "1.2345"), ("12", "12"), ("007", "7"), (".50", "0.50"), ("$.50", "0.50"),
      ("12.–", "12"), ("12.--", "12"), ("12,-- €", "12 EUR"), ("CHF 12.-", "12 CHF"),
      ("Fr. 12.50", "12.50 CHF"), ("CA$ 3", "3 CAD"), ("kr 49", "49"),
      ("49 kr.", "49"), ("¥1,500", "1.500 or 1500"), ("-5", "-5"), ("−€5.00", "-5.00 EUR"), ("€-5", "-5 EUR"),
      ("+5", "5"), ("12,34,567.50", "1234567.50"), ("  7  ", "7"), ("EUR 5 €", "5 EUR"), ("5 EUR €", "5 EUR"),
    ])
  func withoutPlace(_ text: String, _ expected: String) {
    #expect(read(text) == expected)
  }

  @Test(
    "A text that is no amount is refused with the reason",
    arguments: [
      ("", "noNumber"), ("abc", "noNumber"), ("€", "noNumber"), ("1.2.3", "separators"), ("1,2,3", "separators"),
      ("1..2", "separators"), ("1 2", "separators"), ("1,23.4,5", "separators"), ("1'23", "separators"),
      ("5 apples", "unknownText"), ("x5", "unknownText"), ("5 USD EUR", "twoCurrencies"), ("$5 EUR", "twoCurrencies"),
      ("1e5", "separators"), ("5-", "unknownText"), ("5.---", "unknownText"),
      ("12345678901234567890", "tooLong"), ("0.1234567891", "tooLong"),
      ("5 € pro Monat", "unknownText"), ("1. 234", "separators"),
    ])
  func refused(_ text: String, _ expected: String) {
    #expect(read(text) == expected)
  }

  @Test("The locale decides ambiguous numbers, and accepts unambiguous ones")
  func byPlace() {
    #expect(read("1.234", Self.german) == "1234")
    #expect(read("1.234", .english) == "1.234")
    #expect(read("1,234", Self.german) == "1.234")
    #expect(read("1,234", .english) == "1234")
    #expect(read("12,50", .english) == "12.50")
    #expect(read("1.234,56", .english) == "1234.56")
    #expect(read("1'234.50", Self.swiss) == "1234.50")
  }

  @Test("A shared symbol means the preferred currency where it can")
  func usual() {
    #expect(read("49 kr", preferred: Some.currency("NOK")) == "49 NOK")
    #expect(read("$5", preferred: Some.currency("CAD")) == "5 CAD")
    #expect(read("$5", preferred: .eur) == "5")
    #expect(read("$5", preferred: .usd) == "5 USD" && read("$5 CAD") == "5 CAD")
    #expect(read("5", preferred: .eur) == "5")
    #expect(read("$5 CAD", preferred: .usd) == "5 CAD" && read("CNY 5 ¥", preferred: Some.currency("JPY")) == "5 CNY")
  }

  @Test("The separators are reported")
  func separators() throws {
    guard case .amount(let amount) = AmountReader.read("1.234,5") else {
      Issue.record("no amount")
      return
    }
    #expect(amount.decimalSeparator == "," && amount.groupSeparator == ".")
  }

  @Test(
    "Amounts are written in the style of a locale",
    arguments: [
      ("en-US", "1234.5 USD", "$1,234.50"), ("en-US", "1234.5 SEK", "SEK\u{A0}1,234.50"),
      ("en-US", "1234.5 JPY", "¥1,235"), ("en-GB", "-3 GBP", "-£3.00"),
      ("de-DE", "1234567.895 EUR", "1.234.567,90\u{A0}€"),
      ("de-CH", "1234.5 CHF", "CHF\u{A0}1’234.50"), ("fr-FR", "1234.5 EUR", "1\u{202F}234,50\u{A0}€"),
      ("nl", "12 EUR", "€\u{A0}12,00"), ("sv-SE", "999 SEK", "999,00\u{A0}kr"), ("en", "0.5 KWD", "KWD\u{A0}0.500"),
      // Codesets, modifiers, regions of three digits, and what follows a single letter.
      ("de_CH.UTF-8", "12 CHF", "CHF\u{A0}12.00"), ("de_DE@euro", "12 EUR", "12,00\u{A0}€"),
      ("es-419", "1234 EUR", "€1,234.00"), ("fr-FR-u-ca-gregory", "1234 EUR", "1\u{202F}234,00\u{A0}€"),
      ("fr-u-ca-gregory", "1234 EUR", "1\u{202F}234,00\u{A0}€"), ("zh-Hant-TW", "1234 EUR", "€1,234.00"),
    ])
  func formatted(_ locale: String, _ money: String, _ expected: String) throws {
    let style = try #require(AmountStyle(locale: locale))
    #expect(style.text(Some.price(money)) == expected)
  }

  @Test(
    "The full text has all decimals, at least those of the currency",
    arguments: [
      ("1.2345 USD", "$1.2345"), ("5 USD", "$5.00"), ("5.1 USD", "$5.10"), ("-1234 JPY", "-¥1,234"),
      ("0.5 JPY", "¥0.5"), ("9223372036854775807 EUR", "€9,223,372,036,854,775,807.00"),
    ])
  func full(_ money: String, _ expected: String) {
    #expect(AmountStyle.english.fullText(Some.price(money)) == expected)
  }

  @Test(
    "A language that is not in the table has no style",
    arguments: ["", "xx", "tlh-AQ", "-", "C", "C.UTF-8", ".", "@", "x-de", String(repeating: "de-", count: 40)])
  func unknown(_ locale: String) {
    #expect(AmountStyle(locale: locale) == nil)
  }

  @Test(
    "A written amount can be read",
    arguments: ["en", "de", "de-CH", "de-AT", "fr", "fr-CA", "nl", "sv", "pt-BR", "es-MX"])
  func roundTrip(_ locale: String) throws {
    let style = try #require(AmountStyle(locale: locale))
    var random = SeededGenerator(seed: 5)
    for _ in 0..<400 {
      let currency = CurrencyOption.all[random.below(10)].currency
      let units = Int64(random.below(10)) * Int64(random.below(2_000_000_000)) - Int64(random.below(1000))
      let amount = try #require(Decimal(significand: units, scale: currency.minorDigits))
      let text = style.text(Price(amount, currency))
      guard case .amount(let read) = AmountReader.read(text, style: style, preferred: [currency]) else {
        Issue.record("\(text) was not read")
        continue
      }
      #expect(read.amount == amount && read.currency == currency, "\(text)")
      guard case .amount(let number) = AmountReader.read(style.text(amount), style: style) else {
        Issue.record("\(style.text(amount)) was not read")
        continue
      }
      #expect(number.amount == amount)
    }
  }

  @Test("Every text has a result", arguments: 0..<40)
  func anyText(_ seed: Int) {
    var random = SeededGenerator(seed: 9, number: seed)
    let letters = Array("0123456789.,''  -−+€$krUSD\u{A0}\u{301}👍–(")
    for _ in 0..<200 {
      let text = String((0..<random.below(14)).map { _ in letters[random.below(letters.count)] })
      if case .ambiguous(let decimal, let grouped) = AmountReader.read(text) {
        #expect(decimal.amount != grouped.amount)
      }
      _ = AmountReader.read(text, style: Self.german)
    }
    #expect(read(String(repeating: "1", count: 100_000)) == "tooLong")
  }

  @Test("Random text is refused or read with the digits, sign and separators it has")
  func anyText() {
    let pieces =
      Array("0123456789").map(String.init) + [
        ".", ",", "'", "’", " ", "\u{202F}", "\u{A0}", "-", "−", "–", "—", "+", ".-", ",-", ".--", "€", "$", "kr",
        "EUR", "usd", "e", "x", "%", "\u{301}", "\n", "😀",
      ]
    var random = SeededGenerator(seed: 12, number: 77)
    for _ in 0..<20_000 {
      var text = ""
      for _ in 0..<random.below(12) { text += pieces[random.below(random.once(in: 2) ? 12 : pieces.count)] }
      let reading = AmountReader.read(text)
      switch reading {
      case .unreadable: continue
      case .amount(let amount): expect(amount, of: text)
      case .ambiguous(let decimal, let grouped):
        #expect(decimal.amount != grouped.amount && decimal.currency == grouped.currency, "\(text)")
        expect(decimal, of: text)
        expect(grouped, of: text)
        #expect(AmountReader.read(text, style: .english) != reading, "a place decides: \(text)")
      }
    }
  }

  private func expect(_ read: ReadAmount, of text: String) {
    let digits = text.filter(\.isDigitOfASCII)
    #expect(UInt64(digits) == read.amount.significand.magnitude, "\(text)")
    #expect(read.amount >= .zero || text.contains { "-−".contains($0) }, "\(text)")
    #expect(read.decimalSeparator.map { text.contains($0) } ?? (read.amount.scale == 0), "\(text)")
    #expect(read.groupSeparator.map { text.contains($0) && $0 != read.decimalSeparator } ?? true, "\(text)")
  }
}
