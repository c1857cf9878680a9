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

  /// Closes an object whose last brace is not written yet with the checksum and a newline. It may have begun with other bytes, which
  /// stand before those of the writer.
  static func close(_ writer: inout JSONWriter, after begun: [UInt8] = []) {
    let checksum = CRC32C.checksum(writer.buffer, after: begun.withUnsafeBytes { CRC32C.checksum($0) })
    writer.append(opening)
    FixedText.append(checksum, to: &writer)
    writer.append("\"}\n")
  }
}

/// Finds good lines in what stands between two newlines and is no good line as a whole.
enum LineSalvage {
  /// Hands out the good lines that have run into others, each with the damaged bytes behind it, if another line follows these.
  /// Returns what is left; nil when the last line is good, too.
  static func split(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ take: (_ line: Range<Int>, _ gap: Range<Int>?) -> Void
  ) -> Range<Int>? {
    var start = range.lowerBound
    while let end = endOfGluedLine(bytes, start..<range.upperBound) {
      let isNext = bytes.hasText("{\"", at: end) || bytes.hasText("{", at: end) && !bytes.hasText("{\"", at: end + 1)
      let next = isNext ? end : end + 1
      take(start..<end, end..<next)
      start = next
      let rest = start..<range.upperBound
      if LineSuffix.isValid(UnsafeRawBufferPointer(rebasing: bytes[rest])) {
        take(rest, nil)
        return nil
      }
    }
    return start..<range.upperBound
  }

  /// Where a good line ends behind which, with at most one byte between, another object begins.
  private static func endOfGluedLine(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
    // The checksum is carried along, so that many would-be ends cost no more than one.
    var checksum: UInt32 = 0
    var checked = range.lowerBound
    var at = range.lowerBound
    let line = UnsafeRawBufferPointer(rebasing: bytes[..<range.upperBound])
    while at + LineSuffix.length < line.count, let comma = line[at...].firstIndex(of: UInt8(ascii: ",")) {
      if let stated = LineSuffix.checksum(line, at: comma) {
        checksum = CRC32C.checksum(UnsafeRawBufferPointer(rebasing: line[checked..<comma]), after: checksum)
        checked = comma
        let end = comma + LineSuffix.length
        if checksum == stated, line.hasText("{", at: end) || line.hasText("{", at: end + 1) { return end }
      }
      at = comma + 1
    }
    return nil
  }
}
