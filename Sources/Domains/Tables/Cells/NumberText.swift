import DaybookProtocol

extension TableDecimalMark {
  fileprivate var byte: UInt8 { self == .comma ? UInt8(ascii: ",") : UInt8(ascii: ".") }
}

/// Parses numbers of many locales: `1234.5`, `1,234.5`, `1.234,5`, `1 234,5`, `1'234.5`.
package enum NumberText {
  /// The number that a text names. Without a decimal mark, `1.234` is ambiguous; the reading with the mark `.` comes first.
  /// Fractions are cut to nine digits.
  package static func reading(_ text: String, mark: TableDecimalMark?) -> CellReading<Decimal> {
    // The fast path for plain numbers.
    if let plain = Decimal(text), plain.scale == 0 || mark == .point { return .value(plain) }
    guard let parts = Parts(text) else { return .invalid }
    if let mark { return parts.value(mark).map { .value($0) } ?? .invalid }
    switch (parts.value(.point), parts.value(.comma)) {
    case (let point?, let comma?): return point == comma ? .value(point) : .ambiguous(point, comma)
    case (let value?, nil), (nil, let value?): return .value(value)
    case (nil, nil): return .invalid
    }
  }

  /// The decimal mark that a text proves; nil when it could be either.
  package static func evidence(_ text: String) -> TableDecimalMark? {
    // Most numbers have no mark.
    guard text.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }), let parts = Parts(text)
    else { return nil }
    switch (parts.value(.point), parts.value(.comma)) {
    case (.some, nil): return .point
    case (nil, .some): return .comma
    default: return nil
    }
  }

  /// The text from its first digit to its last: `12,50` of `€ 12,50`.
  static func core(_ text: String) -> String {
    func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
    let bytes = text.utf8
    guard let first = bytes.firstIndex(where: isDigit), let last = bytes.lastIndex(where: isDigit) else { return "" }
    return String(text[first...last])
  }

  /// Whether a text cannot contradict a mark; a quick check.
  static func agrees(_ text: String, with mark: TableDecimalMark?) -> Bool {
    var marks = 0
    for byte in text.utf8 where byte == TableDecimalMark.point.byte || byte == TableDecimalMark.comma.byte {
      guard byte == mark?.byte else { return false }
      marks += 1
    }
    return marks < 2
  }

  /// A number split at its marks.
  private struct Parts {
    var isNegative = false
    /// Runs of digits.
    var digits: [[UInt8]] = [[]]
    /// The marks between them: points, commas, or spaces, which also stand for apostrophes.
    var marks: [UInt8] = []

    init?(_ text: String) {
      for scalar in text.trimmedCell.unicodeScalars {
        switch scalar.value {
        case 0x30...0x39: digits[digits.count - 1].append(UInt8(scalar.value - 0x30))
        case 0x2E, 0x2C: cut(UInt8(scalar.value))
        // Spaces, no-break spaces, and straight and curly apostrophes.
        case 0x20, 0xA0, 0x202F, 0x2009, 0x27, 0x2019: cut(0x20)
        case 0x2D, 0x2212:
          guard isAtStart, !isNegative else { return nil }
          isNegative = true
        case 0x2B:
          guard isAtStart, !isNegative else { return nil }
        default: return nil
        }
      }
      guard digits.contains(where: { !$0.isEmpty }) else { return nil }
    }

    private var isAtStart: Bool { marks.isEmpty && digits[0].isEmpty }

    private mutating func cut(_ mark: UInt8) {
      marks.append(mark)
      digits.append([])
    }

    /// The number with this decimal mark; nil if its marks are not where they would have to be.
    func value(_ mark: TableDecimalMark) -> Decimal? {
      var whole = digits
      var fraction: [UInt8] = []
      var separators = marks
      if separators.last == mark.byte {
        separators.removeLast()
        fraction = whole.removeLast()
        guard !fraction.isEmpty else { return nil }
      }
      if let separator = separators.first {
        // One kind of separator, other than the decimal mark, with three digits after each, and no leading zero.
        guard separator != mark.byte, separators.allSatisfy({ $0 == separator }), (1...3).contains(whole[0].count),
          whole[0][0] != 0, whole.dropFirst().allSatisfy({ $0.count == 3 })
        else { return nil }
      }
      return Parts.decimal(whole.flatMap { $0 }, Array(fraction.prefix(Decimal.maximumScale)), isNegative)
    }

    private static func decimal(_ whole: [UInt8], _ fraction: [UInt8], _ isNegative: Bool) -> Decimal? {
      var significand: Int64 = 0
      var scale = fraction.count
      for (index, digit) in (whole + fraction).enumerated() {
        let (shifted, overflow) = significand.multipliedReportingOverflow(by: 10)
        let (sum, overflowAgain) = shifted.addingReportingOverflow(Int64(digit))
        if overflow || overflowAgain {
          // A fraction is cut to the digits that fit.
          guard index >= whole.count else { return nil }
          scale = index - whole.count
          break
        }
        significand = sum
      }
      return Decimal(significand: isNegative ? -significand : significand, scale: scale)
    }
  }
}

extension String {
  /// The text without surrounding white space.
  package var trimmedCell: String {
    guard let first = unicodeScalars.first, let last = unicodeScalars.last,
      first.properties.isWhitespace || last.properties.isWhitespace
    else { return self }
    var rest = unicodeScalars[...]
    while rest.first?.properties.isWhitespace == true { rest.removeFirst() }
    while rest.last?.properties.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
