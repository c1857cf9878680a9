/// Writes numbers and texts compactly: integers as zigzag varints, texts with a length prefix.
package struct PackedWriter: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func write(_ number: Int) {
    var rest = UInt64(bitPattern: Int64(number << 1 ^ number >> 63))
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Writes the significand and the scale.
  package mutating func write(_ decimal: Decimal) {
    write(Int(decimal.significand))
    write(decimal.scale)
  }

  /// Writes the byte count and the bytes.
  package mutating func write(_ text: some Collection<UInt8>) {
    write(text.count)
    bytes += text
  }
}

/// Reads the output of a `PackedWriter` in the same order; returns nil for invalid input.
package struct PackedReader {
  private let bytes: UnsafeRawBufferPointer
  private var at = 0

  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  package var isAtEnd: Bool { at == bytes.count }

  package mutating func number() -> Int? {
    guard at < bytes.count else { return nil }
    let first = bytes[at]
    if first < 0x80 {
      at &+= 1
      return PackedReader.signed(UInt64(first))
    }
    var value: UInt64 = 0
    var shift: UInt64 = 0
    if let word = PackedReader.eight(bytes, at) {
      // The last byte of the number is the first with a clear high bit.
      let ends = ~word & 0x8080_8080_8080_8080
      let count = ends == 0 ? 8 : ends.trailingZeroBitCount &>> 3 &+ 1
      let own = count == 8 ? word : word & (1 &<< UInt64(count &* 8) &- 1)
      // Joins the seven payload bits of each byte in pairs, then fours, then eights.
      var bits = own & 0x7F7F_7F7F_7F7F_7F7F
      bits = bits & 0x007F_007F_007F_007F | (bits & 0x7F00_7F00_7F00_7F00) &>> 1
      bits = bits & 0x0000_3FFF_0000_3FFF | (bits & 0x3FFF_0000_3FFF_0000) &>> 2
      bits = bits & 0x0000_0000_0FFF_FFFF | (bits & 0x0FFF_FFFF_0000_0000) &>> 4
      at &+= count
      if ends != 0 { return PackedReader.signed(bits) }
      (value, shift) = (bits, 56)
    }
    while at < bytes.count, shift < 64 {
      let byte = bytes[at]
      at &+= 1
      value |= UInt64(byte & 0x7F) &<< shift
      if byte < 0x80 { return PackedReader.signed(value) }
      shift &+= 7
    }
    return nil
  }

  /// The eight bytes at an offset as a little-endian word; nil when there are fewer.
  @inline(__always) private static func eight(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt64? {
    guard bytes.count &- at >= 8 else { return nil }
    return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
  }

  @inline(__always) private static func signed(_ value: UInt64) -> Int {
    Int(Int64(bitPattern: value &>> 1) ^ -Int64(value & 1))
  }

  package mutating func decimal() -> Decimal? {
    guard let significand = number(), let scale = number() else { return nil }
    return Decimal(significand: Int64(significand), scale: scale)
  }

  package mutating func text() -> UnsafeRawBufferPointer? {
    guard let count = number(), count >= 0, count <= bytes.count - at else { return nil }
    defer { at += count }
    return UnsafeRawBufferPointer(rebasing: bytes[at..<(at + count)])
  }
}
