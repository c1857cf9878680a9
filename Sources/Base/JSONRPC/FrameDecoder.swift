/// Splits a byte stream into messages in either framing, without I/O.
///
/// The first byte that is not white space determines the framing (`{` or `[`: newline; a letter: header block). On any
/// input the decoder stays usable or reports that it gives up; it never traps.
package struct FrameDecoder: ~Copyable, Sendable {
  package enum Event: Equatable, Sendable {
    /// A message, as a range for `bytes(_:)`.
    case message(Range<Int>)
    /// Bytes that are not a frame; decoding continues at the next frame.
    case fault(MessageFault)
    /// Bytes that are not a frame, and no way to find the next one.
    case givingUp(MessageFault)
  }

  /// Given at the start, or detected from the first byte.
  package private(set) var framing: Framing?
  let limits: FrameLimits
  var buffer = ByteBuffer(capacity: 64 << 10)
  /// The offset at which the search for a newline continues.
  var searched = 0
  /// The number of bytes still to discard, of a body over the limit or in an unsupported charset.
  var discarding = 0
  /// Whether to discard up to the next newline: the rest of a line over the limit, already reported.
  var discardsLine = false
  /// The header lines of an incomplete block.
  var block: HeaderBlock?
  /// The length of those lines in bytes, with line ends.
  var blockSize = 0
  /// The length of the next body, once its header block is complete.
  var bodyLength: Int?
  /// The number of consecutive unusable header blocks.
  var failures = 0
  var hasGivenUp = false
  /// Whether a byte order mark may still follow.
  private var isAtStart = true

  /// Detects the framing unless it is given.
  package init(framing: Framing? = nil, limits: FrameLimits = FrameLimits()) {
    self.framing = framing
    self.limits = limits
  }

  /// Appends the bytes that `body` writes into the given memory (at least `room` bytes), and returns their count.
  package mutating func fill(room: Int = 64 << 10, _ body: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    var filled = 0
    // A large body is read in large pieces.
    let wanted = max(room, min((bodyLength ?? 0) - buffer.count, 1 << 20))
    let moved = buffer.fill(room: wanted) { space in
      filled = body(space)
      return filled
    }
    searched = max(searched - moved, buffer.start)
    return filled
  }

  /// Appends a copy of the bytes.
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty else { return }
    _ = fill(room: bytes.count) { space in
      space.copyMemory(from: bytes)
      return bytes.count
    }
  }

  /// The bytes of a message; valid until the next `fill`.
  package func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer { buffer.bytes(range) }

  /// The number of buffered bytes.
  package var pendingBytes: Int { buffer.count }

  /// Releases memory that a large message needed.
  package mutating func shrink() {
    let moved = buffer.shrink(to: 128 << 10)
    searched = max(searched - moved, buffer.start)
  }

  /// The next message or fault, or nil when more bytes are needed.
  package mutating func next() -> Event? {
    guard !hasGivenUp else { return nil }
    if isAtStart {
      guard skipMark() else { return nil }
      isAtStart = false
    }
    if framing == nil {
      if let fault = detect() { return fault }
    }
    switch framing {
    case .newline: return nextLine()
    case .header: return nextBlock()
    case nil: return nil
    }
  }

  /// The remainder at the end of the stream: an unterminated last line is a message, a partial frame is a fault.
  package mutating func finish() -> Event? {
    guard !hasGivenUp, discarding == 0, !discardsLine, framing != nil else { return nil }
    if framing == .newline {
      let range = trimmed(buffer.start..<buffer.end)
      buffer.consume(to: buffer.end)
      return range.isEmpty ? nil : .message(range)
    }
    defer { buffer.consume(to: buffer.end) }
    guard bodyLength != nil || block != nil || !trimmed(buffer.start..<buffer.end).isEmpty else { return nil }
    return .fault(MessageFault(.parseError, "the stream ended inside a message"))
  }

  // MARK: framing

  /// Skips a byte order mark; false when more bytes are needed to tell.
  private mutating func skipMark() -> Bool {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    for index in mark.indices {
      guard buffer.count > index else { return false }
      guard buffer[buffer.start + index] == mark[index] else { return true }
    }
    buffer.consume(to: buffer.start + mark.count)
    return true
  }

  private mutating func detect() -> Event? {
    while buffer.count > 0 {
      switch buffer[buffer.start] {
      case 0x20, 0x09, 0x0A, 0x0D:
        buffer.consume(to: buffer.start + 1)
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): framing = .newline
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): framing = .header
      default:
        hasGivenUp = true
        return .givingUp(
          MessageFault(
            .parseError, "the framing is unknown: the first byte begins neither a header block nor a JSON message",
            offset: 0,
            hint: "send “Content-Length: N” and the message, or one message a line"))
      }
      searched = buffer.start
      return nil
    }
    return nil
  }
}
