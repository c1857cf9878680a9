import Testing

@testable import JSONRPC

/// Events do not depend on how the bytes arrive.
struct ChunkingTests {
  static let streams: [String] = [
    "\r\n Content-Length: 2\r\n\r\n{}content-length:3\nX: y\n\n[1]",
    "\n  {\"a\":1}\r\n\n[2]\n  \n\"12345678901234\"\r\n\"123456789012345\"\r\n {} \n",
    "Content-Length: 99\r\n\r\n" + String(repeating: "\n", count: 99) + "Content-Length: 2\r\n\r\n{}",
    "Content-Length: x\r\n\r\n{}Content-Length: 2\r\n\r\n{}\n\nnoise\nContent-Length: 0\r\n\r\nContent-Length: 1\n\n7",
    "Content-Type: a/b; charset=utf-16\r\nContent-Length: 4\r\n\r\n\n\n\n\nContent-Length: 2\r\n\r\n{}",
    "A: b\r\n\r\nA: b\r\n\r\nA: b\r\n\r\nContent-Length: 2\r\n\r\n{}",
    "Content-Length: 2\r\n\r\n{}A: " + String(repeating: "b", count: 80) + "\r\nContent-Length: 2\r\n\r\n{}",
    "Content-Length: 2\r\n\r\n{}" + String(repeating: " ", count: 80) + "\r\nContent-Length: 2\r\n\r\n{}",
    "C: " + String(repeating: "b", count: 200) + "C: \nC: d\nC: e\n" + String(repeating: "F: g\n", count: 40) + "\n\n",
    "\u{FEFF}\n[]\n", "\u{FEFF}Content-Length: 2\r\n\r\n{}", "?", "",
  ]

  @Test("Every split at two places gives the same events", arguments: streams)
  func splits(_ stream: String) {
    let bytes = Array(stream.utf8)
    let limits = FrameLimits.small()
    let whole = decode(bytes, limits: limits, ends: true)
    for first in 0...bytes.count {
      for second in first...bytes.count where (second - first) % 3 == 0 || second == bytes.count {
        var decoder = FrameDecoder(limits: limits)
        var seen: [Seen] = []
        for piece in [bytes[..<first], bytes[first..<second], bytes[second...]] {
          piece.withUnsafeBytes { decoder.append($0) }
          drain(&decoder, into: &seen)
        }
        if let event = decoder.finish() { seen.append(Seen(event, decoder)) }
        if seen != whole { Issue.record("split at \(first) and \(second): \(seen) instead of \(whole)") }
      }
    }
  }

  @Test("Byte by byte gives the same events", arguments: streams)
  func bytes(_ stream: String) {
    let limits = FrameLimits.small()
    #expect(decode(stream, size: 1, limits: limits, ends: true) == decode(stream, limits: limits, ends: true))
  }

  @Test("Events are the same when memory is released after each", arguments: streams, [1, 10, 1000])
  func shrinking(_ stream: String, _ size: Int) {
    let limits = FrameLimits.small()
    var decoder = FrameDecoder(limits: limits)
    var seen: [Seen] = []
    var rest = Array(stream.utf8)[...]
    while !rest.isEmpty {
      // The buffer exceeds its retained size before each piece.
      _ = decoder.fill(room: 1 << 20) { _ in 0 }
      rest.prefix(size).withUnsafeBytes { decoder.append($0) }
      rest = rest.dropFirst(size)
      while let event = decoder.next() {
        seen.append(Seen(event, decoder))
        decoder.shrink()
      }
      decoder.shrink()
    }
    if let event = decoder.finish() { seen.append(Seen(event, decoder)) }
    #expect(seen == decode(stream, limits: limits, ends: true))
  }
}
