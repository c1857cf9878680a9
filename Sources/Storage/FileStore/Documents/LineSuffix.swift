import JSON

/// The end of every line: `,"crc":"xxxxxxxx"}`, the checksum of all bytes before that comma.
enum LineSuffix {
  static let length = 18
  /// The text that closes a line cut off by a crash or a full disk, so that nothing can complete it later.
  static let torn: StaticString = " torn"

  private static let opening: StaticString = ",\"crc\":\""

  /// Whether the bytes end in the checksum of what precedes it.
  static func isValid(_ line: UnsafeRawBufferPointer) -> Bool {
    guard let base = line.baseAddress else { return false }
    return isValid(base, count: line.count)
  }

  /// Whether a line of `count` bytes ends in its checksum.
  @inline(__always) static func isValid(_ line: UnsafeRawPointer, count: Int) -> Bool {
    let start = count &- length
    guard start >= 0, let stated = checksum(line + start) else { return false }
    return CRC32C.checksum(UnsafeRawBufferPointer(start: line, count: start)) == stated
  }

  /// The checksum in a suffix at `offset`; nil when there is none.
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

  /// Closes an object with the checksum and a newline. `begun` has earlier bytes of the object, before those of the
  /// writer.
  static func close(_ writer: inout JSONWriter, after begun: [UInt8] = []) {
    let checksum = CRC32C.checksum(writer.buffer, after: begun.withUnsafeBytes { CRC32C.checksum($0) })
    writer.append(opening)
    FixedText.append(checksum, to: &writer)
    writer.append("\"}\n")
  }
}

/// Finds valid lines in text between two newlines that is no valid line as a whole.
enum LineSalvage {
  /// Passes on the valid lines that have run into others, each with the invalid bytes after it if another line
  /// follows. Returns the remainder; nil when the last line is valid too.
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

  /// The end of a valid line that is followed, after at most one byte, by another object.
  private static func endOfGluedLine(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
    // The checksum is computed incrementally, so that many candidate ends cost no more than one.
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
