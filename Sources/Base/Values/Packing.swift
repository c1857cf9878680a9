/// Numbers and texts in few bytes, one behind the other: whole numbers seven bits a byte, with the sign in the lowest.
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

  /// The digits and the scale.
  package mutating func write(_ decimal: Decimal) {
    write(Int(decimal.significand))
    write(decimal.scale)
  }

  /// The count and the bytes.
  package mutating func write(_ text: some Collection<UInt8>) {
    write(text.count)
    bytes += text
  }
}

/// Reads what a `PackedWriter` has written, in the same order; nil for anything else.
package struct PackedReader {
  private let bytes: UnsafeRawBufferPointer
  private var at = 0

  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  package var isAtEnd: Bool { at == bytes.count }

  package mutating func number() -> Int? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while at < bytes.count, shift < 64 {
      let byte = bytes[at]
      at += 1
      value |= UInt64(byte & 0x7F) &<< shift
      if byte < 0x80 { return Int(Int64(bitPattern: value >> 1) ^ -Int64(value & 1)) }
      shift += 7
    }
    return nil
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
