import JSON

/// Goes through bytes of a journal file that begin with a line, line by line, whatever they are.
struct JournalScan {
  /// What was found at a range of the file.
  enum Item {
    case line(JournalLine)
    case finding(Finding.Kind, String)
  }

  let bytes: UnsafeRawBufferPointer

  /// Hands out everything that is complete, in order of offsets; returns where the last complete line ends.
  func forEach(_ body: (Item, Range<Int>) -> Void) -> Int {
    var start = 0
    while let end = newline(from: start) {
      if end > start { scan(start..<end, body) }
      start = end + 1
    }
    return start
  }

  /// The offset of the next newline. An import is one line of many megabytes, and every process on the folder looks for its end.
  private func newline(from start: Int) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let end = SegmentScan.newline(base, from: start, to: bytes.count)
    return end < bytes.count ? end : nil
  }

  /// Looks at what stands between two newlines.
  private func scan(_ range: Range<Int>, _ body: (Item, Range<Int>) -> Void) {
    if LineSuffix.isValid(slice(range)) {
      read(range, body)
      return
    }
    var start = range.lowerBound
    while let end = endOfGluedLine(start..<range.upperBound) {
      read(start..<end, body)
      start = bytes[end] == UInt8(ascii: "{") ? end : end + 1
      body(.finding(.brokenNewline, "two lines run into one"), end..<start)
      if LineSuffix.isValid(slice(start..<range.upperBound)) {
        read(start..<range.upperBound, body)
        return
      }
    }
    if let line = lineBehindRubbish(start..<range.upperBound) {
      body(.finding(.damagedLine, "the line before it was lost with its end"), start..<line)
      read(line..<range.upperBound, body)
      return
    }
    let rest = start..<range.upperBound
    if isClosedTear(slice(rest)) {
      body(.finding(.healedTear, "a line that was cut off while it was written"), rest)
    } else {
      body(.finding(.damagedLine, "the checksum does not fit"), rest)
    }
  }

  /// Reads a line whose checksum fits.
  private func read(_ range: Range<Int>, _ body: (Item, Range<Int>) -> Void) {
    do throws(JSONError) {
      body(.line(try JournalLine(reading: slice(range))), range)
    } catch {
      body(.finding(.unknownLine, error.description), range)
    }
  }

  /// Where a good line ends behind which, with at most one byte between, another object begins.
  private func endOfGluedLine(_ range: Range<Int>) -> Int? {
    // The checksum is carried along, so that many would-be ends cost no more than one.
    var checksum: UInt32 = 0
    var checked = range.lowerBound
    let bytes = slice(range)
    var at = 0
    while at + LineSuffix.length < bytes.count {
      guard let comma = bytes[at...].firstIndex(of: UInt8(ascii: ",")) else { return nil }
      if let stated = LineSuffix.checksum(bytes, at: comma) {
        checksum = CRC32C.checksum(slice(checked..<(range.lowerBound + comma)), after: checksum)
        checked = range.lowerBound + comma
        let end = comma + LineSuffix.length
        if checksum == stated, begins(bytes, at: end) || begins(bytes, at: end + 1) { return range.lowerBound + end }
      }
      at = comma + 1
    }
    return nil
  }

  /// Where a good line begins that ends the range; what stands before it lost its newline, as the zeros do that a failed sync
  /// and a power cut leave.
  private func lineBehindRubbish(_ range: Range<Int>) -> Int? {
    let opening: StaticString = "{\"seq\":"
    var at = range.lowerBound
    while let brace = bytes[at..<range.upperBound].firstIndex(of: UInt8(ascii: "{")) {
      let isOpening =
        range.upperBound - brace > opening.utf8CodeUnitCount
        && (0..<opening.utf8CodeUnitCount).allSatisfy { bytes[brace + $0] == opening.utf8Start[$0] }
      if isOpening, brace > range.lowerBound, LineSuffix.isValid(slice(brace..<range.upperBound)) { return brace }
      at = brace + 1
    }
    return nil
  }

  private func begins(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    offset < bytes.count && bytes[offset] == UInt8(ascii: "{")
  }

  private func isClosedTear(_ line: UnsafeRawBufferPointer) -> Bool {
    let mark = LineSuffix.torn
    let start = line.count - mark.utf8CodeUnitCount
    guard start >= 0 else { return false }
    return (0..<mark.utf8CodeUnitCount).allSatisfy { line[start + $0] == mark.utf8Start[$0] }
  }

  private func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[range]) }
}
