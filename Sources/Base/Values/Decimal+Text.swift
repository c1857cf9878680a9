import Digits

extension Decimal: CustomStringConvertible {
  /// The longest text, in bytes: a sign, nineteen digits and a point.
  package static let maximumTextLength = 21

  /// Parses `-?digits(.digits)?`; nil for anything else: an exponent, a plus sign, a leading zero, a point without
  /// digits on both sides, ten digits after the point, or more than an `Int64` holds.
  ///
  /// Trailing zeros are kept. The sign of a negative zero is dropped.
  package init?(utf8 text: UnsafeBufferPointer<UInt8>) {
    let isNegative = text.first == UInt8(ascii: "-")
    let start = isNegative ? 1 : 0
    var significand: Int64 = 0
    var point: Int?
    for index in start..<max(text.count, start) {
      let byte = text[index]
      if byte == UInt8(ascii: "."), point == nil, index > start {
        point = index
        continue
      }
      let digit = Int64(byte &- UInt8(ascii: "0"))
      guard digit < 10 else { return nil }
      if index == start + 1, point == nil, significand == 0 { return nil }
      let (shifted, overflow) = significand.multipliedReportingOverflow(by: 10)
      // Accumulates with the sign, so that `Int64.min` can be read.
      let (sum, overflowAgain) = shifted.addingReportingOverflow(isNegative ? -digit : digit)
      guard !overflow, !overflowAgain else { return nil }
      significand = sum
    }
    guard text.count > start else { return nil }
    let scale = point.map { text.count - $0 - 1 } ?? 0
    guard point == nil || scale > 0 else { return nil }
    self.init(significand: significand, scale: scale)
  }

  /// The same, from a string.
  package init?(_ text: String) {
    var text = text
    guard let decimal = text.withUTF8({ Decimal(utf8: $0) }) else { return nil }
    self = decimal
  }

  /// Writes the canonical text to `target`, which has room for `maximumTextLength` bytes, and returns its length, 1…21.
  package func write(to target: UnsafeMutablePointer<UInt8>) -> Int {
    if significand.magnitude < Digits.limit, scale < 8 { return writeShort(to: target) }
    var rest = significand.magnitude
    // The digits of the significand, padded to at least one before the point.
    var digits = 1
    var power: UInt64 = 10
    while digits < 19, power <= rest {
      digits += 1
      power &*= 10
    }
    digits = max(digits, scale + 1)
    let sign = significand < 0 ? 1 : 0
    if sign == 1 { target[0] = UInt8(ascii: "-") }
    let length = sign + digits + (scale > 0 ? 1 : 0)
    var at = length
    for index in 0..<digits {
      if index == scale, scale > 0 {
        at -= 1
        target[at] = UInt8(ascii: ".")
      }
      at -= 1
      target[at] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    return length
  }

  /// Writes at most eight digits with two word stores: the integer part, then the fraction.
  @inline(__always)
  private func writeShort(to target: UnsafeMutablePointer<UInt8>) -> Int {
    var target = target
    let sign = significand < 0 ? 1 : 0
    if sign == 1 {
      target[0] = UInt8(ascii: "-")
      target += 1
    }
    let padded = Digits.eight(significand.magnitude)
    let count = max(8 &- Digits.zeros(before: padded), scale &+ 1)
    let text = Digits.suffix(padded, from: 8 &- count)
    Digits.store(text, to: target)
    guard scale > 0 else { return sign &+ count }
    let whole = count &- scale
    target[whole] = UInt8(ascii: ".")
    Digits.store(Digits.suffix(text, from: whole), to: target + whole + 1)
    return sign &+ count &+ 1
  }

  /// The canonical text: the digits as given, without the sign of a negative zero.
  package var description: String {
    String(unsafeUninitializedCapacity: Decimal.maximumTextLength) { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      return write(to: base)
    }
  }
}
