/// Newline framing, and line handling shared with header framing.
extension FrameDecoder {
  /// The next line that is not blank.
  mutating func nextLine() -> Event? {
    while true {
      guard let newline = buffer.newline(from: max(searched, buffer.start)) else {
        searched = buffer.end
        if discardsLine {
          buffer.consume(to: buffer.end)
        } else if isTooLong(buffer.start..<buffer.end) {
          discardsLine = true
          buffer.consume(to: buffer.end)
          return .fault(tooLarge)
        }
        return nil
      }
      let line = buffer.start..<newline
      buffer.consume(to: newline + 1)
      searched = buffer.start
      if discardsLine {
        discardsLine = false
        continue
      }
      if isTooLong(line) { return .fault(tooLarge) }
      let range = trimmed(line)
      if !range.isEmpty { return .message(range) }
    }
  }

  /// Whether a complete or partial line exceeds the limit. White space around the message counts, the line end does
  /// not, so a partial line gives the same verdict as the complete one.
  private func isTooLong(_ line: Range<Int>) -> Bool {
    guard line.count > limits.message else { return false }
    return line.count - 1 > limits.message || buffer[line.upperBound - 1] != 0x0D
  }

  /// The range without white space at both ends.
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (low, high) = (range.lowerBound, range.upperBound)
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
    while low < high, isBlank(buffer[low]) { low += 1 }
    while high > low, isBlank(buffer[high - 1]) { high -= 1 }
    return low..<high
  }

  /// The fault for a message over the limit.
  var tooLarge: MessageFault {
    MessageFault(
      .messageTooLarge, "the message is larger than \(limits.message) bytes", allowed: "at most \(limits.message) bytes"
    )
  }
}
