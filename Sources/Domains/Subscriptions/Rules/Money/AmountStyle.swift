import Values

/// How amounts are written in a locale.
package struct AmountStyle: Hashable, Sendable {
  package enum Placement: Hashable, Sendable {
    /// `€12.50`; a code is separated, as in `SEK 12.50`.
    case before
    /// `€ 12,50`.
    case beforeWithSpace
    /// `12,50 €`.
    case after
  }

  package let decimalSeparator: Character
  package let groupSeparator: Character
  package let placement: Placement
  /// The currency that a shared symbol, such as `$` or `kr`, means in the locale.
  package private(set) var home: Currency?

  package init(decimalSeparator: Character, groupSeparator: Character, placement: Placement) {
    self.decimalSeparator = decimalSeparator
    self.groupSeparator = groupSeparator
    self.placement = placement
  }

  /// `€1,234.50`.
  package static let english = AmountStyle(decimalSeparator: ".", groupSeparator: ",", placement: .before)
  private static let continental = AmountStyle(decimalSeparator: ",", groupSeparator: ".", placement: .after)
  private static let spaced = AmountStyle(decimalSeparator: ",", groupSeparator: "\u{A0}", placement: .after)
  private static let thinlySpaced = AmountStyle(decimalSeparator: ",", groupSeparator: "\u{202F}", placement: .after)
  private static let dutch = AmountStyle(decimalSeparator: ",", groupSeparator: ".", placement: .beforeWithSpace)
  private static let swiss = AmountStyle(decimalSeparator: ".", groupSeparator: "’", placement: .beforeWithSpace)
  private static let austrian = AmountStyle(
    decimalSeparator: ",", groupSeparator: "\u{A0}", placement: .beforeWithSpace)

  /// The style of a language tag such as `de-CH` or `en_US`; nil for a language that is not in the table. (Unicode CLDR
  /// 46, number symbols and standard currency patterns, reduced to the styles above.)
  package init?(locale: String) {
    // Ignores overlong tags, a codeset as in `de_CH.UTF-8`, and extensions after a single letter.
    guard locale.utf8.count <= 100,
      let tag = locale.lowercased().split(whereSeparator: { $0 == "." || $0 == "@" }).first
    else { return nil }
    let parts = tag.split { $0 == "-" || $0 == "_" }.prefix { $0.utf8.count > 1 }
    guard let language = parts.first.map(String.init) else { return nil }
    let region = parts.dropFirst().first { AmountStyle.isRegion($0) }.map(String.init) ?? ""
    guard let style = AmountStyle.style(language, region) else { return nil }
    self = style
    home = Currency.home(language, region)
  }

  /// Whether a subtag is a region: two letters, or three digits as in `es-419`.
  private static func isRegion(_ part: Substring) -> Bool {
    part.utf8.count == 2 || (part.utf8.count == 3 && part.allSatisfy(\.isDigitOfASCII))
  }

  private static func style(_ language: String, _ region: String) -> AmountStyle? {
    switch (language, region) {
    case ("de", "ch"), ("de", "li"), ("it", "ch"), ("en", "ch"), ("rm", _), ("gsw", _): swiss
    case ("de", "at"): austrian
    case ("pt", "pt"), ("fr", "ca"), ("es", "cr"): spaced
    case ("es", "mx"), ("es", "us"), ("es", "419"), ("es", "gt"), ("es", "hn"), ("es", "ni"), ("es", "pa"),
      ("es", "pe"), ("es", "pr"), ("es", "sv"), ("es", "do"), ("es", "cu"):
      english
    case ("en", _), ("ja", _), ("zh", _), ("ko", _), ("th", _), ("hi", _), ("ga", _): english
    case ("de", _), ("es", _), ("it", _), ("da", _), ("el", _), ("hr", _), ("sl", _), ("sr", _), ("bs", _), ("ro", _),
      ("ca", _), ("gl", _), ("is", _), ("vi", _), ("id", _):
      continental
    case ("nl", _), ("pt", _), ("tr", _): dutch
    case ("fr", _): thinlySpaced
    case ("sv", _), ("nb", _), ("nn", _), ("no", _), ("fi", _), ("cs", _), ("sk", _), ("pl", _), ("hu", _), ("ru", _),
      ("uk", _), ("bg", _), ("et", _), ("lv", _), ("lt", _):
      spaced
    default: nil
    }
  }
}

extension AmountStyle {
  /// An amount in its currency, rounded half away from zero to the currency's decimals: `€1,234.50`, `¥1,235`.
  package func text(_ money: Price) -> String {
    let amount = ExactAmount(money.amount).rounded(toScale: money.currency.minorDigits)
    return text(text(digitsOf: amount), isNegative: amount.isNegative, money.currency)
  }

  /// The same with all decimals, at least those of the currency: `€1.239`.
  package func fullText(_ money: Price) -> String {
    let missing = money.currency.minorDigits - money.amount.scale
    var number = text(digitsOf: money.amount)
    if missing > 0 {
      if money.amount.scale == 0 { number.append(decimalSeparator) }
      number += String(repeating: "0", count: missing)
    }
    return text(number, isNegative: money.amount.isNegative, money.currency)
  }

  private func text(_ number: String, isNegative: Bool, _ currency: Currency) -> String {
    let sign = isNegative ? "-" : ""
    let symbol = currency.symbol(beside: home)
    switch placement {
    case .before:
      // A code must not touch the digits.
      let isCode = symbol.unicodeScalars.last?.properties.isAlphabetic ?? false
      return "\(sign)\(symbol)\(isCode ? "\u{A0}" : "")\(number)"
    case .beforeWithSpace: return "\(sign)\(symbol)\u{A0}\(number)"
    case .after: return "\(sign)\(number)\u{A0}\(symbol)"
    }
  }

  /// A number with all decimals and without a currency: `1,234.5`.
  package func text(_ amount: Decimal) -> String {
    (amount.isNegative ? "-" : "") + text(digitsOf: amount)
  }

  /// The number without its sign.
  private func text(digitsOf amount: Decimal) -> String {
    let parts = amount.description.drop { $0 == "-" }.split(separator: ".")
    var text = ""
    let whole = parts.first ?? "0"
    for (index, digit) in whole.enumerated() {
      if index > 0, (whole.count - index) % 3 == 0 { text.append(groupSeparator) }
      text.append(digit)
    }
    if parts.count > 1 {
      text.append(decimalSeparator)
      text += parts[1]
    }
    return text
  }
}
