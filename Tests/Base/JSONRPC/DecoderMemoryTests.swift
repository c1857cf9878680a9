import Testing

@testable import JSONRPC

/// The memory use of the decoder.
struct DecoderMemoryTests {
  @Test("Pending bytes are those not yet delivered")
  func pending() {
    var decoder = FrameDecoder()
    var seen: [Seen] = []
    Array("Content-Length: 4\r\n\r\nnu".utf8).withUnsafeBytes { decoder.append($0) }
    #expect(decoder.pendingBytes == 23)
    drain(&decoder, into: &seen)
    #expect(decoder.pendingBytes == 2)
    Array("llCon".utf8).withUnsafeBytes { decoder.append($0) }
    drain(&decoder, into: &seen)
    #expect(decoder.pendingBytes == 3)
    #expect(seen == [.message("null")])
  }

  @Test("A discarded body is never held", arguments: [1, 100, 100_000])
  func discarded(_ size: Int) {
    var decoder = FrameDecoder(limits: .small())
    var seen: [Seen] = []
    Array("Content-Length: 1000000\r\n\r\n".utf8).withUnsafeBytes { decoder.append($0) }
    drain(&decoder, into: &seen)
    let piece = [UInt8](repeating: 0x0A, count: size)
    for _ in 0..<(1_000_000 / max(size, 1000)) {
      piece.withUnsafeBytes { decoder.append($0) }
      drain(&decoder, into: &seen)
      #expect(decoder.pendingBytes == 0)
    }
    #expect(seen == [.tooLarge])
  }

  @Test("Only the bytes that `fill` reports are decoded; an error or an end adds none")
  func filling() {
    var decoder = FrameDecoder()
    var seen: [Seen] = []
    #expect(decoder.fill { _ in -1 } == -1)
    #expect(decoder.fill { _ in 0 } == 0)
    let count = decoder.fill(room: 3) { space in
      #expect(space.count >= 3)
      space.copyBytes(from: Array("{}\n".utf8))
      return 3
    }
    #expect(count == 3)
    drain(&decoder, into: &seen)
    #expect(seen == [.message("{}")])
  }

  @Test("A large body is read in large pieces")
  func largePieces() {
    var decoder = FrameDecoder()
    Array("Content-Length: 5000000\r\n\r\n".utf8).withUnsafeBytes { decoder.append($0) }
    #expect(decoder.next() == nil)
    _ = decoder.fill { space in
      #expect(space.count == 1 << 20)
      return 0
    }
  }

  @Test("Releasing memory within a line loses neither the line nor the next newline")
  func shrinkInside() {
    var decoder = FrameDecoder(framing: .newline)
    var seen: [Seen] = []
    let large = [UInt8](repeating: 0x20, count: 300_000) + Array("[]\n{\"a\"".utf8)
    large.withUnsafeBytes { decoder.append($0) }
    drain(&decoder, into: &seen)
    decoder.shrink()
    #expect(decoder.pendingBytes == 4)
    Array(":1}\n[2]\n".utf8).withUnsafeBytes { decoder.append($0) }
    drain(&decoder, into: &seen)
    #expect(seen == [.message("[]"), .message("{\"a\":1}"), .message("[2]")])
  }

  @Test("Releasing memory within a header line loses nothing")
  func shrinkInsideHeader() {
    var decoder = FrameDecoder()
    var seen: [Seen] = []
    let body = [UInt8](repeating: 0x20, count: 300_000)
    (Array("Content-Length: 300000\r\n\r\n".utf8) + body + Array("Content-Len".utf8))
      .withUnsafeBytes { decoder.append($0) }
    drain(&decoder, into: &seen)
    decoder.shrink()
    Array("gth: 2\r\n\r\n{}".utf8).withUnsafeBytes { decoder.append($0) }
    drain(&decoder, into: &seen)
    #expect(seen.last == .message("{}"))
  }
}
