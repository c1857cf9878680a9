/// LZ77 compression of text into text that can be a literal in a source file.
///
/// Every byte stands for itself, except two marks, which are followed by a length and a backward distance in base-92
/// digits: `~` by one digit of length and two of distance, `&` by one and three. Length 0, without a distance, is the
/// mark character itself. The digits are the printable ASCII characters without `"`, `#` and `\`, so that a literal
/// between `##"` and `"##` needs no more escapes than the text itself.
package enum PackedText {
  /// A form of copy.
  struct Mark {
    let byte: UInt8
    /// The number of distance digits.
    let places: Int
    /// The exclusive limit of its distances.
    let reach: Int

    /// The length of an encoded copy, in bytes.
    var cost: Int { 2 + places }
  }

  static let near = Mark(byte: UInt8(ascii: "~"), places: 2, reach: base * base)
  static let far = Mark(byte: UInt8(ascii: "&"), places: 3, reach: base * base * base)
  static let base = 92

  /// The mark for a byte; nil for any other byte.
  static func mark(_ byte: UInt8) -> Mark? { byte == near.byte ? near : byte == far.byte ? far : nil }

  /// Decompresses a text; nil when it is invalid: a truncated mark, an invalid digit, or a copy from before the start.
  package static func unpack(_ packed: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var text: [UInt8] = []
    text.reserveCapacity(packed.count &* 8)
    var at = 0
    /// Reads the next digits as a number.
    func number(places: Int) -> Int? {
      guard at + places <= packed.count else { return nil }
      var number = 0
      for byte in packed[at..<at + places] {
        guard let digit = digit(byte) else { return nil }
        number = number * base + digit
      }
      at += places
      return number
    }
    while at < packed.count {
      let byte = packed[at]
      at += 1
      guard let mark = mark(byte) else {
        text.append(byte)
        continue
      }
      guard let length = number(places: 1) else { return nil }
      guard length > 0 else {
        text.append(byte)
        continue
      }
      guard let distance = number(places: mark.places), distance > 0, distance <= text.count else { return nil }
      // Byte by byte, because a copy may overlap its own output.
      for _ in 0..<length { text.append(text[text.count - distance]) }
    }
    return text
  }

  /// The digit of a value below the base.
  static func character(_ digit: Int) -> UInt8 {
    var byte = UInt8(truncatingIfNeeded: digit) &+ UInt8(ascii: " ")
    if byte >= UInt8(ascii: "\"") { byte &+= 2 }
    if byte >= UInt8(ascii: "\\") { byte &+= 1 }
    return byte
  }

  /// The value of a digit.
  static func digit(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: " ")...UInt8(ascii: "!"): Int(byte) - 0x20
    case UInt8(ascii: "$")...UInt8(ascii: "["): Int(byte) - 0x22
    case UInt8(ascii: "]")...UInt8(ascii: "~"): Int(byte) - 0x23
    default: nil
    }
  }
}
