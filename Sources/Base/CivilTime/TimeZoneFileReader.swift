/// Walks over the bytes of a TZif file, big-endian, and never past their end.
struct TimeZoneFileReader {
  /// The whole file.
  private let bytes: [UInt8]
  /// The next byte to read, 0…`bytes.count`.
  private var position = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Bytes not read yet.
  var remaining: Int { bytes.count - position }

  /// A `malformedFile` error at the current position.
  func failure(_ message: String) -> TimeZoneError {
    TimeZoneError(.malformedFile, message, byteOffset: position)
  }

  /// Steps over `count` bytes (not negative).
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

  /// Steps over `count` bytes that are each 0 or 1.
  mutating func flags(_ count: Int) throws(TimeZoneError) {
    for _ in 0..<count {
      guard try byte() <= 1 else { throw failure("a flag is neither 0 nor 1") }
    }
  }
}
