/// Header framing.
extension FrameDecoder {
  /// The next body with a usable header block.
  mutating func nextBlock() -> Event? {
    while true {
      if discarding > 0 {
        let gone = min(discarding, buffer.count)
        buffer.consume(to: buffer.start + gone)
        discarding -= gone
        searched = buffer.start
        if discarding > 0 { return nil }
      }
      if let length = bodyLength {
        guard buffer.count >= length else { return nil }
        let range = buffer.start..<(buffer.start + length)
        buffer.consume(to: range.upperBound)
        searched = buffer.start
        bodyLength = nil
        return .message(range)
      }
      guard let newline = buffer.newline(from: max(searched, buffer.start)) else {
        searched = buffer.end
        guard discardsLine || blockSize + buffer.count > limits.headerBlock else { return nil }
        buffer.consume(to: buffer.end)
        if discardsLine { return nil }
        discardsLine = true
        return blockTooLong()
      }
      if discardsLine {
        discardsLine = false
        buffer.consume(to: newline + 1)
        searched = buffer.start
        continue
      }
      if let event = line(buffer.start..<newline) { return event }
    }
  }

  /// Handles one header line, whose newline is at the range's end.
  private mutating func line(_ range: Range<Int>) -> Event? {
    let content = trimmed(range)
    buffer.consume(to: range.upperBound + 1)
    searched = buffer.start
    let size = blockSize + range.count + 1
    if size > limits.headerBlock { return blockTooLong() }
    guard content.isEmpty else {
      // After an unusable block it may be the body of that block.
      if failures == 0, isMessage(buffer.bytes(content)) {
        // Ignored as a header, it would be a request that is never answered.
        (block, blockSize) = (nil, 0)
        return .fault(
          blockFault("a line of JSON stands where a header block belongs: this connection has header framing"))
      }
      blockSize = size
      var block = self.block ?? HeaderBlock()
      block.read(buffer.bytes(content))
      self.block = block
      return nil
    }
    // A blank line ends the block; stray ones may precede it.
    guard let block else { return nil }
    guard let length = block.length else { return unusable(block.problem) }
    self.block = nil
    blockSize = 0
    failures = 0
    if block.hasForeignCharset {
      discarding = length
      return .fault(MessageFault(.parseError, "only the charset utf-8 is understood", allowed: "charset=utf-8"))
    }
    if length > limits.message {
      discarding = length
      return .fault(tooLarge)
    }
    bodyLength = length
    return nil
  }

  /// Whether a line looks like a whole message.
  private func isMessage(_ line: UnsafeRawBufferPointer) -> Bool {
    switch (line.first, line.last) {
    case (UInt8(ascii: "{"), UInt8(ascii: "}")), (UInt8(ascii: "["), UInt8(ascii: "]")): true
    default: false
    }
  }

  private mutating func blockTooLong() -> Event {
    unusable("the header block is longer than \(limits.headerBlock) bytes")
  }

  /// Drops the block, and gives up after too many in a row.
  private mutating func unusable(_ problem: String) -> Event {
    block = nil
    blockSize = 0
    failures += 1
    hasGivenUp = failures >= limits.failures
    return hasGivenUp ? .givingUp(blockFault(problem)) : .fault(blockFault(problem))
  }

  private func blockFault(_ problem: String) -> MessageFault {
    MessageFault(.parseError, problem, hint: "send “Content-Length: N”, an empty line, and N bytes of JSON")
  }
}
