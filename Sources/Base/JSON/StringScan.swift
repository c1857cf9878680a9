/// Finds the bytes of a string that need special treatment.
package enum StringScan {
  /// The offset of the first byte at or after `start` that is a quote, a backslash, below 0x20 or above 0x7F; `end` when
  /// there is none.
  @inline(__always)
  static func firstSpecial(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    var at = start
    while at &+ 8 <= end {
      let hits = specials(UInt64(littleEndian: UnsafeRawPointer(bytes + at).loadUnaligned(as: UInt64.self)))
      if hits != 0 { return at &+ hits.trailingZeroBitCount &>> 3 }
      at &+= 8
    }
    while at < end, !isSpecial(byte: bytes[at]) { at &+= 1 }
    return at
  }

  /// The offset of the first space at or after `start`; `end` when there is none.
  @inline(__always)
  static func firstSpace(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    var at = start
    while at &+ 8 <= end {
      let word = UInt64(littleEndian: UnsafeRawPointer(bytes + at).loadUnaligned(as: UInt64.self))
      let others = word ^ 0x2020_2020_2020_2020
      let hits = (others &- 0x0101_0101_0101_0101) & ~others & 0x8080_8080_8080_8080
      if hits != 0 { return at &+ hits.trailingZeroBitCount &>> 3 }
      at &+= 8
    }
    while at < end, bytes[at] != UInt8(ascii: " ") { at &+= 1 }
    return at
  }

  /// Whether two short texts of equal length have the same bytes.
  @inline(__always)
  package static func areSame(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Bool {
    func isSame<Word: FixedWidthInteger>(_ at: Int, _: Word.Type) -> Bool {
      (left + at).loadUnaligned(as: Word.self) == (right + at).loadUnaligned(as: Word.self)
    }
    // The last word overlaps the one before it.
    if count >= 8 {
      var at = 0
      while at &+ 8 < count {
        guard isSame(at, UInt64.self) else { return false }
        at &+= 8
      }
      return isSame(count &- 8, UInt64.self)
    }
    if count >= 4 { return isSame(0, UInt32.self) && isSame(count &- 4, UInt32.self) }
    var at = 0
    while at < count, left.load(fromByteOffset: at, as: UInt8.self) == right.load(fromByteOffset: at, as: UInt8.self) {
      at &+= 1
    }
    return at == count
  }

  /// Copies bytes up to the first that needs an escape; returns their count.
  @inline(__always)
  static func copy(
    _ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, _ count: Int
  ) -> Int {
    var at = 0
    while at &+ 8 <= count {
      let word = UnsafeRawPointer(source + at).loadUnaligned(as: UInt64.self)
      guard escapes(UInt64(littleEndian: word)) == 0 else { break }
      UnsafeMutableRawPointer(target + at).storeBytes(of: word, as: UInt64.self)
      at &+= 8
    }
    // The last word overlaps the bytes already copied.
    if at < count, at &+ 8 > count, count >= 8 {
      let word = UnsafeRawPointer(source + count - 8).loadUnaligned(as: UInt64.self)
      if escapes(UInt64(littleEndian: word)) == 0 {
        UnsafeMutableRawPointer(target + count - 8).storeBytes(of: word, as: UInt64.self)
        return count
      }
    }
    while at < count, !isEscaped(byte: source[at]) {
      target[at] = source[at]
      at &+= 1
    }
    return at
  }

  /// Marks the special bytes in a word of eight by their high bits. Marks above the lowest one may be wrong, because
  /// borrows propagate upwards.
  @inline(__always)
  static func specials(_ word: UInt64) -> UInt64 {
    escapes(word) | word & 0x8080_8080_8080_8080
  }

  /// Marks the bytes that need an escape, in the same way.
  @inline(__always)
  static func escapes(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5C)
    let hits = ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | ((word &- ones &* 0x20) & ~word)
    return hits & 0x8080_8080_8080_8080
  }

  /// Whether one byte is special.
  @inline(__always)
  static func isSpecial(byte: UInt8) -> Bool {
    byte > 0x7F || isEscaped(byte: byte)
  }

  /// Whether one byte has to be escaped in a string.
  @inline(__always)
  static func isEscaped(byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }
}

/// Validates UTF-8 by Unicode 15 table 3-7: shortest forms only, no surrogates, nothing above U+10FFFF.
package enum UTF8Scan {
  /// The length (1…4) of the sequence at `bytes`, of which `count` are readable; 0 when it is ill-formed.
  @inline(__always)
  package static func length(_ bytes: UnsafePointer<UInt8>, count: Int) -> Int {
    guard count > 0 else { return 0 }
    let lead = bytes[0]
    func continues(_ index: Int) -> Bool { bytes[index] & 0xC0 == 0x80 }
    switch lead {
    case 0x00...0x7F: return 1
    case 0xC2...0xDF: return count >= 2 && continues(1) ? 2 : 0
    case 0xE0...0xEF:
      guard count >= 3, continues(1), continues(2) else { return 0 }
      if lead == 0xE0, bytes[1] < 0xA0 { return 0 }
      if lead == 0xED, bytes[1] > 0x9F { return 0 }
      return 3
    case 0xF0...0xF4:
      guard count >= 4, continues(1), continues(2), continues(3) else { return 0 }
      if lead == 0xF0, bytes[1] < 0x90 { return 0 }
      if lead == 0xF4, bytes[1] > 0x8F { return 0 }
      return 4
    default: return 0
    }
  }
}
