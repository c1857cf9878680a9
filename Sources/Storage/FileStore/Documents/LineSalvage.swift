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
