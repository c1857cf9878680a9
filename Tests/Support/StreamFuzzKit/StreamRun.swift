import JSONRPC

/// One run of a stream through a decoder, in pieces of any size.
struct StreamRun: ~Copyable {
  /// Small limits, so that streams of a few hundred bytes reach them.
  static let limits: FrameLimits = {
    var limits = FrameLimits()
    limits.message = 1024
    limits.headerBlock = 256
    return limits
  }()

  private var decoder = FrameDecoder(limits: StreamRun.limits)
  /// All input bytes.
  private var input: [UInt8] = []
  /// The bytes of decoded messages.
  private var given = 0
  /// A hash of all events.
  private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
  private(set) var messages = 0
  private(set) var faults = 0
  private(set) var hasGivenUp = false
  /// Whether the last event may have started to discard a body that has not ended.
  private(set) var mayDiscard = false
  /// The last message.
  private(set) var last: [UInt8] = []
  /// The problem, if any.
  private(set) var problem: String?

  var framing: Framing? { decoder.framing }

  /// Feeds a piece, and passes each message to `body`.
  mutating func feed(_ piece: ArraySlice<UInt8>, _ body: (UnsafeRawBufferPointer) -> String?) {
    input += piece
    piece.withUnsafeBytes { decoder.append($0) }
    var events = 0
    while let event = decoder.next(), problem == nil {
      events += 1
      if events > decoder.pendingBytes + piece.count + 300 { return problem = "no end of events" }
      take(event, body)
    }
    if given + decoder.pendingBytes > input.count { problem = "more bytes came out than went in" }
  }

  /// Ends the stream.
  mutating func finish(_ body: (UnsafeRawBufferPointer) -> String?) {
    if let event = decoder.finish() { take(event, body) }
  }

  private mutating func take(_ event: FrameDecoder.Event, _ body: (UnsafeRawBufferPointer) -> String?) {
    if hasGivenUp { problem = "an event after giving up" }
    mayDiscard = false
    switch event {
    case .message(let range):
      messages += 1
      let message = decoder.bytes(range)
      given += message.count
      fold(1, message)
      last = Array(message)
      if !isWhereItCameFrom(message) { problem = "a message that is not in the stream" }
      if let found = body(message) { problem = found }
    case .fault(let fault):
      faults += 1
      mayDiscard = fault.kind == .messageTooLarge || fault.allowed == "charset=utf-8"
      fold(2, nil)
      for byte in fault.message.utf8 { fold(byte) }
    case .givingUp:
      hasGivenUp = true
      fold(3, nil)
    }
  }

  /// Whether the message is the part of the input that ends at the decoder's position, apart from white space.
  private func isWhereItCameFrom(_ message: UnsafeRawBufferPointer) -> Bool {
    var end = input.count - decoder.pendingBytes
    guard end >= message.count else { return false }
    if decoder.framing == .newline, let last = message.last {
      while end > message.count, input[end - 1] <= 0x20, input[end - 1] != last { end -= 1 }
    }
    return input[(end - message.count)..<end].elementsEqual(message)
  }

  private mutating func fold(_ kind: UInt8, _ bytes: UnsafeRawBufferPointer?) {
    fold(kind)
    guard let bytes else { return }
    for byte in bytes { fold(byte) }
  }

  private mutating func fold(_ byte: UInt8) { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
