import JSON
import Values

extension JSONReader {
  /// Reads a string whose length in Unicode scalars lies in `range`; `trimmed` removes surrounding white space first,
  /// and turns invisible text into "" unless it `mayBeBlank`.
  package mutating func text(
    in range: ClosedRange<Int>, trimmed: Bool = false, mayBeBlank: Bool = false
  ) throws(JSONError) -> String {
    _ = peek()
    let start = position
    var text = try string()
    if trimmed {
      text = text.trimmed
      if !mayBeBlank, !text.isVisible { text = "" }
    }
    // A text has at most as many scalars as bytes, so most texts need no counting.
    let bytes = text.utf8.count
    if bytes > range.upperBound || bytes < range.lowerBound || range.lowerBound > 1 {
      let count = text.unicodeScalars.count
      guard range.contains(count) else {
        throw JSONError(.outOfRange, at: start, expected: JSONReader.expected(range, text))
      }
    }
    return text
  }

  /// What a text of another length should have been.
  private static func expected(_ range: ClosedRange<Int>, _ text: String) -> String {
    if range.upperBound == .max { return "a text of at least \(range.lowerBound) characters" }
    guard range == currencyLength else { return "a text of \(range.lowerBound) to \(range.upperBound) characters" }
    let hint = currencySymbols[text].map { "; did you mean “\($0)”?" } ?? ""
    return "a currency of ISO 4217 in capitals, such as EUR\(hint)"
  }

  /// Every text of this length is a currency; a test of the protocol's description verifies it.
  private static let currencyLength = 3...3

  /// The symbols that people type instead of codes.
  private static var currencySymbols: [String: String] { ["€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY"] }

  /// Reads a decimal within integer bounds and with at most `scale` digits after the point.
  package mutating func decimal(minimum: Int64?, maximum: Int64?, scale: Int?) throws(JSONError) -> Decimal {
    _ = peek()
    let start = position
    let value = try Decimal(from: &self)
    // The usual bound is 0, and testing the sign is cheaper than comparing.
    let isAtLeast = minimum.map { $0 == 0 ? value.significand >= 0 : value >= Decimal($0) } ?? true
    let isAtMost = maximum.map { value <= Decimal($0) } ?? true
    let isInRange = isAtLeast && isAtMost && scale.map { value.scale <= $0 } ?? true
    guard isInRange else {
      var expected = "a decimal number"
      if let minimum { expected += " from \"\(minimum)\"" }
      if let maximum { expected += " to \"\(maximum)\"" }
      if let scale { expected += ", at most \(scale) digits after the point" }
      throw JSONError(.outOfRange, at: start, expected: expected)
    }
    return value
  }
}

extension String {
  /// The text without leading and trailing Unicode white space.
  package var trimmed: String {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }

  /// Whether any of its scalars is visible.
  package var isVisible: Bool { unicodeScalars.contains { $0.isVisible } }
}

extension Unicode.Scalar {
  /// Whether the scalar is visible: not white space, a control or format character, or default-ignorable.
  package var isVisible: Bool {
    if value < 0x7F { return value > 0x20 }
    let properties = properties
    if properties.isWhitespace || properties.isDefaultIgnorableCodePoint || value == 0x2800 { return false }
    switch properties.generalCategory {
    case .control, .format, .surrogate: return false
    default: return true
    }
  }
}
