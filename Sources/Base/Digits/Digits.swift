/// Decimal digits of a number, computed eight at a time in one machine word, at a fraction of the cost of eight
/// divisions.
@usableFromInline
package enum Digits {
  /// The smallest number with nine digits.
  @inlinable
  package static var limit: UInt64 { 100_000_000 }

  /// The eight digits of a number below `limit`, with leading zeros; the first digit is in the lowest byte.
  @inlinable
  @inline(__always)
  package static func eight(_ number: UInt64) -> UInt64 {
    // Splits all parts of one size at once: into two halves, those into quarters, those into digits. The products are
    // exact here.
    let upper = number / 10_000
    let fours = upper | (number &- upper &* 10_000) &<< 32
    let hundreds = (fours &* 10_486) &>> 20 & 0x0000_007F_0000_007F
    let twos = hundreds | (fours &- hundreds &* 100) &<< 16
    let tens = (twos &* 103) &>> 10 & 0x000F_000F_000F_000F
    return tens | (twos &- tens &* 10) &<< 8 | 0x3030_3030_3030_3030
  }

  /// The number of leading zeros in an eight-digit text, 0…7; the last digit is never counted.
  @inlinable
  @inline(__always)
  package static func zeros(before text: UInt64) -> Int {
    // Setting a bit in the last digit ends the count there, so that zero counts 7.
    (text & 0x0F0F_0F0F_0F0F_0F0F | 1 &<< 56).trailingZeroBitCount &>> 3
  }

  /// The digits of a text from `index` (0…7) on.
  @inlinable
  @inline(__always)
  package static func suffix(_ text: UInt64, from index: Int) -> UInt64 {
    text &>> UInt64(truncatingIfNeeded: index &* 8)
  }

  /// Writes a number to `target`, which has room for 20 bytes, and returns its number of digits, 1…20.
  @inlinable
  @inline(__always)
  package static func write(_ number: UInt64, to target: UnsafeMutablePointer<UInt8>) -> Int {
    guard number < limit else { return writeLong(number, to: target) }
    let text = eight(number)
    let zeros = zeros(before: text)
    store(suffix(text, from: zeros), to: target)
    return 8 &- zeros
  }

  @usableFromInline
  @inline(never)
  static func writeLong(_ number: UInt64, to target: UnsafeMutablePointer<UInt8>) -> Int {
    let upper = number / limit
    let count = upper < limit ? write(upper, to: target) : writeLong(upper, to: target)
    store(eight(number &- upper &* limit), to: target + count)
    return count &+ 8
  }

  /// Stores eight bytes, the lowest first.
  @inlinable
  @inline(__always)
  package static func store(_ text: UInt64, to target: UnsafeMutablePointer<UInt8>) {
    UnsafeMutableRawPointer(target).storeBytes(of: text.littleEndian, as: UInt64.self)
  }

  /// Stores the digits `index` and `index` + 1 of a text.
  @inlinable
  @inline(__always)
  package static func storeTwo(of text: UInt64, at index: Int, to target: UnsafeMutablePointer<UInt8>) {
    let two = UInt16(truncatingIfNeeded: suffix(text, from: index))
    UnsafeMutableRawPointer(target).storeBytes(of: two.littleEndian, as: UInt16.self)
  }
}
