/// A currency to choose from.
package struct CurrencyOption: Hashable, Sendable {
  /// The currency.
  package let currency: Currency
  /// What stands before or behind an amount, such as `€`; several may share one.
  package let symbol: String
  /// The name in English.
  package let name: String

  /// The ten to choose from, in their order. (Reference part 2, §2.1.) Any other code may be typed.
  package static let all: [CurrencyOption] = [
    ("USD", "$", "US Dollar"), ("EUR", "€", "Euro"), ("GBP", "£", "British Pound"), ("JPY", "¥", "Japanese Yen"),
    ("CAD", "CA$", "Canadian Dollar"), ("AUD", "A$", "Australian Dollar"), ("SEK", "kr", "Swedish Krona"),
    ("NOK", "kr", "Norwegian Krone"), ("DKK", "kr", "Danish Krone"), ("CHF", "CHF", "Swiss Franc"),
  ].compactMap { code, symbol, name in
    Currency(code).map { CurrencyOption(currency: $0, symbol: symbol, name: name) }
  }
}

extension Currency {
  /// The symbol of one of the ten, else the code.
  package var symbol: String {
    CurrencyOption.all.first { $0.currency == self }?.symbol ?? code
  }

  /// What an amount is written with where `home` is the currency of the place: the symbol where only this currency has it, or
  /// it is the one at home; else the code. The dollar of the United States is `US$` where `$` is another.
  package func symbol(beside home: Currency?) -> String {
    if self == home, let shared = sharedSymbol { return shared }
    let symbol = symbol
    if symbol == home?.sharedSymbol { return code == "USD" ? "US$" : code }
    return CurrencyOption.all.count { $0.symbol == symbol } > 1 ? code : symbol
  }

  /// The symbol that it has at home and others have in other countries; nil for those that share none.
  private var sharedSymbol: String? {
    switch code {
    case "USD", "AUD", "CAD", "MXN", "NZD", "SGD", "HKD", "ARS", "CLP", "COP": "$"
    case "SEK", "NOK", "DKK", "ISK": "kr"
    case "JPY", "CNY": "¥"
    default: nil
    }
  }

  /// The currency of a region, both in small letters, among those that share their symbol with others; without a region that
  /// of the language, where it is spoken in one such place. (ISO 3166 and ISO 4217.)
  static func home(_ language: String, _ region: String) -> Currency? {
    let codes = [
      "us": "USD", "au": "AUD", "ca": "CAD", "mx": "MXN", "nz": "NZD", "sg": "SGD", "hk": "HKD", "ar": "ARS",
      "cl": "CLP", "co": "COP", "se": "SEK", "no": "NOK", "dk": "DKK", "is": "ISK", "jp": "JPY", "cn": "CNY",
    ]
    let regions = ["sv": "se", "nb": "no", "nn": "no", "no": "no", "da": "dk", "is": "is", "ja": "jp", "zh": "cn"]
    return (region.isEmpty ? regions[language] : region).flatMap { codes[$0] }.flatMap { Currency($0) }
  }

  /// Digits after the point that amounts are rounded to, 0…4. (ISO 4217, list one: all but these have two.)
  package var minorDigits: Int {
    switch code {
    case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF",
      "XPF":
      0
    case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND": 3
    case "CLF", "UYW": 4
    default: 2
    }
  }

  /// Whether ISO 4217 lists it as money in use (without metals, baskets and test codes). Only what is listed is taken for a
  /// currency inside a text, so that a word of three letters is not.
  package var isListed: Bool { Currency.listed.contains(self) }

  private static let listed = Set(allListed)

  /// All that are listed, ascending.
  package static let allListed: [Currency] =
    """
    AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE \
    CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD \
    HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD \
    MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR \
    RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH \
    UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG
    """.split(separator: " ").compactMap { Currency(String($0)) }
}
