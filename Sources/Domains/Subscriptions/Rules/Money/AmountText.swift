import DaybookProtocol

/// A typed amount split into sign, number and currency.
struct AmountText {
  let isNegative: Bool
  /// From the first digit or separator to the last.
  let number: Substring
  /// The one currency that is named, if any.
  let currency: Currency?

  init(_ text: String, preferred: [Currency]) throws(AmountFault) {
    guard let first = text.firstIndex(where: \.isDigitOfASCII), let last = text.lastIndex(where: \.isDigitOfASCII)
    else { throw .noNumber }
    var start = first
    // A number may begin with a decimal separator.
    if start > text.startIndex {
      let before = text.index(before: start)
      if text[before] == "." || text[before] == ",",
        before == text.startIndex || !text[text.index(before: before)].isLetter
      {
        start = before
      }
    }
    number = text[start...last]
    var end = text.index(after: last)
    // `12.–`, `12,-` and `12.--` have no cents.
    let rest = text[end...]
    // The longest first.
    if let dashes = [".--", ",--", ".-", ",-", ".–", ",–", ".—", ",—"].first(where: { rest.hasPrefix($0) }) {
      end = rest.index(end, offsetBy: dashes.count, limitedBy: rest.endIndex) ?? rest.endIndex
    }
    var (before, minus) = AmountText.word(text[..<start])
    let after = text[end...]
    if minus == nil, before.first.map(AmountText.isMinus) == true {
      before.removeFirst()
      minus = true
    }
    isNegative = minus ?? false
    var one = before.isEmpty ? nil : try AmountText.currency(before, preferred: preferred)
    var other = after.allSatisfy(\.isSpaceInNumbers) ? nil : try AmountText.currency(after: after, preferred: preferred)
    // A shared symbol means the currency that is named with it.
    if let first = one, let second = other, first != second {
      if try AmountText.currency(before, preferred: [second]) == second { one = second }
      if try AmountText.currency(after: after, preferred: [first]) == first { other = first }
    }
    if let one, let other, one != other { throw AmountFault.twoCurrencies }
    // A shared symbol contradicts a currency that does not have it.
    if one == nil, !before.isEmpty, let other, try AmountText.currency(before, preferred: [other]) == nil {
      throw AmountFault.twoCurrencies
    }
    if other == nil, let one, !after.allSatisfy(\.isSpaceInNumbers),
      try AmountText.currency(after: after, preferred: [one]) == nil
    {
      throw AmountFault.twoCurrencies
    }
    currency = one ?? other
  }

  /// The text on one side of a number without spaces, and whether the sign at its end is a minus; nil without a sign.
  private static func word(_ text: Substring) -> (word: String, minus: Bool?) {
    var word = text.filter { !$0.isSpaceInNumbers }
    guard let last = word.last, isMinus(last) || last == "+" else { return (String(word), nil) }
    word.removeLast()
    return (String(word), isMinus(last))
  }

  private static func isMinus(_ character: Character) -> Bool { character == "-" || character == "−" }

  /// The currency after a number: one word, possibly with spaces in it, or two words that name the same one.
  private static func currency(after text: Substring, preferred: [Currency]) throws(AmountFault) -> Currency? {
    do throws(AmountFault) { return try currency(text.filter { !$0.isSpaceInNumbers }, preferred: preferred) } catch {
      let words = text.split(whereSeparator: \.isSpaceInNumbers)
      guard words.count == 2, let first = try currency(String(words[0]), preferred: preferred),
        let second = try currency(String(words[1]), preferred: preferred)
      else { throw error }
      guard first == second else { throw AmountFault.twoCurrencies }
      return first
    }
  }

  /// The currency that a word names; nil for an ambiguous symbol.
  private static func currency(_ word: String, preferred: [Currency]) throws(AmountFault) -> Currency? {
    if let currency = Currency(word.uppercased()), currency.isListed { return currency }
    let folded = word.lowercased()
    guard let candidates = symbols[folded] else { throw AmountFault.unknownText }
    return preferred.first { candidates.contains($0) } ?? (candidates.count == 1 ? candidates.first : nil)
  }

  /// Symbols in lower case with the currencies that have them.
  private static let symbols: [String: [Currency]] = [
    "$": "USD AUD CAD MXN NZD SGD HKD ARS CLP COP", "us$": "USD", "ca$": "CAD", "c$": "CAD", "can$": "CAD",
    "a$": "AUD", "au$": "AUD", "nz$": "NZD", "hk$": "HKD", "s$": "SGD", "mx$": "MXN", "mex$": "MXN",
    "nt$": "TWD", "r$": "BRL", "r": "ZAR", "rp": "IDR", "rp.": "IDR", "rm": "MYR", "лв": "BGN",
    "лв.": "BGN",
    "€": "EUR", "euro": "EUR", "£": "GBP", "¥": "JPY CNY", "￥": "JPY CNY", "円": "JPY", "元": "CNY",
    "kr": "SEK NOK DKK ISK", "kr.": "DKK SEK NOK ISK", "fr": "CHF", "fr.": "CHF", "sfr": "CHF",
    "sfr.": "CHF", "₹": "INR", "₩": "KRW", "zł": "PLN", "kč": "CZK", "ft": "HUF", "lei": "RON",
    "₺": "TRY", "₴": "UAH", "₪": "ILS", "฿": "THB", "₫": "VND", "₱": "PHP", "₽": "RUB",
  ].mapValues { $0.split(separator: " ").compactMap { Currency(String($0)) } }

