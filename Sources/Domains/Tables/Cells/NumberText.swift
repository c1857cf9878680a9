import DaybookProtocol
import Values

extension TableDecimalMark {
  /// What stands before the fraction of a number; the other one may stand between thousands.
  fileprivate var byte: UInt8 { self == .comma ? UInt8(ascii: ",") : UInt8(ascii: ".") }
}

/// Numbers in cells as programs and people of many countries write them: `1234.5`, `1,234.5`, `1.234,5`, `1 234,5`, `1'234.5`.
package enum NumberText {
  /// What a text says, white space around it aside. Without a decimal mark `1.234` is two numbers, which come with the mark `.` first.
  /// Of a fraction nine digits count.
  package static func reading(_ text: String, mark: TableDecimalMark?) -> CellReading<Decimal> {
    // As most are written, and as they can be read at once.
    if let plain = Decimal(text), plain.scale == 0 || mark == .point { return .value(plain) }
    guard let parts = Parts(text) else { return .invalid }
    if let mark { return parts.value(mark).map { .value($0) } ?? .invalid }
    switch (parts.value(.point), parts.value(.comma)) {
    case (let point?, let comma?): return point == comma ? .value(point) : .ambiguous(point, comma)
    case (let value?, nil), (nil, let value?): return .value(value)
    case (nil, nil): return .invalid
    }
  }

  /// The decimal mark that a text shows; nil when it could be either.
  package static func evidence(_ text: String) -> TableDecimalMark? {
    // Most numbers have no mark at all.
    guard text.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }), let parts = Parts(text)
    else { return nil }
    switch (parts.value(.point), parts.value(.comma)) {
    case (.some, nil): return .point
    case (nil, .some): return .comma
    default: return nil
    }
  }

  /// What of a text is between its first digit and its last: the number of `€ 12,50`.
  static func core(_ text: String) -> String {
    func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
    let bytes = text.utf8
    guard let first = bytes.firstIndex(where: isDigit), let last = bytes.lastIndex(where: isDigit) else { return "" }
    return String(text[first...last])
  }

  /// Whether a text has nothing in it that could speak against a mark; a quick check.
  static func agrees(_ text: String, with mark: TableDecimalMark?) -> Bool {
    var marks = 0
    for byte in text.utf8 where byte == TableDecimalMark.point.byte || byte == TableDecimalMark.comma.byte {
      guard byte == mark?.byte else { return false }
      marks += 1
    }
    return marks < 2
  }

  /// A number cut at its marks.
  private struct Parts {
    var isNegative = false
    /// Runs of digits.
    var digits: [[UInt8]] = [[]]
    /// What stands between them: a point, a comma, or a space or an apostrophe as a space.
    var marks: [UInt8] = []

    init?(_ text: String) {
      for scalar in text.trimmedCell.unicodeScalars {
        switch scalar.value {
        case 0x30...0x39: digits[digits.count - 1].append(UInt8(scalar.value - 0x30))
        case 0x2E, 0x2C: cut(UInt8(scalar.value))
        // Spaces, the ones that do not break among them, and apostrophes, straight and curly.
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

    /// The number, when that is its decimal mark; nil when its marks do not stand where they then would.
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
        // One kind, never the decimal mark, and three digits behind each; nothing is grouped behind a zero.
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
          // Of a fraction what fits is enough.
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
  /// The text without white space around it.
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
