/// The identity of a record: a UUID (RFC 9562) of any version, 128 bits, made once and never changed.
package struct EntityID: Hashable, Sendable, Comparable {
  /// The first eight octets, most significant first.
  package let high: UInt64
  /// The last eight octets, most significant first.
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Whether it follows from something: a UUID of version 8.
  package var isDerived: Bool { high & 0xF000 == 0x8000 }

  /// A random (version 4, variant 1) id out of 128 bits of randomness; the six fixed bits are overwritten.
  package init(randomHigh: UInt64, randomLow: UInt64) {
    self.init(
      high: (randomHigh & ~0xF000) | 0x4000,
      low: (randomLow & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000)
  }

  /// The id whose text is `8-4-4-4-12` hexadecimal digits of either case; nil for anything else.
  package init?(utf8 text: UnsafeBufferPointer<UInt8>) {
    guard text.count == 36 else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    var digits = 0
    for index in 0..<36 {
      let byte = text[index]
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      let nibble: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): nibble = byte &- UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): nibble = byte &- UInt8(ascii: "a") &+ 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): nibble = byte &- UInt8(ascii: "A") &+ 10
      default: return nil
      }
      if digits < 16 { high = high << 4 | UInt64(nibble) } else { low = low << 4 | UInt64(nibble) }
      digits += 1
    }
    self.init(high: high, low: low)
  }

  /// The same, from a string.
  package init?(_ text: String) {
    var text = text
    guard let id = text.withUTF8({ EntityID(utf8: $0) }) else { return nil }
    self = id
  }

  /// Writes the 36 bytes of the canonical lower-case text at `target`, which has room for them.
  package func write(to target: UnsafeMutablePointer<UInt8>) {
    EntityID.write(high &>> 32, digits: 8, to: target)
    target[8] = UInt8(ascii: "-")
    EntityID.write(high &>> 16, digits: 4, to: target + 9)
    target[13] = UInt8(ascii: "-")
    EntityID.write(high, digits: 4, to: target + 14)
    target[18] = UInt8(ascii: "-")
    EntityID.write(low &>> 48, digits: 4, to: target + 19)
    target[23] = UInt8(ascii: "-")
    EntityID.write(low &>> 32, digits: 4, to: target + 24)
    EntityID.write(low, digits: 8, to: target + 28)
  }

  /// Writes the lowest hexadecimal digits, 4 or 8, of a number, all of them at once in the bytes of a word.
  @inline(__always)
  private static func write(_ number: UInt64, digits: Int, to target: UnsafeMutablePointer<UInt8>) {
    // One digit a byte, the first in the lowest.
    var word = digits == 8 ? number & 0xFFFF_FFFF : (number & 0xFFFF) &<< 16
    word = (word &<< 16 | word) & 0x0000_FFFF_0000_FFFF
    word = (word &<< 8 | word) & 0x00FF_00FF_00FF_00FF
    word = ((word &<< 4 | word) & 0x0F0F_0F0F_0F0F_0F0F).byteSwapped
    // 0x06 carries a digit from 10 on into its upper half.
    let letters = (word &+ 0x0606_0606_0606_0606) &>> 4 & 0x0101_0101_0101_0101
    let text = (word &+ 0x3030_3030_3030_3030 &+ letters &* 0x27).littleEndian
    if digits == 8 {
      UnsafeMutableRawPointer(target).storeBytes(of: text, as: UInt64.self)
    } else {
      UnsafeMutableRawPointer(target).storeBytes(of: UInt32(truncatingIfNeeded: text), as: UInt32.self)
    }
  }

  /// Order of the canonical texts.
  package static func < (left: EntityID, right: EntityID) -> Bool {
    left.high != right.high ? left.high < right.high : left.low < right.low
  }
}

extension EntityID: CustomStringConvertible {
  /// The canonical lower-case text.
  package var description: String {
    String(unsafeUninitializedCapacity: 36) { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      write(to: base)
      return 36
    }
  }
}
