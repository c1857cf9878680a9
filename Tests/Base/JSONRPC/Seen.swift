import JSONRPC

/// The events of a decoder, with the texts of messages and the kinds of faults.
enum Seen: Equatable, CustomStringConvertible {
  case message(String)
  case fault(MessageFault.Kind)
  case givingUp

  var description: String {
    switch self {
    case .message(let text): "message(\(text.count > 200 ? "\(text.count) characters" : text))"
    case .fault(let kind): "fault(\(kind))"
    case .givingUp: "givingUp"
    }
  }

  static let broken = Seen.fault(.parseError)
  static let tooLarge = Seen.fault(.messageTooLarge)
}

extension FrameLimits {
  /// Limits small enough for tests.
  static func small(message: Int = 16, headerBlock: Int = 64) -> FrameLimits {
    var limits = FrameLimits()
    limits.message = message
    limits.headerBlock = headerBlock
    return limits
  }
}

/// All events of a decoder for bytes that arrive in pieces of `size`, optionally with the end of the stream.
func decode(
  _ bytes: [UInt8], size: Int = .max, framing: Framing? = nil, limits: FrameLimits = FrameLimits(), ends: Bool = false
) -> [Seen] {
  var decoder = FrameDecoder(framing: framing, limits: limits)
  var seen: [Seen] = []
  var rest = bytes[...]
  while !rest.isEmpty {
    rest.prefix(size).withUnsafeBytes { decoder.append($0) }
    rest = rest.dropFirst(size)
    drain(&decoder, into: &seen)
  }
  if ends, let event = decoder.finish() { seen.append(Seen(event, decoder)) }
  return seen
}

/// All events for a text.
func decode(
  _ text: String, size: Int = .max, framing: Framing? = nil, limits: FrameLimits = FrameLimits(), ends: Bool = false
) -> [Seen] {
  decode(Array(text.utf8), size: size, framing: framing, limits: limits, ends: ends)
}

/// Drains the decoder.
func drain(_ decoder: inout FrameDecoder, into seen: inout [Seen]) {
  while let event = decoder.next() { seen.append(Seen(event, decoder)) }
}

extension Seen {
  init(_ event: FrameDecoder.Event, _ decoder: borrowing FrameDecoder) {
    switch event {
    case .message(let range): self = .message(String(decoding: decoder.bytes(range), as: UTF8.self))
    case .fault(let fault): self = .fault(fault.kind)
    case .givingUp: self = .givingUp
    }
  }
}
