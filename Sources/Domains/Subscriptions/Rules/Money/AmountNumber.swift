import Values

/// The number in a typed amount: digits, and separators of which it is open what they mean. It is money, so no digit is dropped, and it
/// stands alone, so Indian grouping and every kind of apostrophe are taken; a cell in a table goes by its column (`Tables.NumberText`).
struct AmountNumber {
  /// What the separators were taken for.
  struct Separators {
    var decimal: Character?
    var group: Character?
  }

  private let text: Substring

  init(_ text: Substring) { self.text = text }

  /// The readings of the number as one answer, made by `make`.
  func reading(
    style: AmountStyle?, _ make: (Separators, Decimal) -> ReadAmount
  ) throws(ReadFault) -> AmountReading {
    // Which of the two is the decimal separator decides everything: spaces and apostrophes never are.
    let byPoint = try value(decimal: ".", group: ",")
    let byComma = try value(decimal: ",", group: ".")
    if let style, let (separators, number) = style.decimalSeparator == "," ? byComma : byPoint {
      return .amount(make(separators, number))
    }
    switch (byPoint, byComma) {
    case (let found?, nil), (nil, let found?): return .amount(make(found.0, found.1))
    case (let point?, let comma?):
      guard point.1 != comma.1 else { return .amount(make(point.0, point.1)) }
      let (decimal, grouped) = point.0.decimal != nil ? (point, comma) : (comma, point)
      return .ambiguous(decimal: make(decimal.0, decimal.1), grouped: make(grouped.0, grouped.1))
    case (nil, nil): throw ReadFault(.separators)
    }
  }

  /// The number if `decimal` parts the fraction and `group`, or spaces or apostrophes, part thousands; nil when it cannot be
  /// read that way.
  private func value(decimal: Character, group: Character) throws(ReadFault) -> (Separators, Decimal)? {
    let parts = text.split(separator: decimal, omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = parts.first else { return nil }
    let fraction = parts.count == 2 ? parts[1] : ""
    guard fraction.allSatisfy(\.isDigitOfASCII), parts.count == 1 || !fraction.isEmpty else { return nil }
    guard let (digits, separator) = AmountNumber.ungrouped(whole, group: group) else { return nil }
    // Zeros in front say nothing, but a decimal takes none.
    let significant = digits.drop { $0 == "0" }
    guard significant.utf8.count + fraction.utf8.count <= 18, fraction.utf8.count <= Decimal.maximumScale else {
      throw ReadFault(.tooLong)
    }
    let number = (significant.isEmpty ? "0" : String(significant)) + (fraction.isEmpty ? "" : ".\(fraction)")
    guard let value = Decimal(number) else { return nil }
    return (Separators(decimal: parts.count == 2 ? decimal : nil, group: separator), value)
  }

  /// The digits of a whole number without what parts its thousands; nil when that stands in other places. Groups have three digits,
  /// or, as in India, two before the last three; only one kind of separator is used, and no group begins the number with zero.
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
