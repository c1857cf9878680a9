/// A currency, identified by its code of three capital letters (ISO 4217).
package struct Currency: Hashable, Sendable, Comparable {
  /// The letters, one byte each, the first one highest.
  private let letters: UInt32

  /// Nil unless the code is three capital letters. It need not be listed by ISO 4217, which grows.
  package init?(_ code: String) {
    let bytes = Array(code.utf8.prefix(4))
    guard bytes.count == 3, bytes.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else {
      return nil
    }
    self.init(bytes[0], bytes[1], bytes[2])
  }

  private init(_ first: UInt8, _ second: UInt8, _ third: UInt8) {
    letters = UInt32(first) << 16 | UInt32(second) << 8 | UInt32(third)
  }

  /// `XXX`, the code of ISO 4217 for “no currency”: stands for an invalid code. No readable subscription has it.
  package static let undefined = Currency(UInt8(ascii: "X"), UInt8(ascii: "X"), UInt8(ascii: "X"))

  package var code: String {
    String(unsafeUninitializedCapacity: 3) { buffer in
      buffer[0] = UInt8(truncatingIfNeeded: letters >> 16)
      buffer[1] = UInt8(truncatingIfNeeded: letters >> 8)
      buffer[2] = UInt8(truncatingIfNeeded: letters)
      return 3
    }
  }

  package static func < (left: Currency, right: Currency) -> Bool { left.letters < right.letters }
}

extension Currency: CustomStringConvertible {
  package var description: String { code }
}

/// A currency to choose from.
package struct CurrencyOption: Hashable, Sendable {
  package let currency: Currency
  /// The usual symbol, such as `€`; several currencies may share one.
  package let symbol: String
  /// In English.
  package let name: String

  /// The ten to choose from, in order; any other code may be typed. (Reference part 2, §2.1.)
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

  /// The symbol in a locale whose own currency is `home`: a symbol that is unique, or shared and the currency is
  /// `home`; else the code. The US dollar is `US$` where `$` means another one.
  package func symbol(beside home: Currency?) -> String {
    if self == home, let shared = sharedSymbol { return shared }
    let symbol = symbol
    if symbol == home?.sharedSymbol { return code == "USD" ? "US$" : code }
    return CurrencyOption.all.count { $0.symbol == symbol } > 1 ? code : symbol
  }

  /// The symbol that it shares with other currencies; nil when it shares none.
  private var sharedSymbol: String? { AmountText.sharedSymbols.first { $0.value.contains(self) }?.key }

  /// The currency of a region in lower case, of those that share a symbol; without a region, that of a language spoken
  /// in one such region only. (ISO 3166 and ISO 4217.)
  static func home(_ language: String, _ region: String) -> Currency? {
    let codes = [
      "us": "USD", "au": "AUD", "ca": "CAD", "mx": "MXN", "nz": "NZD", "sg": "SGD", "hk": "HKD", "ar": "ARS",
      "cl": "CLP", "co": "COP", "se": "SEK", "no": "NOK", "dk": "DKK", "is": "ISK", "jp": "JPY", "cn": "CNY",
    ]
    let regions = ["sv": "se", "nb": "no", "nn": "no", "no": "no", "da": "dk", "is": "is", "ja": "jp", "zh": "cn"]
    return (region.isEmpty ? regions[language] : region).flatMap { codes[$0] }.flatMap { Currency($0) }
  }

  /// The number of decimals, 0…4. (ISO 4217, list one: all but these have two.)
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

  /// Whether ISO 4217 lists it as money in use, without metals, baskets and test codes. In a text only a listed code
  /// counts, so that other words of three letters do not.
  package var isListed: Bool { Currency.listed.contains(self) }

  private static let listed = Set(allListed)

  /// Every listed currency, ascending.
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
