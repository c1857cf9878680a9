/// A JSON number with its lexeme: `7`, `7.0` and `7e0` differ in text and are equal in value.
package struct JSONNumber: Sendable, Hashable {
  /// The text, in the grammar of RFC 8259 §6.
  package let lexeme: String

  /// Takes a checked text.
  init(checked lexeme: String) {
    self.lexeme = lexeme
  }

  package init(_ value: Int) {
    lexeme = String(value)
  }

  /// Whether a byte can continue a number after its first digits.
  @inline(__always)
  static func continues(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e")
  }

  /// Whether both have the same value, however they are written. Exponents beyond a million count as equal.
  package func isEqualInValue(to other: JSONNumber) -> Bool {
    if lexeme == other.lexeme { return true }
    let (left, right) = (scaled, other.scaled)
    return left.digits == right.digits && left.shift == right.shift && left.isNegative == right.isNegative
  }

  /// The value as an integer, if it is one and fits; `12.0`, `1.2e1` and `120e-1` are 12.
  package var integer: Int? {
    let (digits, shift, isNegative) = scaled
    guard !digits.isEmpty else { return 0 }
    guard shift >= 0, digits.count + shift <= 19 else { return nil }
    var value = 0
    for digit in digits + [UInt8](repeating: 0, count: shift) {
      let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tenfold.subtractingReportingOverflow(Int(digit))
      guard !overflow, !carry else { return nil }
      value = sum
    }
    // Accumulates negatively, so that `Int.min` fits.
    if isNegative { return value }
    let (positive, overflow) = (0).subtractingReportingOverflow(value)
    return overflow ? nil : positive
  }

  /// The value as digits × 10^shift, the digits without zeros at either end; 0 has none.
  private var scaled: (digits: [UInt8], shift: Int, isNegative: Bool) {
    var digits: [UInt8] = []
    var isNegative = false
    var fraction = 0
    var exponent = 0
    var isExponentNegative = false
    var part = 0
    for byte in lexeme.utf8 {
      switch byte {
      case UInt8(ascii: "-"): if part == 2 { isExponentNegative = true } else { isNegative = true }
      case UInt8(ascii: "+"): break
      case UInt8(ascii: "."): part = 1
      case UInt8(ascii: "e"), UInt8(ascii: "E"): part = 2
      default:
        let digit = byte &- UInt8(ascii: "0")
        if part == 2 {
          exponent = min(exponent * 10 + Int(digit), 1_000_000)
        } else {
          if !(digits.isEmpty && digit == 0) { digits.append(digit) }
          if part == 1 { fraction += 1 }
        }
      }
    }
    var shift = (isExponentNegative ? -exponent : exponent) - fraction
    while let last = digits.last, last == 0 {
      digits.removeLast()
      shift += 1
    }
    return digits.isEmpty ? ([], 0, false) : (digits, shift, isNegative)
  }
}
