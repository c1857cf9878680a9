import JSON

/// The value of a JSON number, exactly: a sign, digits and a power of ten, however long.
struct NumberValue: Equatable {
  /// Whether it is below zero.
  let isNegative: Bool
  /// The digits without zeros at either end; none for zero.
  let digits: [UInt8]
  /// The power of ten the digits are multiplied with.
  let exponent: Int

  /// The value of a number, in any spelling.
  init(_ number: JSONNumber) {
    var digits: [UInt8] = []
    var shift = 0
    var exponent = 0
    var hasNegativeExponent = false
    var part = 0
    for byte in number.lexeme.utf8 {
      switch byte {
      case UInt8(ascii: "-"): if part == 2 { hasNegativeExponent = true }
      case UInt8(ascii: "."): part = 1
      case UInt8(ascii: "e"), UInt8(ascii: "E"): part = 2
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let digit = byte - UInt8(ascii: "0")
        if part == 2 {
          exponent = min(exponent * 10 + Int(digit), 1 << 40)
        } else {
          if !digits.isEmpty || digit != 0 { digits.append(digit) }
          if part == 1 { shift -= 1 }
        }
      default: break
      }
    }
    while digits.last == 0 {
      digits.removeLast()
      shift += 1
    }
    self.digits = digits
    self.exponent = digits.isEmpty ? 0 : shift + (hasNegativeExponent ? -exponent : exponent)
    isNegative = !digits.isEmpty && number.lexeme.utf8.first == UInt8(ascii: "-")
  }

  /// Whether it has no fraction.
  var isInteger: Bool { exponent >= 0 }
}
