/// A bounds-checked cursor over the big-endian bytes of a TZif file.
struct TimeZoneFileReader {
  let bytes: [UInt8]
  /// Offset of the next byte, 0…`bytes.count`.
  private(set) var position = 0

  /// The number of unread bytes.
  var remaining: Int { bytes.count - position }

  /// A `malformedFile` error at the current position.
  func failure(_ message: String) -> TimeZoneError {
    TimeZoneError(.malformedFile, message, byteOffset: position)
  }

  /// Skips `count` bytes (not negative).
  mutating func skip(_ count: Int) throws(TimeZoneError) {
    guard count <= remaining else { throw failure("the file is cut off") }
    position += count
  }

  /// One byte.
  mutating func byte() throws(TimeZoneError) -> UInt8 {
    let at = position
    try skip(1)
    return bytes[at]
  }

  /// A 32-bit count.
  mutating func count() throws(TimeZoneError) -> Int {
    Int(truncatingIfNeeded: try time(size: 4) & 0xFFFF_FFFF)
  }

  /// A signed number of `size` bytes, 1…8.
  mutating func time(size: Int) throws(TimeZoneError) -> Int64 {
    let start = position
    try skip(size)
    var value = Int64(Int8(bitPattern: bytes[start]))
    for index in start + 1..<position { value = value << 8 | Int64(bytes[index]) }
    return value
  }

  /// Skips `count` bytes that must each be 0 or 1.
  mutating func flags(_ count: Int) throws(TimeZoneError) {
    for _ in 0..<count {
      guard try byte() <= 1 else { throw failure("a flag is neither 0 nor 1") }
    }
  }
}
