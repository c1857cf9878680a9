/// Cuts a stream of bytes into messages, in either framing, without doing any I/O.
///
/// The framing is found by the first byte that is no white space (`{` or `[` a line, a letter a header block) and then
/// kept. With any input the decoder stays usable or says that it gives up; it never traps.
package struct FrameDecoder: ~Copyable, Sendable {
  package enum Event: Equatable, Sendable {
    /// A message, as offsets for `bytes(_:)`.
    case message(Range<Int>)
    /// Bytes that are no frame; the next frame will be found.
    case fault(MessageFault)
    /// Bytes that are no frame, and no hope of finding one.
    case givingUp(MessageFault)
  }

  /// Known from the start or found by the first byte.
  package private(set) var framing: Framing?
  let limits: FrameLimits
  var buffer = ByteBuffer(capacity: 64 << 10)
  /// Where the search for the next newline goes on.
  var searched = 0
  /// Bytes still to be thrown away, of a body over the limit or in a foreign charset.
  var discarding = 0
  /// Whether everything up to the next newline is thrown away: the rest of a line over a limit that has been told.
  var discardsLine = false
  /// The header lines read so far of a block that is not complete.
  var block: HeaderBlock?
  /// The bytes of those lines, with their line ends.
  var blockSize = 0
  /// The length of the body that follows, once its header block is complete.
  var bodyLength: Int?
  /// Unusable header blocks in a row.
  var failures = 0
  var hasGivenUp = false
  /// Whether the very first bytes, which may be a byte order mark, are still to be looked at.
  private var isAtStart = true

  /// A decoder that finds the framing itself unless it is given.
  package init(framing: Framing? = nil, limits: FrameLimits = FrameLimits()) {
    self.framing = framing
    self.limits = limits
  }

  /// Takes what `body` puts into the memory it is given (at least `room` bytes), and returns how many bytes that was.
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

  /// Takes a copy of some bytes.
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty else { return }
    _ = fill(room: bytes.count) { space in
      space.copyMemory(from: bytes)
      return bytes.count
    }
  }

  /// The bytes of a message, valid until the next `fill`.
  package func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer { buffer.bytes(range) }

  /// Bytes taken and not yet given out.
  package var pendingBytes: Int { buffer.count }

  /// Gives back memory that a large message needed.
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

  /// What is left when the stream has ended: a last line without its newline is a message; half a frame is a fault.
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

  /// Passes over a byte order mark; false when more bytes must tell whether it is one.
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
            .parseError, "the framing cannot be told: the first byte begins neither a header block nor a JSON message",
            offset: 0,
            hint: "send “Content-Length: N” and the message, or one message a line"))
      }
      searched = buffer.start
      return nil
    }
    return nil
  }
}
