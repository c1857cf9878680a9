/// A typed amount taken apart: sign, number, currency.
struct AmountText {
  /// Whether a minus stands before or behind the currency.
  let isNegative: Bool
  /// What begins and ends with a digit or a separator.
  let number: Substring
  /// The one currency that is meant.
  let currency: Currency?

  init(_ text: String, usual: [Currency]) throws(ReadFault) {
    guard let first = text.firstIndex(where: \.isDigitOfASCII), let last = text.lastIndex(where: \.isDigitOfASCII)
    else { throw ReadFault(.noNumber) }
    var start = first
    // A number may begin with its decimal separator.
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
    // The longest comes first.
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
    var one = before.isEmpty ? nil : try AmountText.currency(before, usual: usual)
    var other = after.allSatisfy(\.isSpaceInNumbers) ? nil : try AmountText.currency(behind: after, usual: usual)
    // What several currencies share is the one that is named beside it.
    if let first = one, let second = other, first != second {
      if try AmountText.currency(before, usual: [second]) == second { one = second }
      if try AmountText.currency(behind: after, usual: [first]) == first { other = first }
    }
    if let one, let other, one != other { throw ReadFault(.twoCurrencies) }
    // A symbol that several share does not go with a currency that has it not.
    if one == nil, !before.isEmpty, let other, try AmountText.currency(before, usual: [other]) == nil {
      throw ReadFault(.twoCurrencies)
    }
    if other == nil, let one, !after.allSatisfy(\.isSpaceInNumbers),
      try AmountText.currency(behind: after, usual: [one]) == nil
    {
      throw ReadFault(.twoCurrencies)
    }
    currency = one ?? other
  }

  /// What stands on one side of a number, without spaces, and whether there is a minus at its outer or inner end.
  private static func word(_ text: Substring) -> (word: String, minus: Bool?) {
    var word = text.filter { !$0.isSpaceInNumbers }
    guard let last = word.last, isMinus(last) || last == "+" else { return (String(word), nil) }
    word.removeLast()
    return (String(word), isMinus(last))
  }

  private static func isMinus(_ character: Character) -> Bool { character == "-" || character == "−" }

  /// The currency of what stands behind a number: one, with or without spaces in it, or two words that are one each.
  private static func currency(behind text: Substring, usual: [Currency]) throws(ReadFault) -> Currency? {
    do throws(ReadFault) { return try currency(text.filter { !$0.isSpaceInNumbers }, usual: usual) } catch {
      let words = text.split(whereSeparator: \.isSpaceInNumbers)
      guard words.count == 2, let first = try currency(String(words[0]), usual: usual),
        let second = try currency(String(words[1]), usual: usual)
      else { throw error }
      guard first == second else { throw ReadFault(.twoCurrencies) }
      return first
    }
  }

  /// The currency of a word; nil when it may be one of several.
  private static func currency(_ word: String, usual: [Currency]) throws(ReadFault) -> Currency? {
    if let currency = Currency(word.uppercased()), currency.isListed { return currency }
    let folded = word.lowercased()
    guard let (_, codes) = symbols.first(where: { $0.symbol == folded }) else { throw ReadFault(.unknownText) }
    let candidates = codes.split(separator: " ").compactMap { Currency(String($0)) }
    return usual.first { candidates.contains($0) } ?? (candidates.count == 1 ? candidates.first : nil)
  }

  /// Symbols in small letters, with whose they are.
  private static let symbols: [(symbol: String, codes: String)] = [
    ("$", "USD AUD CAD MXN NZD SGD HKD ARS CLP COP"), ("us$", "USD"), ("ca$", "CAD"), ("c$", "CAD"), ("can$", "CAD"),
    ("a$", "AUD"), ("au$", "AUD"), ("nz$", "NZD"), ("hk$", "HKD"), ("s$", "SGD"), ("mx$", "MXN"), ("mex$", "MXN"),
    ("nt$", "TWD"), ("r$", "BRL"), ("r", "ZAR"), ("rp", "IDR"), ("rp.", "IDR"), ("rm", "MYR"), ("лв", "BGN"),
    ("лв.", "BGN"),
    ("€", "EUR"), ("euro", "EUR"), ("£", "GBP"), ("¥", "JPY CNY"), ("￥", "JPY CNY"), ("円", "JPY"), ("元", "CNY"),
    ("kr", "SEK NOK DKK ISK"), ("kr.", "DKK SEK NOK ISK"), ("fr", "CHF"), ("fr.", "CHF"), ("sfr", "CHF"),
    ("sfr.", "CHF"), ("₹", "INR"), ("₩", "KRW"), ("zł", "PLN"), ("kč", "CZK"), ("ft", "HUF"), ("lei", "RON"),
    ("₺", "TRY"), ("₴", "UAH"), ("₪", "ILS"), ("฿", "THB"), ("₫", "VND"), ("₱", "PHP"), ("₽", "RUB"),
  ]
}

extension Character {
  /// One of 0…9.
  var isDigitOfASCII: Bool { isASCII && isWholeNumber }

  /// A space that people put into or beside a number: plain, no-break, narrow no-break, thin, figure, tab.
  var isSpaceInNumbers: Bool {
    switch self {
    case " ", "\t", "\u{A0}", "\u{202F}", "\u{2009}", "\u{2007}": true
    default: false
    }
  }

  /// A mark that parts thousands and nothing else.
  var isApostrophe: Bool { self == "'" || self == "’" || self == "ʼ" || self == "`" }
}