  /// The symbols that are the main one of several currencies.
  static let sharedSymbols = symbols.filter { ["$", "kr", "¥"].contains($0.key) }
}

// The number. It is money, so no digit is dropped, and it stands alone, so Indian grouping and every apostrophe are
// accepted; a table cell goes by its column instead (`Tables.NumberText`).
extension AmountText {
  /// The readings of the number.
  func reading(style: AmountStyle?) throws(AmountFault) -> AmountReading {
    // Spaces and apostrophes never mark decimals, so only two readings are possible.
    let byPoint = try value(decimal: ".", group: ",")
    let byComma = try value(decimal: ",", group: ".")
    if let style, let read = style.decimalSeparator == "," ? byComma : byPoint { return .amount(read) }
    guard let point = byPoint ?? byComma else { throw .separators }
    guard let comma = byPoint == nil ? nil : byComma, point.amount != comma.amount else { return .amount(point) }
    return point.decimalSeparator != nil
      ? .ambiguous(decimal: point, grouped: comma) : .ambiguous(decimal: comma, grouped: point)
  }

  /// The amount if `decimal` marks decimals and `group`, a space or an apostrophe separates thousands; nil when the number
  /// cannot be read that way.
  private func value(decimal: Character, group: Character) throws(AmountFault) -> ReadAmount? {
    let parts = number.split(separator: decimal, omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = parts.first else { return nil }
    let fraction = parts.count == 2 ? parts[1] : ""
    guard fraction.allSatisfy(\.isDigitOfASCII), parts.count == 1 || !fraction.isEmpty else { return nil }
    guard let (digits, separator) = AmountText.ungrouped(whole, group: group) else { return nil }
    // `Decimal` accepts no leading zeros.
    let significant = digits.drop { $0 == "0" }
    guard significant.utf8.count + fraction.utf8.count <= 18, fraction.utf8.count <= Decimal.maximumScale else {
      throw .tooLong
    }
    let text = (significant.isEmpty ? "0" : String(significant)) + (fraction.isEmpty ? "" : ".\(fraction)")
    guard let value = Decimal(text) else { return nil }
    return ReadAmount(
      amount: isNegative ? value.negated ?? value : value, currency: currency,
      decimalSeparator: parts.count == 2 ? decimal : nil, groupSeparator: separator)
  }

  /// The digits of a whole number without thousands separators, and the separator; nil when they are misplaced. Groups have
  /// three digits, or, as in India, two before the last three; all separators are of one kind, and no group begins the number
  /// with zero.
  private static func ungrouped(_ text: Substring, group: Character) -> (digits: String, separator: Character?)? {
    guard let separator = text.first(where: { !$0.isDigitOfASCII }) else { return (String(text), nil) }
    func isSame(_ character: Character) -> Bool {
      if separator.isSpaceInNumbers { return character.isSpaceInNumbers }
      return separator.isApostrophe ? character.isApostrophe : character == separator
    }
    guard separator == group || separator.isSpaceInNumbers || separator.isApostrophe else { return nil }
    let groups = text.split(omittingEmptySubsequences: false, whereSeparator: isSame)
    guard groups.allSatisfy({ $0.allSatisfy(\.isDigitOfASCII) }), let first = groups.first, let last = groups.last,
      (1...3).contains(first.count), first.first != "0", last.count == 3
    else { return nil }
    let inner = groups.dropFirst().dropLast()
    let isIndian = !inner.isEmpty && first.count <= 2 && inner.allSatisfy { $0.count == 2 }
    guard isIndian || inner.allSatisfy({ $0.count == 3 }) else { return nil }
    return (groups.joined(), separator)
  }
}

extension Character {
  var isDigitOfASCII: Bool { isASCII && isWholeNumber }

  /// A space in or next to numbers: plain, no-break, narrow no-break, thin, figure, tab.
  var isSpaceInNumbers: Bool {
    switch self {
    case " ", "\t", "\u{A0}", "\u{202F}", "\u{2009}", "\u{2007}": true
    default: false
    }
  }

  /// An apostrophe, which can only separate thousands.
  var isApostrophe: Bool { self == "'" || self == "’" || self == "ʼ" || self == "`" }
}
