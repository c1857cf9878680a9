/// Text with its repetitions taken out (LZ77), which is text again, so that it can stand in a source file as a literal.
///
/// Every byte stands for itself but two marks. Behind a mark stands a length and how far back that much is copied from, in
/// digits of base 92: `~`, one digit of length, two of distance; or `&`, one of length, three of distance. A length of 0 stands
/// for the mark itself, without a distance. The digits are the printable ASCII characters without `"`, `#` and `\`, so that a
/// literal between `##"` and `"##` needs no escape that the text did not need.
package enum PackedText {
  /// How a copy is written.
  struct Mark {
    let byte: UInt8
    /// Digits of its distance.
    let places: Int
    /// The distances it can say are below this.
    let reach: Int

    /// The bytes of a copy.
    var cost: Int { 2 + places }
  }

  static let near = Mark(byte: UInt8(ascii: "~"), places: 2, reach: base * base)
  static let far = Mark(byte: UInt8(ascii: "&"), places: 3, reach: base * base * base)
  static let base = 92

  /// The mark that a byte is.
  static func mark(_ byte: UInt8) -> Mark? { byte == near.byte ? near : byte == far.byte ? far : nil }

  /// The text that was packed; nil for what no packing makes: a mark that is cut off, a digit that is none, or a copy of what is
  /// not there.
  package static func unpack(_ packed: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var text: [UInt8] = []
    text.reserveCapacity(packed.count &* 8)
    var at = 0
    /// The number that the next digits are.
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
      // One by one: a copy may reach into what it writes.
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
