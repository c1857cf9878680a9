/// The immutable id of a record: a UUID (RFC 9562) of any version, 128 bits.
package struct EntityID: Hashable, Sendable, Comparable {
  /// The first eight octets, most significant first.
  package let high: UInt64
  /// The last eight octets, most significant first.
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Whether the id was derived from other data rather than random: a UUID of version 8.
  package var isDerived: Bool { high & 0xF000 == 0x8000 }

  /// A random UUID (version 4, variant 1) from 128 random bits; overwrites the six fixed bits.
  package init(randomHigh: UInt64, randomLow: UInt64) {
    self.init(
      high: (randomHigh & ~0xF000) | 0x4000,
      low: (randomLow & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000)
  }

  /// Parses `8-4-4-4-12` hexadecimal digits of either case; nil for anything else.
  package init?(utf8 text: UnsafeBufferPointer<UInt8>) {
    guard text.count == 36, let start = UnsafeRawPointer(text.baseAddress) else { return nil }
    for index in [8, 13, 18, 23] where text[index] != UInt8(ascii: "-") { return nil }
    func half(_ offset: Int) -> UInt64 {
      UInt64(UInt32(littleEndian: (start + offset).loadUnaligned(as: UInt32.self)))
    }
    func whole(_ offset: Int) -> UInt64 { half(offset) | half(offset + 4) &<< 32 }
    guard let first = EntityID.number(whole(0)), let second = EntityID.number(half(9) | half(14) &<< 32),
      let third = EntityID.number(half(19) | half(24) &<< 32), let fourth = EntityID.number(whole(28))
    else { return nil }
    self.init(high: first &<< 32 | second, low: third &<< 32 | fourth)
  }

  /// Parses eight hexadecimal digits at once, the first in the lowest byte; nil when one is invalid.
  @inline(__always)
  private static func number(_ text: UInt64) -> UInt64? {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let marks = ones &* 0x80
    /// Marks the bytes that are at least `least` by their high bits; all bytes must be below 0x80.
    func reaching(_ least: UInt8, _ bytes: UInt64) -> UInt64 { (bytes &+ ones &* UInt64(0x80 &- least)) & marks }
    guard text & marks == 0 else { return nil }
    let lower = text | ones &* 0x20
    let letters = reaching(UInt8(ascii: "a"), lower) & ~reaching(UInt8(ascii: "g"), lower)
    guard letters | reaching(UInt8(ascii: "0"), text) & ~reaching(UInt8(ascii: ":"), text) == marks else { return nil }
    var word = (text & (ones &* 0x0F) &+ (letters &>> 7) &* 9).byteSwapped
    word = (word | word &>> 4) & 0x00FF_00FF_00FF_00FF
    word = (word | word &>> 8) & 0x0000_FFFF_0000_FFFF
    return (word | word &>> 16) & 0xFFFF_FFFF
  }

  /// The same, from a string.
  package init?(_ text: String) {
    var text = text
    guard let id = text.withUTF8({ EntityID(utf8: $0) }) else { return nil }
    self = id
  }

  /// Writes the 36 bytes of the canonical lower-case text to `target`.
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

  /// Writes the lowest 4 or 8 hexadecimal digits of a number with one word store.
  @inline(__always)
  private static func write(_ number: UInt64, digits: Int, to target: UnsafeMutablePointer<UInt8>) {
    // Spreads the digits to one a byte, the first in the lowest.
    var word = digits == 8 ? number & 0xFFFF_FFFF : (number & 0xFFFF) &<< 16
    word = (word &<< 16 | word) & 0x0000_FFFF_0000_FFFF
    word = (word &<< 8 | word) & 0x00FF_00FF_00FF_00FF
    word = ((word &<< 4 | word) & 0x0F0F_0F0F_0F0F_0F0F).byteSwapped
    // Adding 6 carries digits from 10 on into the upper half of their byte.
    let letters = (word &+ 0x0606_0606_0606_0606) &>> 4 & 0x0101_0101_0101_0101
    let text = (word &+ 0x3030_3030_3030_3030 &+ letters &* 0x27).littleEndian
    if digits == 8 {
      UnsafeMutableRawPointer(target).storeBytes(of: text, as: UInt64.self)
    } else {
      UnsafeMutableRawPointer(target).storeBytes(of: UInt32(truncatingIfNeeded: text), as: UInt32.self)
    }
  }

  /// Orders ids as their canonical texts.
  package static func < (left: EntityID, right: EntityID) -> Bool {
    left.high != right.high ? left.high < right.high : left.low < right.low
  }
}

extension EntityID {
  /// Per-process random keys, so that nobody can craft ids with colliding hashes.
  private static let hashKeys = (UInt64(truncatingIfNeeded: 0.hashValue), UInt64(truncatingIfNeeded: 1.hashValue))

  package func hash(into hasher: inout Hasher) {
    hasher.combine(high)
    hasher.combine(low)
  }

  /// The requirement of `Hashable` that dictionaries and sets call; the default goes through `hash(into:)`. A single
  /// 128-bit multiplication mixes ids well enough at a tenth of that cost, which was an eighth of reading a journal.
  package func _rawHashValue(seed: Int) -> Int {
    let (first, second) = EntityID.hashKeys
    let product = (high ^ first ^ UInt64(truncatingIfNeeded: seed)).multipliedFullWidth(by: low ^ second)
    return Int(truncatingIfNeeded: product.high ^ product.low)
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
