import JSON

/// What every line ends in: `,"crc":"xxxxxxxx"}`, the checksum of all bytes before that comma.
enum LineSuffix {
  static let length = 18
  /// What closes a line that was cut off by a crash or a full disk, so that nothing can make it whole later.
  static let torn: StaticString = " torn"

  private static let opening: StaticString = ",\"crc\":\""

  /// Whether the bytes end in the checksum of what stands before it.
  static func isValid(_ line: UnsafeRawBufferPointer) -> Bool {
    guard let base = line.baseAddress else { return false }
    return isValid(base, count: line.count)
  }

  /// The same for a line of that many bytes.
  @inline(__always) static func isValid(_ line: UnsafeRawPointer, count: Int) -> Bool {
    let start = count &- length
    guard start >= 0, let stated = checksum(line + start) else { return false }
    return CRC32C.checksum(UnsafeRawBufferPointer(start: line, count: start)) == stated
  }

  /// The checksum that a suffix at `offset` states; nil when none stands there.
  static func checksum(_ line: UnsafeRawBufferPointer, at offset: Int) -> UInt32? {
    guard let base = line.baseAddress, offset >= 0, line.count - offset >= length else { return nil }
    return checksum(base + offset)
  }

  @inline(__always) private static func checksum(_ suffix: UnsafeRawPointer) -> UInt32? {
    guard suffix.loadUnaligned(as: UInt64.self) == FixedText.word(opening),
      suffix.load(fromByteOffset: 16, as: UInt8.self) == UInt8(ascii: "\""),
      suffix.load(fromByteOffset: 17, as: UInt8.self) == UInt8(ascii: "}")
    else { return nil }
    return FixedText.hexadecimal((suffix + 8).loadUnaligned(as: UInt64.self))
  }

  /// Closes an object whose last brace is not written yet with the checksum and a newline.
  static func close(_ writer: inout JSONWriter) {
    let checksum = CRC32C.checksum(writer.buffer)
    writer.append(opening)
    FixedText.append(checksum, to: &writer)
    writer.append("\"}\n")
  }
}
